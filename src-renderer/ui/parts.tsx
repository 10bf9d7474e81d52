/** Small parts of rows, panels and pages: names and values, lines, chips, marks, times. */
import { Group } from "@mantine/core";
import { useInterval } from "@mantine/hooks";
import { type PropsWithChildren, type ReactNode, useEffect } from "react";
import { Link } from "wouter";
import { create } from "zustand";
import { serverTime, useOddClock, watchClocks } from "../api/clock.ts";
import { shownOf, useAddress } from "./address.ts";
import classes from "./parts.module.css";
import { TONES, type Tone } from "./tones.ts";
import { agoWords, clockWords, exactWords, leftWords } from "./words.ts";

/** One name and its value. */
export const Fact = ({ name, children }: { readonly name: ReactNode; readonly children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

interface FactsProps {
  /** Values by name; null, undefined and false are omitted. */
  readonly of?: Readonly<Record<string, ReactNode>>;
  readonly children?: ReactNode;
  /** The width of the names in pixels. */
  readonly names?: number;
  readonly ruled?: boolean;
}

/** Names and values, one pair per line. */
export const Facts = ({ of = {}, children, names = 88, ruled = false }: FactsProps) => (
  <dl className={classes["facts"]} data-ruled={ruled || undefined} style={{ "--names": `${names}px` }}>
    {Object.entries(of)
      .filter(([, value]) => (value ?? false) !== false)
      .map(([name, value]) => (
        <Fact key={name} name={name}>
          {value}
        </Fact>
      ))}
    {children}
  </dl>
);

interface LinesProps {
  /** The accessible name of the list, if its heading is not enough. */
  readonly label?: string;
  /** The columns in CSS: `128px minmax(0, 1fr) auto`. */
  readonly columns: string;
  /** The columns on a phone, if others. */
  readonly narrow?: string;
  /** `li` elements with one child per cell; `data-whole` gives a cell its own line. */
  readonly children: ReactNode;
}

/** A short list on a page or in a panel: rows with columns, between hairlines. */
export const Lines = ({ label, columns, narrow = columns, children }: LinesProps) => (
  <ul className={classes["lines"]} aria-label={label} style={{ "--wide": columns, "--narrow": narrow }}>
    {children}
  </ul>
);

/** Texts of a request or a person, with bullets. */
export const BulletList = ({ items }: { readonly items: readonly string[] }) => (
  <ul className="bullets">
    {items.map((item) => (
      <li key={item}>
        <bdi>{item}</bdi>
      </li>
    ))}
  </ul>
);

/** Rows that are links or buttons, with a name on the left and a state on the right. */
export const LinkLines = ({ label, children }: Pick<LinesProps, "label" | "children">) => (
  <ul className={classes["links"]} aria-label={label}>
    {children}
  </ul>
);

/** A tag next to a name: the strategy of an app, a fixed code. */
export const Pill = ({ children, warn = false }: PropsWithChildren<{ readonly warn?: boolean }>) => (
  <span className={classes["pill"]} data-warn={warn || undefined}>
    {children}
  </span>
);

interface FilterChipsProps {
  readonly label: string;
  /** Value in the URL (null: no filter), label, and how many there are, if that is worth saying. */
  readonly choices: readonly (readonly [value: string | null, word: string, count?: number])[];
  /** Whether to keep the selection; otherwise the detail could show a row that the filter hides. */
  readonly keepId?: boolean;
}

/** The filters of a list; the selected one is in the URL. */
export const FilterChips = ({ label, choices, keepId = false }: FilterChipsProps) => {
  const { address, hrefWith } = useAddress();
  const shown = shownOf(
    address.show,
    choices.map(([value]) => value),
  );
  return (
    <Group component="nav" gap={16} wrap="nowrap" aria-label={label}>
      {choices.map(([value, word, count = 0]) => (
        <Link
          key={word}
          href={hrefWith({ show: value, ...(!keepId && { id: null }) })}
          className={classes["filter"]}
          aria-current={shown === value ? "true" : undefined}
        >
          {word}
          {count > 0 && <span className="small"> {count}</span>}
        </Link>
      ))}
    </Group>
  );
};

/** A dot, or a pie of the remaining `share` in percent, and a word: coloured if it needs someone, dim if all is well. */
export const StatusMark = ({ tone, share, children }: PropsWithChildren<{ tone: Tone; share?: number }>) => (
  <span
    className="mark"
    data-tone={share === undefined ? tone : "info"}
    data-pie={share === undefined ? undefined : true}
  >
    <span style={{ "--tone": TONES[tone][0], "--share": `${share ?? 100}%` }} aria-hidden="true" />
    <span>{children}</span>
  </span>
);

/** A countdown is urgent in its last quarter. */
const URGENT = 0.25;
/** Minimum size of the pie in percent, so that it stays visible until the end. */
const LEAST_SHOWN = 3;

interface CountdownProps {
  readonly nowMs: number;
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** @returns what remains of a lifetime: colour, share in percent, and text. */
export const lifeLeft = ({ nowMs, createdAt, expiresAt }: CountdownProps) => {
  const whole = Math.max(1, Date.parse(expiresAt) - Date.parse(createdAt));
  // This page's clock ticks once a second, and can lag behind the server's.
  const left = Math.min(whole, Math.max(0, Date.parse(expiresAt) - nowMs));
  return {
    tone: left / whole < URGENT ? ("warn" as const) : ("ok" as const),
    share: Math.max(LEAST_SHOWN, Math.round((left / whole) * 100)),
    children: `${leftWords(left)} left`,
  };
};

/** The remaining time as a pie and a text. */
export const Countdown = (props: CountdownProps) => <StatusMark {...lifeLeft(props)} />;

const TICK_MS = 1_000;
const useTime = create<{ readonly nowMs: number }>(() => ({ nowMs: Date.now() }));
const tick = (): void => useTime.setState({ nowMs: Date.now() });

/** Starts the one timer of all countdowns, so that they tick together; also updates on clock changes. */
export const useTicks = (): void => {
  useOddClock(useAddress().address.app);
  useInterval(tick, TICK_MS, { autoInvoke: true });
  useEffect(() => watchClocks(tick), []);
};

/** @returns the real time in ms since 1970, updated every second. */
export const useRealNow = (): number => useTime().nowMs;

/** @returns the time of an app (all apps: null) in ms since 1970, updated every second. */
export const useNow = (appId: string | null): number => serverTime(appId, useRealNow());

/** How long ago something happened; the exact time on hover. `appId`: whose clock dated it (null: the one of all apps);
 * absent: real time. */
export const RelativeTime = ({ instant, appId }: { readonly instant: string; readonly appId?: string | null }) => {
  const realNow = useRealNow();
  return (
    <time dateTime={instant} title={`${exactWords(instant)} (${instant})`}>
      {agoWords((appId === undefined ? realNow : serverTime(appId, realNow)) - Date.parse(instant))}
    </time>
  );
};

/** A time of day; the full date on hover. */
export const ClockTime = ({ at }: { readonly at: string }) => (
  <time className="mono small" dateTime={at} title={at}>
    {clockWords(at)}
  </time>
);

/** A date and time. */
export const ExactTime = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={at}>
    {exactWords(at)}
  </time>
);
