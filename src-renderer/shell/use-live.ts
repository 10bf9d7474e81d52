import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { type Connection, openEvents } from "../api/events.ts";
import { applyEvents, refetchAll } from "../api/live.ts";
import { profileQuery } from "../api/queries.ts";
import type { Passcode } from "../api/records.ts";
import { announce } from "../ui/announcer.tsx";
import { groups } from "../ui/code.tsx";
import { recipientText } from "../ui/phone.ts";

/** Keeps the page current by the server's events. @returns how the connection is. */
export const useLive = (): Connection => {
  const client = useQueryClient();
  const [connection, setConnection] = useState<Connection>("connecting");
  useEffect(() => {
    const tellOf = ({ appId, userId, to, code }: Passcode): void => {
      const name = client.getQueryData(profileQuery(appId, userId).queryKey)?.name ?? recipientText(to);
      announce(`New code for ${name}: ${groups(code).join(" ")}`);
    };
    return openEvents({
      onEvents: (events) => applyEvents(client, events, tellOf),
      onGap: () => refetchAll(client),
      onConnection: setConnection,
    });
  }, [client]);
  return connection;
};
