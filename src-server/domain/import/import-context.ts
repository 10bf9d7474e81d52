/** State shared by the parts of an import (see state-import.ts). */

import { timeInFixture } from "#contract/fixture-time.ts";
import type { AppRecord, ProfileRecord } from "#contract/records.ts";
import { type EpochMs, foldUsername, type IsoInstant } from "#contract/scalars.ts";
import type { FixtureApp } from "#contract/state.ts";
import type { FieldErrors } from "#contract/validation.ts";
import { clockOf, clockReading, REAL_CLOCK } from "../clock.ts";
import type { Changes } from "../decision.ts";
import { isIdTaken, runningTime, seedOf } from "../deterministic.ts";
import type { AppWorld, Env, World } from "../world.ts";

/** The context of one import. */
export interface Import {
  readonly world: World;
  readonly env: Env;
  readonly changes: Changes;
  readonly errors: FieldErrors;
  /** Store passcodes and sessions of all apps in the `seq` order of their source. */
  readonly volatile: { readonly seq: number; readonly put: () => void }[];
}

/** Records an error of an entry, by path. */
export const refuse = (into: Import, path: string, text: string): void => {
  const list = into.errors[path];
  if (list === undefined) into.errors[path] = [text];
  else list.push(text);
};

/** An app during its import. */
export interface AppImport {
  /** The app after the import. */
  readonly app: AppRecord;
  /** The app before the import; undefined if it is new or replaced. */
  readonly before: AppWorld | undefined;
  /** Its path in the input, such as `apps[0]`. */
  readonly path: string;
  /** Finds an existing profile by username, under the app's new strategy. */
  readonly holderOf: (username: string) => ProfileRecord | undefined;
  /** Whether a new record cannot have this id. */
  readonly isTaken: (id: string) => boolean;
}

/** @returns a function that tells whether an id exists already or is used in the input. */
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

/** @returns the creation time of new records; a deterministic app starts with it. */
export const importTime = ({ world, env }: Import, { app, before }: AppImport): EpochMs => {
  if (seedOf(app) === undefined) return env.now(app.appId);
  return clockReading(before === undefined ? REAL_CLOCK : clockOf(world, before), runningTime(app, 0));
};

/** @returns a fixture time; undefined also if before 1970, which is recorded as an error. @param field its name. */
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

/** @returns a look-up of existing profiles by username; the store's own look-up uses the old strategy. */
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
