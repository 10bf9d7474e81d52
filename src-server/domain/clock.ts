/** The service clock: real time, offset or frozen, globally or for one app. */
import type { ClockInput, ClockItem, FixtureClock } from "#contract/control/clock.ts";
import { type EpochMs, epochMs, isoInstant, LAST_EPOCH_MS } from "#contract/scalars.ts";
import { invalid } from "#contract/service/problems.ts";
import type { AppRecord, ClockRecord } from "#contract/service/records.ts";
import type { FieldErrors } from "#contract/validation.ts";
import { Changes, type Decision } from "./decision.ts";
import { FIRST_INSTANT, isDeterministic } from "./deterministic.ts";
import type { AppWorld, Env, World } from "./world.ts";

/** Real time. */
export const REAL_CLOCK: ClockRecord = { offsetMs: 0, frozenAtMs: null };

/** What the time of an app depends on, apart from its clock. */
type Timed = Pick<AppRecord, "settings" | "steps">;

/** @returns machine time; for a deterministic app its own, which advances by 1 ms with each transaction. */
const runningTime = (app: Timed | undefined, realMs: number): number =>
  isDeterministic(app) ? FIRST_INSTANT + (app?.steps ?? 0) : realMs;

/**
 * @param realMs machine time in milliseconds since 1970. @param app that follows the clock, if one does.
 * @returns the time on the clock.
 */
export const clockReading = (clock: ClockRecord, realMs: number, app?: Timed): EpochMs =>
  epochMs(clock.frozenAtMs ?? runningTime(app, realMs) + clock.offsetMs);

/** @returns the clock of an app: its own, or else the global one. */
export const clockOf = (world: World, app: AppWorld | undefined): ClockRecord => app?.clock ?? world.clock;

/** @param realMs machine time in milliseconds since 1970. @returns the time of an app, or of the global clock. */
export const timeOf = (world: World, app: AppWorld | undefined, realMs: number): EpochMs =>
  clockReading(clockOf(world, app), realMs, app?.app);

/** @returns the time at which an app with these settings is created. */
export const timeOfNewApp = (world: World, settings: AppRecord["settings"], env: Pick<Env, "now">): EpochMs =>
  isDeterministic({ settings }) ? clockReading(world.clock, 0, { settings }) : env.now();

const beyond = (ms: number): boolean => ms < 0 || ms > LAST_EPOCH_MS;
const OUT_OF_RANGE = ["must leave the clock between 1970 and the year 9999"] as const;

/** @returns the clock of a fixture, or of a body. */
export const clockGiven = ({ offsetSeconds = 0, frozenAt = null, ...record }: FixtureClock): ClockRecord => ({
  offsetMs: Math.round(offsetSeconds * 1000),
  frozenAtMs: frozenAt === null ? null : Date.parse(frozenAt),
  ...record,
});

/** @see clockReading @returns what is wrong with a clock, by field. */
export const clockErrors = ({ offsetMs, frozenAtMs }: ClockRecord, realMs: number, app?: Timed): FieldErrors => ({
  ...(frozenAtMs !== null && beyond(frozenAtMs) && { frozenAt: OUT_OF_RANGE }),
  ...(beyond(runningTime(app, realMs) + offsetMs) && { offsetSeconds: OUT_OF_RANGE }),
});

/** @returns whether two clocks are set alike. */
export const isSameClock = (a: ClockRecord, b: ClockRecord): boolean =>
  a.offsetMs === b.offsetMs && a.frozenAtMs === b.frozenAtMs;

/** @returns whether the clock shows real time. */
const isReal = (clock: ClockRecord): boolean => isSameClock(clock, REAL_CLOCK);

/** Sets a clock; `{}` means real time. @param frozenAt in ISO. @param realMs machine time in milliseconds since 1970. */
export const setClock = (
  world: World,
  app: AppWorld | undefined,
  input: ClockInput,
  realMs: number,
): Decision<ClockRecord> => {
  const record = clockGiven(input);
  const errors = clockErrors(record, realMs, app?.app);
  if (Object.keys(errors).length > 0) return invalid(errors);
  const changes = new Changes(world);
  // An app in real time needs no clock of its own while the global clock is in real time too.
  if (app !== undefined) changes.putClock(app.app.appId, isReal(record) && isReal(world.clock) ? null : record);
  else {
    changes.putClock(null, record);
    // Setting the global clock makes every app follow it again.
    for (const { app: own, clock } of world.apps) if (clock !== null) changes.putClock(own.appId, null);
  }
  return changes.decided(record);
};

const advanced = ({ offsetMs, frozenAtMs }: ClockRecord, ms: number): ClockRecord =>
  frozenAtMs === null ? { offsetMs: offsetMs + ms, frozenAtMs } : { offsetMs, frozenAtMs: frozenAtMs + ms };

/** Moves a clock by seconds; a frozen one stays frozen. The global clock moves every app's own clock too. */
export const advanceClock = (
  world: World,
  app: AppWorld | undefined,
  seconds: number,
  realMs: number,
): Decision<ClockRecord> => {
  const ms = Math.round(seconds * 1000);
  const outside = ({ frozenAtMs, offsetMs }: ClockRecord, of: AppWorld | undefined): boolean =>
    beyond(frozenAtMs ?? runningTime(of?.app, realMs) + offsetMs);
  const after = advanced(clockOf(world, app), ms);
  const changes = new Changes(world);
  const others = app === undefined ? world.apps.filter(({ clock }) => clock !== null) : [];
  for (const one of [app, ...others]) {
    const moved = advanced(clockOf(world, one), ms);
    if (outside(moved, one)) return invalid({ seconds: OUT_OF_RANGE });
    changes.putClock(one?.app.appId ?? null, moved);
  }
  return changes.decided(after);
};

/**
 * @param thenMs machine time of an earlier moment in milliseconds since 1970. @param realMs that of now.
 * @returns the clock with which the app shows again what this one showed at that moment.
 */
export const clockShownAgain = (clock: ClockRecord, app: AppRecord, thenMs: number, realMs: number): ClockRecord =>
  clock.frozenAtMs !== null || isDeterministic(app)
    ? clock
    : { offsetMs: clockReading(clock, thenMs) - realMs, frozenAtMs: null };

/** @returns how many seconds a clock is ahead (negative: behind); undefined in real time. @see timeOf */
export const clockOffset = (world: World, app: AppWorld | undefined, realMs: number): number | undefined => {
  if (isReal(clockOf(world, app)) && !isDeterministic(app?.app)) return undefined;
  return Math.round((timeOf(world, app, realMs) - realMs) / 1000);
};

/** @returns a clock of another moment in the form of the control API; null: the app followed the global one. */
export const clockShown = (clock: ClockRecord | null) =>
  clock && {
    offsetSeconds: clock.offsetMs / 1000,
    frozenAt: clock.frozenAtMs === null ? null : isoInstant(epochMs(clock.frozenAtMs)),
  };

/** @returns a clock in the form of the control API; that of a deterministic app is shown as frozen. @see timeOf */
export const clockItem = (clock: ClockRecord, app: AppRecord | undefined, realMs: number): ClockItem => {
  const now = isoInstant(clockReading(clock, realMs, app));
  const isStanding = clock.frozenAtMs !== null || isDeterministic(app);
  return { now, offsetSeconds: clock.offsetMs / 1000, frozenAt: isStanding ? now : null };
};
