/**
 * What the parts of one import share (see state-import.ts).
 */
import type { AppRecord, ProfileRecord } from "#contract/records.ts";
import { foldUsername } from "#contract/scalars.ts";
import type { FieldErrors } from "#contract/validation.ts";
import type { Changes } from "./changes.ts";
import type { Env } from "./env.ts";
import type { AppWorld, World } from "./world.ts";

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
}

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
