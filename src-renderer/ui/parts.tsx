/**
 * The small parts of rows, panels and pages: names and values, lines, chips, marks, times.
 */
import { useInterval } from "@mantine/hooks";
import { type ReactNode, useEffect } from "react";
import { Link } from "wouter";
import { create } from "zustand";
import { serverTime, useOddClock, watchClocks } from "../api/clock.ts";
import { useAddress } from "./address.ts";
import classes from "./parts.module.css";
import { TONES, type Tone } from "./tones.ts";
import { agoWords, clockWords, exactWords, leftWords } from "./words.ts";

interface FactsProps {
  /** Values by their names; what is null, undefined or false is left out. */
  readonly of?: Readonly<Record<string, ReactNode>>;
  /** Further ones, as `Fact`. */
  readonly children?: ReactNode;
  readonly names?: number;
  readonly ruled?: boolean;
}

/** Names and values, one pair a line. */
export const Facts = ({ of = {}, children, names = 88, ruled = false }: FactsProps) => (
  <dl className={classes["facts"]} data-ruled={ruled || undefined} style={{ "--names": `${names}px` }}>
    {Object.entries(of).map(
      ([name, value]) =>
        (value ?? false) !== false && (
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ),
    )}
    {children}
  </dl>
);

/** One name and its value. */
export const Fact = ({ name, children }: { readonly name: ReactNode; readonly children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

interface LinesProps {
  /** Names the list, where its heading does not. */
  readonly label?: string;
  /** The columns, as CSS writes them: `128px minmax(0, 1fr) auto`. */
  readonly columns: string;
  /** The columns on a phone; the same if absent. */
  readonly narrow?: string;
  /** `li` elements with a child for each cell; `data-whole` (`narrow`: in narrow windows) gives a cell a line of its own. */
  readonly children: ReactNode;
}

/** A short list on a page or in a panel: lines between hairlines, in columns. */
export const Lines = ({ label, columns, narrow = columns, children }: LinesProps) => (
  <ul className={classes["lines"]} aria-label={label} style={{ "--wide": columns, "--narrow": narrow }}>
    {children}
  </ul>
);

/** Lines that are links or buttons: what it is at the left, its state at the right. */
export const LinkLines = ({ label, children }: Pick<LinesProps, "label" | "children">) => (
  <ul className={classes["links"]} aria-label={label}>
    {children}
  </ul>
);

/** A row of choices, each a link. */
export const Chips = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <nav className={classes["chips"]} aria-label={label}>
    {children}
  </nav>
);

interface ChipProps {
  readonly href: string;
  readonly chosen: boolean;
  readonly children: ReactNode;
}

/** One choice. */
export const Chip = ({ href, chosen, children }: ChipProps) => (
  <Link href={href} className={classes["chip"]} aria-current={chosen ? "true" : undefined}>
    {children}
  </Link>
);

/** A word beside a name: the strategy of an app, a fixed code. */
export const Pill = ({ children, warn = false }: { readonly children: ReactNode; readonly warn?: boolean }) => (
  <span className={classes["pill"]} data-warn={warn || undefined}>
    {children}
  </span>
);

interface FilterChipsProps {
  readonly label: string;
  /** Value in the address (null: everything) and word. */
  readonly choices: readonly (readonly [value: string | null, word: string])[];
  /** Whether what is selected stays so; a list's detail would be of a row that the filter may hide. */
  readonly keepId?: boolean;
}

/** The filters of a list, as words; the chosen one is in the address. */
export const FilterChips = ({ label, choices, keepId = false }: FilterChipsProps) => {
  const { address, hrefWith } = useAddress();
  return (
    <Chips label={label}>
      {choices.map(([value, word]) => (
        <Chip
          key={word}
          href={hrefWith(keepId ? { show: value } : { show: value, id: null })}
          chosen={address.show === value}
        >
          {word}
        </Chip>
      ))}
    </Chips>
  );
};

interface StatusMarkProps {
  readonly tone: Tone;
  /** What is left, in percent: drawn as a pie. */
  readonly share?: number;
  readonly children: ReactNode;
}

/** A dot and a word. */
export const StatusMark = ({ tone, share = 100, children }: StatusMarkProps) => (
  <span className={`mark${tone === "quiet" ? " dim" : ""}`}>
    <span style={{ "--tone": TONES[tone][0], "--share": `${share}%` }} aria-hidden="true" />
    <span>{children}</span>
  </span>
);

/** A countdown is urgent in its last quarter. */
const URGENT = 0.25;
/** In percent of the pie: as long as there is anything left, there is something to see. */
const LEAST_SHOWN = 3;

interface CountdownProps {
  readonly nowMs: number;
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** @returns what is left of a life: its colour, its share in percent, and the words. */
export const lifeLeft = ({ nowMs, createdAt, expiresAt }: CountdownProps) => {
  const whole = Math.max(1, Date.parse(expiresAt) - Date.parse(createdAt));
  // The clock of this page steps once a second, and may lag behind the one that issued it.
  const left = Math.min(whole, Math.max(0, Date.parse(expiresAt) - nowMs));
  return {
    tone: left / whole < URGENT ? ("warn" as const) : ("ok" as const),
    share: Math.max(LEAST_SHOWN, Math.round((left / whole) * 100)),
    children: `${leftWords(left)} left`,
  };
};

/** The time that is left, as a pie and in words. */
export const Countdown = (props: CountdownProps) => <StatusMark {...lifeLeft(props)} />;

const TICK_MS = 1_000;
const useTime = create<{ readonly nowMs: number }>(() => ({ nowMs: Date.now() }));
const tick = (): void => useTime.setState({ nowMs: Date.now() });

/** Lets time pass on the page: one timer for every countdown, so that they all step together, and by every clock at once. */
export const useTicks = (): void => {
  useOddClock(useAddress().address.app);
  useInterval(tick, TICK_MS, { autoInvoke: true });
  useEffect(() => watchClocks(tick), []);
};

const useRealNow = (): number => useTime().nowMs;

/** @returns the time of an app's clock (all apps: null) in ms since 1970, anew each second. */
export const useNow = (appId: string | null): number => serverTime(appId, useRealNow());

interface RelativeTimeProps {
  readonly instant: string;
  /** Of whose clock (all apps: null); absent: dated by real time, whatever the clocks show. */
  readonly appId?: string | null;
}

/** How long ago something was; the exact time on hover. */
export const RelativeTime = ({ instant, appId }: RelativeTimeProps) => {
  const realNow = useRealNow();
  return (
    <time dateTime={instant} title={`${exactWords(instant)} (${instant})`}>
      {agoWords((appId === undefined ? realNow : serverTime(appId, realNow)) - Date.parse(instant))}
    </time>
  );
};

/** The time of day of something, and all of it on hover. */
export const ClockTime = ({ at }: { readonly at: string }) => (
  <time className="mono small" dateTime={at} title={at}>
    {clockWords(at)}
  </time>
);

/** The day and time of something. */
export const ExactTime = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={at}>
    {exactWords(at)}
  </time>
);
