/**
 * The only outside world that the rules have: time, chance, and where the service is reached.
 */
import type { EpochMs } from "#contract/scalars.ts";

/** Handed to each rule; tests hand in their own. */
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
