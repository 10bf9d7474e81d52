import { useNotifications } from "@mantine/notifications";
import { Suspense, useEffect, useState } from "react";
import { later } from "../api/later.ts";

/** After the first view, when what it shows is there. */
const AFTER_MS = 2_000;

const Messages = later("toasts", async () => (await import("./messages.tsx")).Messages);

/** What has just happened, in the corner. What shows it is loaded after the first view, or with the first message. */
export const Toasts = () => {
  const { notifications, queue } = useNotifications();
  const [isAfter, setAfter] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setAfter(true), AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isAfter && notifications.length + queue.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <Messages />
    </Suspense>
  );
};
