import { UnstyledButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { useClock, useOddClock } from "../api/clock.ts";
import { appsQuery, faultList, isOn, statusQuery } from "../api/queries.ts";
import type { Connection } from "../api/stream.ts";
import { useAddress } from "../ui/address.ts";
import type { Tone } from "../ui/code-look.ts";
import { StatusMark } from "../ui/status-mark.tsx";
import { exactWords, shiftWords } from "../ui/time-words.ts";
import classes from "./shell.module.css";
import { openClockDialog, openMemoryDialog } from "./status-dialogs.tsx";

const CONNECTION_WORDS: Readonly<Record<Connection, string>> = {
  connecting: "Connecting",
  open: "Running",
  away: "Disconnected",
};

const CONNECTION_TONES: Readonly<Record<Connection, Tone>> = { connecting: "quiet", open: "ok", away: "bad" };

/** The words on the clock: only where the server has one to show. One that is not real is a click from real time. */
const ClockMark = () => {
  const { address, hrefWith } = useAddress();
  const known = useClock(null) !== null;
  const odd = useOddClock(address.app);
  const apps = useQuery(appsQuery()).data?.items ?? [];
  if (!known) return null;
  if (odd === null)
    return (
      <Link className={classes["wide"]} href={hrefWith({ screen: "clock", id: null, show: null, q: "" })}>
        Real time
      </Link>
    );
  const whose = address.app === null && odd.appId !== null ? apps.find(({ appId }) => appId === odd.appId)?.name : null;
  return (
    <UnstyledButton className={classes["mark"] ?? ""} onClick={openClockDialog}>
      Clock{whose && <bdi> of {whose}</bdi>}{" "}
      {odd.frozenAt === null ? shiftWords(odd.offsetSeconds) : `frozen at ${exactWords(odd.frozenAt)}`}
    </UnstyledButton>
  );
};

/** That faults are on, of whichever app: nobody must wonder why an answer is wrong. */
const FaultsMark = () => {
  const { address, hrefWith } = useAddress();
  const on = useQuery(faultList.query(null)).data?.items.filter(isOn) ?? [];
  if (on.length === 0) return null;
  // Where none of them concerns the app that is looked at, they are seen at all apps.
  const app = on.some(({ match }) => match.appId === undefined || match.appId === address.app) ? address.app : null;
  return (
    <Link className={classes["mark"]} href={hrefWith({ screen: "faults", app, id: null, show: null, q: "" })}>
      {on.length === 1 ? "1 fault on" : `${on.length.toLocaleString("en")} faults on`}
    </Link>
  );
};

/** Server, clock, faults, and what is kept: what must not be missed is coloured. */
export const StatusLine = ({ connection }: { readonly connection: Connection }) => {
  const { data: status } = useQuery(statusQuery());
  const { hrefWith } = useAddress();
  return (
    <footer className={classes["status"]}>
      <StatusMark tone={CONNECTION_TONES[connection]}>
        <span data-testid="connection">{CONNECTION_WORDS[connection]}</span>
      </StatusMark>
      {status && connection !== "away" && (
        <>
          <Link
            className={`mono ${classes["wide"]}`}
            href={hrefWith({ screen: "connect", id: null, show: null, q: "" })}
            aria-label={`Auth URL ${status.urls.auth}, to Connect`}
          >
            {new URL(status.urls.auth).host}
          </Link>
          <Link
            className={status.urls.lan.length > 0 ? classes["mark"] : classes["wide"]}
            href={hrefWith({ screen: "connect", id: null, show: "phone", q: "" })}
          >
            {status.urls.lan.length > 0 ? "LAN open" : "LAN off"}
          </Link>
          <ClockMark />
          <FaultsMark />
          <span className={`${classes["end"]} ${classes["wide"]}`}>
            {status.counts.profiles === 1 ? "1 profile" : `${status.counts.profiles.toLocaleString("en")} profiles`}
          </span>
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
