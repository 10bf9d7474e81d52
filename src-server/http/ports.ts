/**
 * What the HTTP side needs of the rooms that it may not enter: the store and the tokens. server.ts plugs them in.
 */
import type { Problem } from "#contract/problems.ts";
import type { JsonObject } from "#contract/scalars.ts";
import type { TokenClaims } from "#contract/sessions.ts";
import type { Change, Decision, Notes } from "#domain/decision.ts";
import type { Past } from "#domain/past.ts";
import type { World } from "#domain/world.ts";

/** What came of a transaction. A problem of the disk is a problem like others: nothing was changed. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T; readonly notes?: Notes }
  | { readonly ok: false; readonly problem: Problem; readonly notes?: Notes };

/** A change that was made, with its number. */
export interface Committed {
  readonly seq: number;
  readonly change: Change;
}

/** A named snapshot as it was saved. */
export interface SavedSnapshot {
  readonly name: string;
  /** Null: of all apps. */
  readonly appId: string | null;
  /** The number of the last change in it. */
  readonly seq: number;
  /** Milliseconds since 1970, real time. */
  readonly savedMs: number;
  readonly counts: {
    readonly apps: number;
    readonly profiles: number;
    readonly passcodes: number;
    readonly sessions: number;
    readonly connections: number;
  };
}

/** Named snapshots: moments to go back to. They live as long as the process. */
export interface SnapshotsPort {
  /** Those of all apps (null), or those of one, oldest first. */
  list(appId: string | null): readonly SavedSnapshot[];
  /** Saves this moment; an older one of that name gives way. */
  save(
    world: World,
    name: string,
    appId: string | null,
    savedMs: number,
  ): SavedSnapshot | { readonly problem: Problem };
  /** @param listener told of each that is saved (also anew) or gone, right after it; one alone. */
  onEvent(listener: (event: "put" | "delete", saved: SavedSnapshot) => void): void;
  /** @returns whether it was there. */
  remove(name: string, appId: string | null): boolean;
  /**
   * @returns what leads back to a snapshot, of one app or of all that it holds, oldest first, to be read bit by bit and then
   * released; undefined: there is none.
   */
  hold(
    world: World,
    name: string,
    appId: string | null,
  ): { readonly pasts: readonly Past[]; release(): void } | undefined;
}

/** The store: the only keeper of the world. */
export interface StorePort {
  /** The live view; look things up in it, keep none of its lists over an await. */
  readonly world: World;
  readonly dataDir: string | null;
  readonly durability: "process" | "disk" | "memory";
  /** Asks the rule, writes its changes to the journal in one append, applies them, publishes them. Synchronous. */
  transact<T>(rule: (world: World) => Decision<T>): Outcome<T>;
  /** The same for changes that replace much: all or nothing as a new snapshot, not as a line of the journal. */
  transactBulk<T>(rule: (world: World) => Decision<T>): Outcome<T>;
  readonly snapshots: SnapshotsPort;
  /** Goes back to a snapshot, as one transaction: all that it holds, or one app. */
  restore(
    name: string,
    appId: string | null,
  ): Promise<Outcome<{ readonly saved: SavedSnapshot /** How many it took. */; readonly changes: number }>>;
  /** Resolves when all that was committed is as durable as was asked for; undefined when it is already. An error that it
   * rejects with carries, as `problem`, what the client should be told. */
  durable(): Promise<void> | undefined;
  /** Hears of each transaction after it was applied. @returns how to stop. */
  subscribe(listener: (changes: readonly Committed[]) => void): () => void;
}

/** Signing and reading of session tokens. */
export interface TokensPort {
  /** @returns the JWT of these claims. */
  sign(claims: TokenClaims): Promise<string>;
  /** Checks signature and shape, not the times. @returns the claims, or undefined. */
  read(token: string): Promise<TokenClaims | undefined>;
  /** The public keys as `/.well-known/jwks.json` shows them. */
  readonly jwks: { readonly keys: readonly JsonObject[] };
}
