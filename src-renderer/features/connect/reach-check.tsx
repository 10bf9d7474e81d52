import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link } from "wouter";
import { type RequestRow, requestsQuery } from "../../api/request-log.ts";
import { announce } from "../../ui/announcer.tsx";
import { deviceWords } from "../../ui/device-words.ts";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { StatusMark } from "../../ui/status-mark.tsx";
import { reachedBy, remoteOf, userAgentOf } from "./reach.ts";
import classes from "./reach-check.module.css";

const ROWS = 100;
const ON_AUTH = { listener: "auth" } as const;

const Who = ({ row, from }: { readonly row: RequestRow; readonly from: string }) => (
  <span className={classes.who}>
    <bdi title={userAgentOf(row) ?? undefined}>{deviceWords(userAgentOf(row))}</bdi> {from},{" "}
    <RelativeTime instant={row.at} appId={row.appId} />:{" "}
    <Link className={classes.link} href={`/requests/${row.id}`}>
      <span className="mono">
        {row.method} {row.path.split("?")[0]} {row.status}
      </span>
    </Link>
  </span>
);

/** Says, live, whether a device has reached us yet. */
export const ReachCheck = () => {
  const { data } = useQuery(requestsQuery(ON_AUTH, ROWS));
  const [lastBefore, setLastBefore] = useState<string | null>();
  const rows = data?.items ?? [];
  // What the log held when the page was opened; the first answer tells.
  if (data !== undefined && lastBefore === undefined) setLastBefore(rows[0]?.id ?? null);
  const reached = reachedBy(rows, lastBefore ?? null);
  useEffect(() => {
    if (reached.by !== "nobody") announce("A client has reached Stagedoor");
  }, [reached.by]);
  const words = () => {
    switch (reached.by) {
      case "device":
        return (
          <>
            <StatusMark tone="ok">A device has reached us</StatusMark>
            <Who row={reached.row} from={`from ${remoteOf(reached.row)}`} />
          </>
        );
      case "here":
        return (
          <>
            <StatusMark tone="ok">A client on this machine has reached us</StatusMark>
            <Who row={reached.row} from="from this machine, or an emulator on it" />
          </>
        );
      case "nobody":
        return (
          <>
            <StatusMark tone="warn">
              {rows.length === 0 ? "Nobody has reached us yet" : "Nobody has reached us since this page was opened"}
            </StatusMark>
            <span className={classes.who}>
              Open the base URL in the browser of the device, or let the app ask for a code: it shows here at once.
            </span>
          </>
        );
    }
  };
  return (
    <p className={classes.check} data-testid="reach" data-by={reached.by}>
      {words()}
    </p>
  );
};
