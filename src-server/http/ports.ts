/**
 * What the HTTP side needs of the rooms that it may not enter: the store and the tokens. server.ts plugs them in.
 */
import type { Problem } from "#contract/problems.ts";
import type { JsonObject } from "#contract/scalars.ts";
import type { Change, Decision, Notes } from "#domain/decision.ts";
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
  /** Resolves when all that was committed is as durable as was asked for; undefined when it is already. An error that it
   * rejects with carries, as `problem`, what the client should be told. */
  durable(): Promise<void> | undefined;
  /** Hears of each transaction after it was applied. @returns how to stop. */
  subscribe(listener: (changes: readonly Committed[]) => void): () => void;
}

/** The claims of a session token (D29), all plain ASCII; times in seconds since 1970. */
export interface TokenClaims {
  readonly iss: string;
  readonly aud: string;
  readonly sub: string;
  readonly jti: string;
  readonly appId: string;
  readonly iat: number;
  readonly nbf: number;
  readonly exp: number;
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
