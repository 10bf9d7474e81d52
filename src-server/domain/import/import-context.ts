/** State shared by the parts of an import (see state-import.ts). */

import { timeInFixture } from "#contract/control/fixture-time.ts";
import type { FixtureApp, FixtureProfile } from "#contract/control/state.ts";
import { type EpochMs, foldUsername, type IsoInstant } from "#contract/scalars.ts";
import type { UserCounts } from "#contract/service/apps.ts";
import type { AppRecord, ClockRecord, ProfileRecord } from "#contract/service/records.ts";
import { usernameField } from "#contract/service/strategies.ts";
import type { FieldErrors } from "#contract/validation.ts";
import { clockReading } from "../clock.ts";
import type { Changes } from "../decision.ts";
import { isIdTaken } from "../new-ids.ts";
import type { AppWorld, Env, World } from "../world.ts";
import type { FewErrors } from "./few-errors.ts";

/** The context of one import. */
export interface Import {
  readonly world: World;
  /** In real time: each app has a clock. */
  readonly env: Env;
  /** The global clock after the import. */
  readonly clock: ClockRecord;
  readonly changes: Changes;
  readonly errors: FewErrors;
  /** What becomes of the users. */
  readonly users: UserCounts;
  /** @see ParsedState */
  readonly fit: boolean;
  /** @see ParsedState */
  readonly strict: ReadonlySet<readonly FixtureProfile[]>;
  /** Store passcodes and sessions of all apps in the `seq` order of their source. */
  readonly volatile: { readonly seq: number; readonly put: () => void }[];
}

/** Records an error of an entry, by path. */
export const refuse = (into: Import, path: string, text: string): void => {
  into.errors.add(path, text);
};

/** Records the errors of the fields of an entry. */
export const refuseAll = (into: Import, path: string, errors: FieldErrors): void => {
  for (const [field, texts] of Object.entries(errors)) for (const text of texts) refuse(into, `${path}.${field}`, text);
};

/** An app during its import. */
export interface AppImport {
  /** The app after the import. */
  readonly app: AppRecord;
  /** The app before the import; undefined if it is new or replaced. */
  readonly before: AppWorld | undefined;
  /** Its path in the input, such as `apps[0]`. */
  readonly path: string;
  /** The clock that it follows after the import. */
  readonly clock: ClockRecord;
  /** Finds an existing profile by username, under the app's new strategy. */
  readonly holderOf: (username: string) => ProfileRecord | undefined;
  /** Whether a new record cannot have this id. */
  readonly isTaken: (id: string) => boolean;
}

/** @returns a function that tells whether an id exists already or is used in the input. */
export const takenIds = (before: AppWorld | undefined, sent: FixtureApp): ((id: string) => boolean) => {
  const { profiles = [], passcodes = [], sessions = [], connections = [] } = sent;
  let named: ReadonlySet<string | undefined> | undefined;
  return (id) => {
    named ??= new Set([
      ...[...profiles, ...connections].map(({ userId }) => userId),
      ...[...passcodes, ...sessions, ...connections].map((record) => record.id?.toLowerCase()),
    ]);
    return named.has(id) || (before !== undefined && isIdTaken(before, id));
  };
};

/** @returns the creation time of new records. */
export const importTime = ({ env }: Import, { app, clock }: AppImport): EpochMs => clockReading(clock, env.now(), app);

/** @param text a fixture time. @returns the instant; undefined also if before 1970, which is recorded as an error. */
export const importedTime = (
  into: Import,
  of: AppImport,
  text: string | null | undefined,
  path: string,
): IsoInstant | undefined => {
  if (text === undefined || text === null) return undefined;
  const instant = timeInFixture(text, importTime(into, of));
  if (instant === undefined) refuse(into, path, "is before 1970");
  return instant;
};

/** @returns a look-up of existing profiles by username; the store's own look-up uses the old strategy. */
export const holders = (
  before: AppWorld | undefined,
  app: AppRecord,
): ((username: string) => ProfileRecord | undefined) => {
  if (before === undefined) return () => undefined;
  if (before.app.strategy === app.strategy) return (username) => before.profileByUsername(username);
  const field = usernameField(app);
  const named = before.profiles.filter((profile) => profile[field] !== null);
  const byUsername = new Map(named.map((profile) => [foldUsername(profile[field] ?? ""), profile]));
  return (username) => byUsername.get(foldUsername(username));
};
