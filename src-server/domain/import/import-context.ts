/** What the parts of one import share (see state-import.ts). */

import { timeInFixture } from "#contract/fixture-time.ts";
import type { AppRecord, ProfileRecord } from "#contract/records.ts";
import { type EpochMs, foldUsername, type IsoInstant } from "#contract/scalars.ts";
import type { FixtureApp } from "#contract/state.ts";
import type { FieldErrors } from "#contract/validation.ts";
import { clockOf, clockReading, REAL_CLOCK } from "../clock.ts";
import type { Changes } from "../decision.ts";
import { isIdTaken, runningTime, seedOf } from "../deterministic.ts";
import type { AppWorld, Env, World } from "../world.ts";

/** Everything that one import needs at hand. */
export interface Import {
  readonly world: World;
  readonly env: Env;
  readonly changes: Changes;
  readonly errors: FieldErrors;
  /** Puts passcodes and sessions, of all apps, in the order that `seq` had where they come from. */
  readonly volatile: { readonly seq: number; readonly put: () => void }[];
}

/** Notes what is wrong with an entry, by its path. */
export const refuse = (into: Import, path: string, text: string): void => {
  const list = into.errors[path];
  if (list === undefined) into.errors[path] = [text];
  else list.push(text);
};

/** One app in the course of its import. */
export interface AppImport {
  /** As it will be. */
  readonly app: AppRecord;
  /** As it was; nothing where it is new or is replaced. */
  readonly before: AppWorld | undefined;
  /** Where it stands in what was sent, such as `apps[0]`. */
  readonly path: string;
  /** The profile of before that has a username, by the strategy that the app will have. */
  readonly holderOf: (username: string) => ProfileRecord | undefined;
  /** Whether an id cannot be that of a new record. */
  readonly isTaken: (id: string) => boolean;
}

/** @returns whether an id belongs to what was there before, or is named by what is sent. */
export const takenIds = (before: AppWorld | undefined, sent: FixtureApp): ((id: string) => boolean) => {
  let named: ReadonlySet<string | undefined> | undefined;
  return (id) => {
    const { profiles = [], passcodes = [], sessions = [], connections = [] } = sent;
    named ??= new Set([
      ...[...profiles, ...connections].map(({ userId }) => userId),
      ...[...passcodes, ...sessions, ...connections].map((record) => record.id?.toLowerCase()),
    ]);
    return named.has(id) || (before !== undefined && isIdTaken(before, id));
  };
};

/** @returns when a new record of an import is made; the time of a deterministic app begins with it. */
export const importTime = ({ world, env }: Import, { app, before }: AppImport): EpochMs => {
  if (seedOf(app) === undefined) return env.now(app.appId);
  return clockReading(before === undefined ? REAL_CLOCK : clockOf(world, before), runningTime(app, 0));
};

/** @returns a time of a fixture; absent too if it lies before 1970, which is noted. @param field its name. */
export const importedTime = <T extends { readonly [F in Field]?: string | null }, Field extends string>(
  into: Import,
  of: AppImport,
  sent: T,
  field: Field,
  path: string,
): IsoInstant | undefined => {
  const text = sent[field];
  if (text === undefined || text === null) return undefined;
  const instant = timeInFixture(text, importTime(into, of));
  if (instant === undefined) refuse(into, `${path}.${field}`, "is before 1970");
  return instant;
};

/** @returns how to find a profile of before: the look-up of the store goes by the strategy of before. */
export const holders = (
  before: AppWorld | undefined,
  { strategy }: AppRecord,
): ((username: string) => ProfileRecord | undefined) => {
  if (before === undefined) return () => undefined;
  if (before.app.strategy === strategy) return (username) => before.profileByUsername(username);
  const byUsername = new Map<string, ProfileRecord>();
  for (const profile of before.profiles) {
    const username = profile[strategy];
    if (username !== null) byUsername.set(foldUsername(username), profile);
  }
  return (username) => byUsername.get(foldUsername(username));
};
