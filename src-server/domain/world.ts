/**
 * The read-only view of the world that the rules may ask, one app at a time. Nothing here scans: each look-up costs the
 * same with ten profiles as with 100,000.
 */
import type {
  AppRecord,
  ClockRecord,
  ConnectionRecord,
  PasscodeRecord,
  ProfileRecord,
  RecordsOfApp,
  SessionRecord,
} from "#contract/records.ts";
import type { EpochMs } from "#contract/scalars.ts";

/** One app and all that belongs to it. Lists are in the order of their making. */
export interface AppWorld {
  readonly app: AppRecord;
  /** The app's own clock, or null when it goes by the clock of all. */
  readonly clock: ClockRecord | null;
  readonly profiles: readonly ProfileRecord[];
  readonly passcodes: readonly PasscodeRecord[];
  readonly sessions: readonly SessionRecord[];
  readonly connections: readonly ConnectionRecord[];
  /** The record with this id (of a profile: its `userId`, in small letters). */
  find<C extends keyof RecordsOfApp>(collection: C, id: string): RecordsOfApp[C] | undefined;
  /** The profile whose strategy field is this, compared by ASCII case folding (D8, D9). */
  profileByUsername(username: string): ProfileRecord | undefined;
  /** What belongs to one profile, oldest first; also of one that is deleted, as disabled connections do (D14). */
  of<C extends "passcodes" | "sessions" | "connections">(collection: C, userId: string): readonly RecordsOfApp[C][];
}

/** All apps. */
export interface World {
  /** The number of the last change; the next one gets `seq + 1`. */
  readonly seq: number;
  /** In the order of their making. */
  readonly apps: readonly AppWorld[];
  /** The clock of all apps that have none of their own. */
  readonly clock: ClockRecord;
  app(appId: string): AppWorld | undefined;
  appBySecret(secret: string): AppWorld | undefined;
}

/** The only outside world that the rules have: time, chance, and where the service is reached. Tests hand in their own. */
export interface Env {
  /** Now, by the clock of this app; without one, by the clock of all. Milliseconds since 1970. */
  now(appId?: string): EpochMs;
  /** A new UUID, in small letters. @param lot of a deterministic app: the same lot draws the same one. */
  uuid(lot?: string): string;
  /** A random string of this many decimal digits, each as likely as the other; `lot` as with `uuid`. */
  digits(count: number, lot?: string): string;
  /** A new secret for an app. */
  secret(): string;
  /** Where the two interfaces are reached: the default `iss` and `aud` of tokens (D29). */
  readonly urls: { readonly admin: string; readonly auth: string };
  /** How many passcodes and sessions are kept for each app; older ones go (CONTRACT 4, Retention). */
  readonly retention: { readonly passcodes: number; readonly sessions: number };
  /** The request that is being answered: its id in the log and the client's User-Agent, null where there is none. */
  readonly request: {
    readonly id: string | null;
    readonly device: string | null;
    /** A fault: the passcode that it sends does not arrive. */
    readonly undelivered?: boolean;
  };
}
