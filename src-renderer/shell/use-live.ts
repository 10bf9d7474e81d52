import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { navigate } from "wouter/use-browser-location";
import { type Connection, openEvents } from "../api/events.ts";
import { watchWhileHidden } from "../api/hidden-watch.ts";
import { applyEvents, refetchAll } from "../api/live.ts";
import { profileQuery } from "../api/queries.ts";
import type { Passcode } from "../api/records.ts";
import { announce } from "../ui/announcer.tsx";
import { groups } from "../ui/code.tsx";
import { recipientText } from "../ui/phone.ts";
import { notify, notifyState } from "./notify.ts";
import { countUnread } from "./unread.ts";

/** Keeps the page current by the server's events. @returns how the connection is. */
export const useLive = (): Connection => {
  const client = useQueryClient();
  const [connection, setConnection] = useState<Connection>("connecting");
  useEffect(() => {
    const tellOf = (passcode: Passcode): void => {
      const { id, appId, userId, to, code } = passcode;
      const name = client.getQueryData(profileQuery(appId, userId).queryKey)?.name ?? recipientText(to);
      announce(`New code for ${name}: ${groups(code).join(" ")}`);
      countUnread(passcode);
      notify({ passcode, name, open: () => navigate(`/inbox/${id}`) });
    };
    const endWatch = watchWhileHidden(countUnread);
    const endEvents = openEvents({
      onEvents: (events) => applyEvents(client, events, tellOf),
      onGap: () => refetchAll(client),
      onConnection: setConnection,
      staysOpen: () => notifyState() === "on",
    });
    return () => {
      endWatch();
      endEvents();
    };
  }, [client]);
  return connection;
};
