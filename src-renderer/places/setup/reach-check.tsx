/** The live checklist from a device to its first request: each step shows whether it is done, and what to do next. */

import { Box, Group, Paper } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link } from "wouter";
import type { RequestRow } from "#client/index.ts";
import { requestsQuery } from "../../api/queries.ts";
import { clientsQuery, reachQuery } from "../../shared/network/queries.ts";
import type { OfTarget } from "../../shared/network/targets.ts";
import { reachedBy, remoteOf, type Target } from "../../shared/network/targets.ts";
import { ActionButton, announce } from "../../ui/action.tsx";
import { BulletList, RelativeTime, StatusMark } from "../../ui/parts.tsx";
import { deviceWords } from "../../ui/words.ts";
import { type ReachFinding, reachFindings, trustOf } from "./steps.ts";

const ROWS = 100;
const ON_AUTH = { listener: "auth" } as const;

const Step = ({ tone, title, next }: ReachFinding) => (
  <Box mt={8}>
    <StatusMark tone={tone}>
      <bdi>{title}</bdi>
    </StatusMark>
    {next !== undefined && <p className="dim">{next}</p>}
  </Box>
);

/** Checks whether the ports are reachable for the target. */
const OpenSteps = ({ target }: { readonly target: Target }) => {
  const { data, isFetching, refetch } = useQuery(reachQuery());
  const findings = reachFindings(target, data?.items ?? []);
  return (
    <Group justify="space-between" align="flex-start" wrap="nowrap" data-testid="open">
      <div>
        {data !== undefined && findings.length === 0 && (
          <Step
            tone="warn"
            title="The local network is closed"
            next="Allow devices on this network, with the switch above."
          />
        )}
        {findings.map((finding) => (
          <Step key={finding.title} {...finding} />
        ))}
      </div>
      <Box flex="none">
        <ActionButton label={isFetching ? "Checking…" : "Check again"} act={() => refetch()} says="Checked" />
      </Box>
    </Group>
  );
};

/** Shows how to fix a refused call. */
const Refused = ({ row }: { readonly row: RequestRow }) => (
  <Box mt={8} data-testid="refused">
    <StatusMark tone="bad">Last call failed</StatusMark>
    <BulletList items={row.advice.map(({ text }) => text)} />
  </Box>
);

const Device = ({ userAgent }: { readonly userAgent: string }) => <bdi title={userAgent}>{deviceWords(userAgent)}</bdi>;

interface ConnectedProps {
  readonly row: RequestRow;
  readonly isDevice: boolean;
}

/** The connected client, and the result of its calls. */
const Connected = ({ row, isDevice }: ConnectedProps) => (
  <>
    <StatusMark tone="ok">{isDevice ? "A device has connected" : "A client on this machine has connected"}</StatusMark>
    <p className="dim">
      <Device userAgent={String(row.request.headers["user-agent"] ?? "")} /> from{" "}
      {isDevice ? remoteOf(row) : "this machine, or an Android emulator on it"},{" "}
      <RelativeTime instant={row.at} appId={row.appId} />:{" "}
      <Link className="link" href={`/requests/${row.id}`}>
        <span className="mono">
          {row.method} {row.path.split("?")[0]} {row.status}
        </span>
      </Link>
    </p>
    {row.status === 202 && (
      <Link className="link" href="/codes">
        Read it in Codes
      </Link>
    )}
    {row.status >= 400 && row.fault === null && <Refused row={row} />}
  </>
);

/** The steps to a first request: open, connected, trusted. */
export const ReachCheck = ({ target, isSecure }: Omit<OfTarget, "appId">) => {
  const { data } = useQuery(requestsQuery(ON_AUTH, ROWS));
  const clients = useQuery({ ...clientsQuery(), enabled: isSecure }).data?.items ?? [];
  const [lastBefore, setLastBefore] = useState<string | null>();
  const rows = data?.items ?? [];
  // Remembers the newest request at the time the page was opened, from the first response.
  if (data !== undefined && lastBefore === undefined) setLastBefore(rows[0]?.id ?? null);
  const { by, row } = reachedBy(rows, lastBefore ?? null);
  useEffect(() => {
    if (by !== "nobody") announce("A client has connected");
  }, [by]);
  return (
    <Paper withBorder px={16} py={12} mt={16} data-testid="reach" data-by={by}>
      <OpenSteps target={target} />
      <Box mt={8}>
        {row === undefined ? (
          <Step
            tone="warn"
            title={rows.length === 0 ? "No requests yet" : "No requests since this page was opened"}
            next="Request a code in your app: the request appears here. To check only the connection, open the base URL with /emulator/hello in the device’s browser."
          />
        ) : (
          <Connected row={row} isDevice={by === "device"} />
        )}
      </Box>
      {isSecure && target !== null && (
        <div data-testid="trust">
          <Step {...trustOf(clients, target === "phone")} />
        </div>
      )}
    </Paper>
  );
};
