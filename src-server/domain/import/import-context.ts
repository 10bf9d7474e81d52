/** What the parts of an import share (see state-import.ts). */
import { timeInFixture } from "#contract/control/fixture-time.ts";
import type { FixtureApp } from "#contract/control/state.ts";
import { type EpochMs, foldUsername, type IsoInstant } from "#contract/scalars.ts";
import type { UserCounts } from "#contract/service/apps.ts";
import type { AppRecord, ClockRecord, ProfileRecord } from "#contract/service/records.ts";
import { usernameField } from "#contract/service/strategies.ts";
import type { Changes } from "../decision.ts";
import { isIdTaken } from "../new-ids.ts";
import type { AppWorld, Env, World } from "../world.ts";
import type { FewErrors } from "./few-errors.ts";

/** One import. */
export interface Import {
  readonly world: World;
  /** In real time: each app has a clock. */
  readonly env: Env;
  /** The clock after the import: the global one, or the one that an app follows. */
  readonly clock: ClockRecord;
  readonly changes: Changes;
  readonly errors: FewErrors;
  /** What becomes of the users. */
  readonly users: UserCounts;
  /** @see ParsedState */
  readonly fit: boolean;
  /** Store passcodes and sessions of all apps in the `seq` order of their source. */
  readonly volatile: { readonly seq: number; readonly put: () => void }[];
}

/** The import of one app. */
export interface AppImport extends Import {
  /** The app after the import. */
  readonly app: AppRecord;
  /** The app before the import; undefined if it is new or replaced. */
  readonly before: AppWorld | undefined;
  /** Its path in the input, such as `apps[0]`. */
  readonly path: string;
  /** The creation time of new records. */
  readonly nowMs: EpochMs;
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

/** @param text a fixture time. @returns the instant; undefined also if before 1970, which is an error. */
export const importedTime = (
  { errors, nowMs }: Pick<AppImport, "errors" | "nowMs">,
  text: string | null | undefined,
  path: string,
): IsoInstant | undefined => {
  const instant = text === undefined || text === null ? undefined : timeInFixture(text, nowMs);
  if (text && instant === undefined) errors.add(path, "is before 1970");
  return instant;
};

/** @returns a look-up of existing profiles by username; the store's own look-up uses the old strategy. */
export const holders = (before: AppWorld | undefined, app: AppRecord): AppImport["holderOf"] => {
  if (before === undefined) return () => undefined;
  if (before.app.strategy === app.strategy) return (username) => before.profileByUsername(username);
  const field = usernameField(app);
  const byUsername = new Map<string, ProfileRecord>();
  for (const profile of before.profiles)
    if (profile[field] !== null) byUsername.set(foldUsername(profile[field]), profile);
  return (username) => byUsername.get(foldUsername(username));
};
