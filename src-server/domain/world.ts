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
