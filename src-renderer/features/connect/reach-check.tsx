import { Paper } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link } from "wouter";
import type { RequestRow } from "#client/index.ts";
import { requestsQuery } from "../../api/queries.ts";
import { announce } from "../../ui/announcer.tsx";
import { deviceWords } from "../../ui/device-words.ts";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { StatusMark } from "../../ui/status-mark.tsx";
import { reachedBy, remoteOf, userAgentOf } from "./reach.ts";

const ROWS = 100;
const ON_AUTH = { listener: "auth" } as const;

const Who = ({ row, from }: { readonly row: RequestRow; readonly from: string }) => (
  <p className="dim">
    <bdi title={userAgentOf(row) ?? undefined}>{deviceWords(userAgentOf(row))}</bdi> {from},{" "}
    <RelativeTime instant={row.at} appId={row.appId} />:{" "}
    <Link className="link" href={`/requests/${row.id}`}>
      <span className="mono">
        {row.method} {row.path.split("?")[0]} {row.status}
      </span>
    </Link>
  </p>
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
    if (reached.by !== "nobody") announce("A client has connected");
  }, [reached.by]);
  const words = () => {
    switch (reached.by) {
      case "device":
        return (
          <>
            <StatusMark tone="ok">A device has connected</StatusMark>
            <Who row={reached.row} from={`from ${remoteOf(reached.row)}`} />
          </>
        );
      case "here":
        return (
          <>
            <StatusMark tone="ok">A client on this machine has connected</StatusMark>
            <Who row={reached.row} from="from this machine, or an emulator on it" />
          </>
        );
      case "nobody":
        return (
          <>
            <StatusMark tone="warn">
              {rows.length === 0 ? "No requests yet" : "No requests since this page was opened"}
            </StatusMark>
            <p className="dim">
              Open the base URL in the device’s browser, or request a code in the app. It shows up here at once.
            </p>
          </>
        );
    }
  };
  return (
    <Paper withBorder px={16} py={12} mt={16} data-testid="reach" data-by={reached.by}>
      {words()}
    </Paper>
  );
};
