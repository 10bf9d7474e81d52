import { Box, Button, Group, Paper } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { encode } from "uqr";
import { Link } from "wouter";
import type { RequestRow } from "#client/index.ts";
import type { Status } from "#contract/status.ts";
import { emulator } from "../../api/emulator.ts";
import { clientsQuery, requestsQuery, useApps } from "../../api/queries.ts";
import { ActionButton, announce } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { CodeBlock, CopyButton } from "../../ui/code.tsx";
import { FilterChips, Lines, RelativeTime, StatusMark } from "../../ui/parts.tsx";
import { Section } from "../../ui/screen.tsx";
import { deviceWords } from "../../ui/words.ts";
import { useWhatToChange } from "../requests/use-what-to-change.ts";
import { LanSwitch } from "./network-switches.tsx";
import { baseUrls, reachedBy, remoteOf, type Secure, TARGETS, type Target, targetOf, userAgentOf } from "./targets.ts";
import { trustOf } from "./trust.ts";

const ROWS = 100;
const ON_AUTH = { listener: "auth" } as const;

interface ReachCheckProps {
  readonly target: Target;
  readonly isSecure: boolean;
}

/** Whether a device trusts the certificate, and what to do if not. */
const TrustCheck = ({ remote }: { readonly remote: boolean }) => {
  const { data } = useQuery(clientsQuery());
  const { tone, title, next } = trustOf(data?.items ?? [], remote);
  return (
    <Box mt={8} data-testid="trust">
      <StatusMark tone={tone}>
        <bdi>{title}</bdi>
      </StatusMark>
      {next !== undefined && <p className="dim">{next}</p>}
    </Box>
  );
};

/** What a call that was refused has to change. */
const Refused = ({ row }: { readonly row: RequestRow }) => {
  const { apps } = useApps();
  const changes = useWhatToChange(row, apps);
  return (
    <Box mt={8} data-testid="refused">
      <StatusMark tone="bad">Its last call was refused</StatusMark>
      <ul className="bullets">
        {changes.map((words) => (
          <li key={words}>
            <bdi>{words}</bdi>
          </li>
        ))}
      </ul>
    </Box>
  );
};

/** Who has come through, whether it trusts the certificate, and what became of its last call. */
const ReachCheck = ({ target, isSecure }: ReachCheckProps) => {
  const { data } = useQuery(requestsQuery(ON_AUTH, ROWS));
  const [lastBefore, setLastBefore] = useState<string | null>();
  const rows = data?.items ?? [];
  // What the log held when the page was opened; the first answer tells.
  if (data !== undefined && lastBefore === undefined) setLastBefore(rows[0]?.id ?? null);
  const { by, row } = reachedBy(rows, lastBefore ?? null);
  useEffect(() => {
    if (by !== "nobody") announce("A client has connected");
  }, [by]);
  return (
    <Paper withBorder px={16} py={12} mt={16} data-testid="reach" data-by={by}>
      {row === undefined ? (
        <>
          <StatusMark tone="warn">
            {rows.length === 0 ? "No requests yet" : "No requests since this page was opened"}
          </StatusMark>
          <p className="dim">
            Open the base URL in the device’s browser, or request a code in the app. It shows up here at once.
          </p>
        </>
      ) : (
        <>
          <StatusMark tone="ok">
            {by === "device" ? "A device has connected" : "A client on this machine has connected"}
          </StatusMark>
          <p className="dim">
            <bdi title={userAgentOf(row) ?? undefined}>{deviceWords(userAgentOf(row))}</bdi> from{" "}
            {by === "device" ? remoteOf(row) : "this machine, or an emulator on it"},{" "}
            <RelativeTime instant={row.at} appId={row.appId} />:{" "}
            <Link className="link" href={`/requests/${row.id}`}>
              <span className="mono">
                {row.method} {row.path.split("?")[0]} {row.status}
              </span>
            </Link>
          </p>
          {row.status >= 400 && row.fault === null && <Refused row={row} />}
          {row.status === 202 && (
            <p>
              <StatusMark tone="ok">
                A code was sent.{" "}
                <Link className="link" href="/inbox">
                  Read it in the inbox
                </Link>
              </StatusMark>
            </p>
          )}
        </>
      )}
      {isSecure && target !== null && <TrustCheck remote={target === "phone"} />}
    </Paper>
  );
};

