import { useEffect, useState } from "react";
import { navigate } from "wouter/use-browser-location";
import type { Passcode } from "#client/index.ts";
import { cache } from "../api/cache.ts";
import { watchWhileHidden } from "../api/hidden-watch.ts";
import { watchNewPasscodes } from "../api/live.ts";
import { profileQuery } from "../api/queries.ts";
import { type Connection, followEvents } from "../api/stream.ts";
import { announce } from "../ui/announcer.tsx";
import { groups } from "../ui/code.tsx";
import { recipientText } from "../ui/phone.ts";
import { notify, notifyState } from "./notify.ts";
import { countUnread } from "./unread.ts";

const tellOf = (passcodes: readonly Passcode[]): void => {
  const passcode = passcodes.at(-1);
  if (passcode === undefined) return;
  const { appId, userId, to, code } = passcode;
  const name = cache.getQueryData(profileQuery(appId, userId).queryKey)?.name ?? recipientText(to);
  announce(`New code for ${name}: ${groups(code).join(" ")}`);
  countUnread(passcodes);
  notify(passcodes, name, () => navigate(`/inbox/${passcode.id}`));
};

/** Keeps the page current by the server's events. @returns how the connection is. */
export const useLive = (): Connection => {
  const [connection, setConnection] = useState<Connection>("connecting");
  useEffect(() => {
    watchNewPasscodes(tellOf);
    const endWatch = watchWhileHidden(countUnread);
    const endEvents = followEvents({ onConnection: setConnection, staysOpen: () => notifyState() === "on" });
    return () => {
      endWatch();
      endEvents();
    };
  }, []);
  return connection;
};
