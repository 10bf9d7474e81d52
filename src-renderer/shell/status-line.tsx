import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { useClock } from "../api/clock.ts";
import type { Connection } from "../api/events.ts";
import { statusQuery } from "../api/queries.ts";
import { useAddress } from "../ui/address.ts";
import { exactWords, shiftWords } from "../ui/time-words.ts";
import classes from "./status-line.module.css";

const CONNECTION_WORDS: Readonly<Record<Connection, string>> = {
  connecting: "Connecting",
  open: "Running",
  away: "Away",
};

/** The words on the clock: only where the server has one to show. */
const ClockMark = () => {
  const { address } = useAddress();
  const clock = useClock(address.app);
  if (clock === null) return null;
  if (clock.frozenAt !== null)
    return <span className={classes.mark}>Clock stands at {exactWords(clock.frozenAt)}</span>;
  if (clock.offsetSeconds !== 0) return <span className={classes.mark}>Clock {shiftWords(clock.offsetSeconds)}</span>;
  return <span className={classes.aside}>Clock real</span>;
};

/** Server, clock, and what is kept: what must not be missed is coloured. */
export const StatusLine = ({ connection }: { readonly connection: Connection }) => {
  const { data: status } = useQuery(statusQuery());
  const { hrefWith } = useAddress();
  return (
    <footer className={classes.line}>
      <span className={classes.server}>
        <span className={classes.dot} data-connection={connection} aria-hidden="true" />
        <span data-testid="connection">{CONNECTION_WORDS[connection]}</span>
      </span>
      {status && (
        <>
          <Link
            className={`mono ${classes.url}`}
            href={hrefWith({ screen: "connect", id: null, show: null, q: "" })}
            aria-label={`Auth URL ${status.urls.auth}, to Connect`}
          >
            {new URL(status.urls.auth).host}
          </Link>
          <span className={status.urls.lan.length > 0 ? classes.mark : classes.aside}>
            {status.urls.lan.length > 0 ? "LAN open" : "LAN off"}
          </span>
          <ClockMark />
          <span className={classes.end}>
            {status.counts.profiles === 1 ? "1 profile" : `${status.counts.profiles.toLocaleString("en")} profiles`}
          </span>
          {status.durability === "memory" ? (
            <span className={classes.mark}>Data only in memory</span>
          ) : (
            <span title={status.dataDir ?? undefined}>Saved</span>
          )}
        </>
      )}
    </footer>
  );
};