/** Modules of white around a QR code, which readers need. */
const BORDER = 2;

/** A URL for the camera of a phone: dark on white in either theme, since not every camera reads the other way round. */
const QrCode = ({ url }: { readonly url: string }) => {
  const { data, size } = encode(url, { border: BORDER, ecc: "M" });
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : []))).join("");
  return (
    <svg
      width={160}
      height={160}
      role="img"
      aria-label={`QR code of ${url}`}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#101216" />
    </svg>
  );
};

/** The URLs of the LAN with the QR code of one of them: a machine may have several addresses, and the phone sees one. */
const LanUrls = ({ lan }: { readonly lan: readonly string[] }) => {
  const [chosen, setChosen] = useState(lan[0] ?? "");
  const url = lan.includes(chosen) ? chosen : (lan[0] ?? "");
  return (
    <Group gap={16} mt={16} align="flex-start">
      <QrCode url={`${url}/emulator/hello`} />
      <Box flex="1 1 240px" className="dim">
        <p>
          Scan it with the phone’s camera. Its browser shows whether the phone got through, how to trust the
          certificate, and a demo app.
        </p>
        {lan.length > 1 && (
          <>
            <p>This machine has several addresses. Try each until the phone gets through.</p>
            <Group mt={8}>
              {lan.map((one) => (
                <Button
                  key={one}
                  className="mono"
                  size="xs"
                  aria-pressed={one === url}
                  bd={one === url ? "1px solid var(--sd-accent)" : undefined}
                  onClick={() => setChosen(one)}
                >
                  {new URL(one).hostname}
                </Button>
              ))}
            </Group>
          </>
        )}
      </Box>
    </Group>
  );
};

/** What is done at a click where the tools of the platform are on this machine. */
const ToolButton = ({ target, isSecure }: { readonly target: Target; readonly isSecure: boolean }) => {
  if (target === "android")
    return (
      <ActionButton label="Run adb reverse" act={() => emulator.connect.adbReverse()} says="adb reverse has run" />
    );
  if (target !== "ios" || !isSecure) return null;
  return (
    <ActionButton
      label="Trust the certificate in the simulator"
      act={() => emulator.connect.simulatorTrust()}
      says="The simulator trusts the certificate"
    />
  );
};

/** The base URLs that fit where the client runs, and whether one has come through. */
export const TargetPart = ({ urls, secure }: Pick<Status, "urls"> & { readonly secure: Secure | undefined }) => {
  const { address } = useAddress();
  const target = targetOf(address.show);
  const [emulator] = baseUrls("android", urls, secure);
  // The address of the emulator is the one that nobody guesses: it is there without a further click.
  const others = target === null && emulator ? [{ ...emulator, use: "For the Android emulator" }] : [];
  return (
    <Section title="Where does your app run?">
      <FilterChips label="Where your app runs" choices={TARGETS} keepId />
      <Lines columns="minmax(0, 1fr) auto">
        {[...baseUrls(target, urls, secure), ...others].map(({ url, use, before }) => (
          <li key={url}>
            <div>
              <span className="mono large">{url}</span>
              <p className="dim">{use}</p>
            </div>
            <CopyButton text={url} what={`Base URL ${url}`} />
            {before !== undefined && (
              <Box data-whole mt={8}>
                <CodeBlock what="adb command" text={before} />
              </Box>
            )}
          </li>
        ))}
      </Lines>
      {target === "phone" && (
        <Box mt={12}>
          <LanSwitch />
          {urls.lan.length > 0 && <LanUrls lan={urls.lan} />}
        </Box>
      )}
      <ToolButton target={target} isSecure={secure !== undefined} />
      <ReachCheck target={target} isSecure={secure !== undefined} />
    </Section>
  );
};
