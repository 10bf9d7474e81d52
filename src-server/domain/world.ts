/**
 * The read-only view of the world for the rules, one app at a time. No method scans: each look-up costs the same with
 * ten profiles as with 100,000.
 */
import type { EpochMs } from "#contract/scalars.ts";
import type { AppRecord, ClockRecord, Lists, ProfileRecord, RecordsOfApp, Transit } from "#contract/service/records.ts";

/** The records of one app, in order of creation. `clock` is its own; null if it follows the global clock. */
export type AppData = { readonly app: AppRecord; readonly clock: ClockRecord | null } & Lists;

/** The data of the world, or of some of its apps. */
export interface WorldData {
  readonly clock: ClockRecord;
  readonly apps: readonly AppData[];
}

/** One app, now. */
export interface AppWorld extends AppData {
  /** The record with this id (for a profile its `userId`, in lower case). */
  find<C extends keyof RecordsOfApp>(collection: C, id: string): RecordsOfApp[C] | undefined;
  /** The profile with this username, compared by ASCII case folding (D8, D9). */
  profileByUsername(username: string): ProfileRecord | undefined;
  /** The records of one profile, oldest first; a deleted one can still have disabled connections (D14). */
  of<C extends "passcodes" | "sessions" | "connections">(collection: C, userId: string): readonly RecordsOfApp[C][];
}

/** All apps. */
export interface World {
  /** The number of the last change; the next one is `seq + 1`. */
  readonly seq: number;
  /** In order of creation. */
  readonly apps: readonly AppWorld[];
  readonly clock: ClockRecord;
  app(appId: string): AppWorld | undefined;
  appBySecret(secret: string): AppWorld | undefined;
}

/** @returns the world as one of its apps sees it: only that app. */
export const worldOf = (world: World, appId: string): World => {
  const own = world.app(appId);
  return {
    seq: world.seq,
    clock: world.clock,
    apps: own === undefined ? [] : [own],
    app: (id) => (id === appId ? own : undefined),
    appBySecret: (secret) => (own?.app.secret === secret ? own : undefined),
  };
};

/** @returns whether an app is one that no list of all apps has; false if there is no such app. */
export const isHidden = (world: World, appId: string | null | undefined): boolean =>
  world.app(appId ?? "")?.app.hidden === true;

/** @returns the apps that lists of all apps have. */
export const shownApps = ({ apps }: World): readonly AppWorld[] => apps.filter(({ app }) => app.hidden === undefined);

/** What a fault does with the message of a passcode. */
export interface MessageFault {
  /** Whether it never arrives. */
  readonly isLost?: boolean;
  /** When it arrives, and how many times. */
  readonly transit?: Pick<Transit, "sentAt" | "arrivesAt" | "copies">;
}

/** Random values for the records of one app. `what` names a value, and is unique within a transaction. */
export interface AppRandom {
  /** A new UUID in lower case. @param isTaken asked where an id can be drawn again: whether a record has it. */
  uuid(what: string, isTaken: (id: string) => boolean): string;
  /** A uniformly random string of decimal digits. */
  digits(count: number, what: string): string;
  /** @param id of the current request. @returns the id of the request that new records keep. */
  requestId(id: string): string;
}

/** The only side effects available to the rules: time, randomness, and the service's URLs. Tests inject their own. */
export interface Env {
  /** The current time of an app, or of the global clock, in milliseconds since 1970. */
  now(appId?: string): EpochMs;
  /** A new UUID in lower case. */
  uuid(): string;
  /** The UUID of a name, in lower case: always the same. */
  nameId(name: string): string;
  /** A uniformly random string of decimal digits. @param key the same key gives the same digits. */
  digits(count: number, key?: string): string;
  secret(): string;
  /** Random values for an app as it is now, or as an import makes it: it may not be in the world yet. */
  random(app: AppRecord): AppRandom;
  /** Base URLs of the two interfaces: the default `iss` and `aud` of tokens (D29). */
  readonly urls: { readonly admin: string; readonly auth: string };
  /** How many passcodes and sessions each app keeps; older ones are removed. */
  readonly retention: { readonly passcodes: number; readonly sessions: number };
  /** The current request: its id in the log and the client's User-Agent; null outside a request. */
  readonly request: {
    readonly id: string | null;
    readonly device: string | null;
    /** Set by a fault: what becomes of the message of its passcode. */
    readonly message?: MessageFault;
  };
}
