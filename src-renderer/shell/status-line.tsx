import { Box, Group, Stack, UnstyledButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { many } from "#contract/words.ts";
import { useClock, useOddClock } from "../api/clock.ts";
import { clockQuery, faultList, isOn, statusQuery, useApps } from "../api/queries.ts";
import type { Connection } from "../api/stream.ts";
import { STEPS, useClockChange } from "../features/clock/clock-change.tsx";
import { concerns } from "../features/faults/fault-words.ts";
import { closeDialog, complain, openDialog, TextButton } from "../ui/action.tsx";
import { useAddress } from "../ui/address.ts";
import { CodeBlock } from "../ui/code.tsx";
import { StatusMark, useNow } from "../ui/parts.tsx";
import type { Tone } from "../ui/tones.ts";
import { exactWords, shiftWords } from "../ui/words.ts";
import classes from "./shell.module.css";

const Clock = () => {
  const { address, hrefTo } = useAddress();
  const odd = useOddClock(address.app);
  const appId = odd?.appId ?? null;
  const { appName } = useApps();
  const ofAll = useQuery(clockQuery(null)).data;
  const nowMs = useNow(appId);
  const change = useClockChange();
  const back = (): void => change.mutate({ appId, step: STEPS.real }, { onSuccess: closeDialog });
  if (odd === null) return <p>The clock shows real time.</p>;
  const shared = appId !== null && ofAll?.frozenAt === odd.frozenAt && ofAll.offsetSeconds === odd.offsetSeconds;
  return (
    <Stack align="flex-start">
      <p>
        {appId === null ? "The clock of all apps" : <bdi>The clock of {appName(appId)}</bdi>} shows{" "}
        <strong>{exactWords(new Date(nowMs).toISOString())}</strong>
        {odd.frozenAt === null ? `: real time ${shiftWords(odd.offsetSeconds)}.` : ", frozen."} Codes and sessions
        expire by this clock.
      </p>
      {shared && <p>The other apps use the same time. This resets only this app’s clock.</p>}
      <Group>
        <TextButton
          variant="filled"
          data-autofocus
          loading={change.isPending}
          onClick={back}
          label="Back to real time"
        />
        <TextButton href={hrefTo("clock", { app: appId ?? address.app })} onClick={closeDialog} label="Open Clock" />
      </Group>
    </Stack>
  );
};

const openClockDialog = (): void => openDialog("The clock is not real", <Clock />);

const openMemoryDialog = (): void =>
  openDialog(
    "Data only in memory",
    <Stack align="flex-start">
      <p>
        Stagedoor was started with --ephemeral or --durability memory: profiles, codes and sessions are lost when it
        stops. To keep them on this machine, restart with:
      </p>
      <CodeBlock what="Command" text="npm start" />
    </Stack>,
  );

const CONNECTIONS: Readonly<Record<Connection, readonly [tone: Tone, word: string]>> = {
  connecting: ["quiet", "Connecting"],
  open: ["ok", "Running"],
  away: ["bad", "Disconnected"],
};

/** The clock, if the server has one. If it is not real, a click returns to real time. */
const ClockMark = () => {
  const { address, hrefTo } = useAddress();
  const known = useClock(null) !== null;
  const odd = useOddClock(address.app);
  const { appName } = useApps();
  if (!known) return null;
  if (odd === null)
    return (
      <Link className="mantine-visible-from-sm" href={hrefTo("clock")}>
        Real time
      </Link>
    );
  const whose = address.app === null && odd.appId !== null && appName(odd.appId);
  return (
    <UnstyledButton className={classes["mark"] ?? ""} onClick={openClockDialog}>
      Clock{whose && <bdi> of {whose}</bdi>}{" "}
      {odd.frozenAt === null ? shiftWords(odd.offsetSeconds) : `frozen at ${exactWords(odd.frozenAt)}`}
    </UnstyledButton>
  );
};

/** Shows that the weather is not calm; a click says more, and turns it off. */
const WeatherMark = () => {
  const { address } = useAddress();
  const on = useQuery(faultList.query(null)).data?.items.filter((fault) => concerns(fault, address.app)) ?? [];
  const names = [...new Set(on.flatMap(({ weather }) => (weather === undefined ? [] : [weather.name])))];
  const open = (): void => void import("../features/faults/weather.tsx").then((it) => it.openWeatherDialog(), complain);
  return (
    names.length > 0 && (
      <UnstyledButton className={classes["mark"] ?? ""} aria-label={`Weather: ${names.join(", ")}`} onClick={open}>
        <span className="mantine-visible-from-sm">Weather: </span>
        {names.join(", ")}
      </UnstyledButton>
    )
  );
};

/** Shows that faults are active, in any app, so that nobody wonders why a response is wrong. */
const FaultsMark = () => {
  const { address, hrefTo } = useAddress();
  const on =
    useQuery(faultList.query(null)).data?.items.filter((fault) => isOn(fault) && fault.weather === undefined) ?? [];
  if (on.length === 0) return null;
  // If none of them applies to the current app, show them for all apps.
  const app = on.some(({ match }) => match.appId === undefined || match.appId === address.app) ? address.app : null;
  return (
    <Link className={classes["mark"]} href={hrefTo("faults", { app })}>
      {many(on.length, "fault")} on
    </Link>
  );
};

/** Server, clock, faults and storage; what must not be missed is coloured. */
export const StatusLine = ({ connection }: { readonly connection: Connection }) => {
  const { data: status } = useQuery(statusQuery());
  const { address, hrefTo } = useAddress();
  const { appOf } = useApps();
  const [tone, word] = CONNECTIONS[connection];
  const openLan = (): void =>
    void import("../features/connect/network-switches.tsx").then((it) => it.openLanDialog(), complain);
  const isOpen = (status?.urls.lan.length ?? 0) > 0;
  return (
    <footer className={classes["status"]}>
      <StatusMark tone={tone}>
        <span data-testid="connection">{word}</span>
      </StatusMark>
      {status && connection !== "away" && (
        <>
          <Link
            className="mono mantine-visible-from-sm"
            href={hrefTo("connect")}
            aria-label={`Auth URL ${status.urls.auth}, to Connect`}
          >
            {new URL(status.urls.auth).host}
          </Link>
          <UnstyledButton className={(isOpen ? classes["mark"] : "mantine-visible-from-sm") ?? ""} onClick={openLan}>
            {isOpen ? "LAN open" : "LAN off"}
          </UnstyledButton>
          <ClockMark />
          <FaultsMark />
          <WeatherMark />
          <Box component="span" ms="auto" visibleFrom="sm">
            {many((appOf(address.app) ?? status).counts.profiles, "profile")}
          </Box>
          {status.durability === "memory" ? (
            <UnstyledButton className={classes["mark"] ?? ""} onClick={openMemoryDialog}>
              Data only in memory
            </UnstyledButton>
          ) : (
            <span title={status.dataDir ?? undefined}>Saved</span>
          )}
        </>
      )}
    </footer>
  );
};
