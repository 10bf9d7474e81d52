/** The service clock: real time, offset or frozen, globally or for one app (CONTRACT 6). */
import type { ClockItem } from "#contract/clock.ts";
import { invalid } from "#contract/problems.ts";
import type { AppRecord, ClockRecord } from "#contract/records.ts";
import { type EpochMs, epochMs, isoInstant, LAST_EPOCH_MS } from "#contract/scalars.ts";
import { Changes, type Decision } from "./decision.ts";
import { runningTime, seedOf } from "./deterministic.ts";
import type { AppWorld, World } from "./world.ts";

/** Real time. */
export const REAL_CLOCK: ClockRecord = { offsetMs: 0, frozenAtMs: null };

/** @param realMs machine time in milliseconds since 1970. @returns the time on the clock. */
export const clockReading = (clock: ClockRecord, realMs: number): EpochMs =>
  epochMs(clock.frozenAtMs ?? realMs + clock.offsetMs);

/** @returns the clock of an app: its own, or else the global one. */
export const clockOf = (world: World, app: AppWorld | undefined): ClockRecord => app?.clock ?? world.clock;

/** @param realMs machine time in milliseconds since 1970. @returns the time of an app, or of the global clock. */
export const timeOf = (world: World, app: AppWorld | undefined, realMs: number): EpochMs =>
  clockReading(clockOf(world, app), runningTime(app?.app, realMs));

/** The requested setting of a clock; `frozenAt` in ISO, null or absent if it runs. */
export interface ClockSetting {
  readonly offsetSeconds?: number;
  readonly frozenAt?: string | null;
}

const beyond = (ms: number): boolean => ms < 0 || ms > LAST_EPOCH_MS;
const OUT_OF_RANGE = ["must leave the clock between 1970 and the year 9999"];

/** @returns whether the clock shows real time. */
export const isReal = (clock: ClockRecord): boolean => clock.offsetMs === 0 && clock.frozenAtMs === null;

const putClock = (world: World, app: AppWorld | undefined, record: ClockRecord): Decision<ClockRecord> => {
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

/** Sets a clock; `{}` means real time. @param realMs machine time in milliseconds since 1970. */
export const setClock = (
  world: World,
  app: AppWorld | undefined,
  setting: ClockSetting,
  realMs: number,
): Decision<ClockRecord> => {
  const offsetMs = Math.round((setting.offsetSeconds ?? 0) * 1000);
  const frozenAtMs = typeof setting.frozenAt === "string" ? Date.parse(setting.frozenAt) : null;
  if (frozenAtMs !== null && beyond(frozenAtMs)) return invalid({ frozenAt: OUT_OF_RANGE });
  if (beyond(runningTime(app?.app, realMs) + offsetMs)) return invalid({ offsetSeconds: OUT_OF_RANGE });
  return putClock(world, app, { offsetMs, frozenAtMs });
};

const advanced = (before: ClockRecord, ms: number): ClockRecord =>
  before.frozenAtMs === null
    ? { offsetMs: before.offsetMs + ms, frozenAtMs: null }
    : { offsetMs: before.offsetMs, frozenAtMs: before.frozenAtMs + ms };

/**
 * Moves a clock forward by seconds, or back when negative; a frozen clock stays frozen at the new time. Moving the
 * global clock moves every app's own clock too.
 */
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
  if (outside(after, app)) return invalid({ seconds: OUT_OF_RANGE });
  const changes = new Changes(world);
  changes.putClock(app?.app.appId ?? null, after);
  for (const own of app === undefined ? world.apps : []) {
    if (own.clock === null) continue;
    const moved = advanced(own.clock, ms);
    if (outside(moved, own)) return invalid({ seconds: OUT_OF_RANGE });
    changes.putClock(own.app.appId, moved);
  }
  return changes.decided(after);
};

/**
 * @param app undefined: the global clock. @param realMs machine time in milliseconds since 1970.
 * @returns how many whole seconds it is ahead of real time (negative: behind); undefined if it shows real time.
 */
export const clockOffset = (world: World, app: AppWorld | undefined, realMs: number): number | undefined => {
  const isDeterministic = app !== undefined && seedOf(app.app) !== undefined;
  if (isReal(clockOf(world, app)) && !isDeterministic) return undefined;
  return Math.round((timeOf(world, app, realMs) - realMs) / 1000);
};

/**
 * @returns a clock in the form of the control API; the clock of a deterministic app is shown as frozen.
 * @param app undefined: the global clock. @param realMs machine time in milliseconds since 1970.
 */
export const clockItem = (clock: ClockRecord, app: AppRecord | undefined, realMs: number): ClockItem => {
  const now = isoInstant(clockReading(clock, runningTime(app, realMs)));
  const isStanding = clock.frozenAtMs !== null || (app !== undefined && seedOf(app) !== undefined);
  return { now, offsetSeconds: clock.offsetMs / 1000, frozenAt: isStanding ? now : null };
};
