/** The only source of randomness: UUIDs, passcodes and secrets, from the system (D24) or derived from a key. */
import { createHash, randomInt } from "node:crypto";
import { v4, v5 } from "uuid";
import type { AppRecord } from "#contract/service/records.ts";
import { seedOf } from "#domain/deterministic.ts";
import type { AppRandom } from "#domain/world.ts";

/** The randomness in the rules' `Env`. */
export interface Random {
  /** A new UUID (version 4) in lower case. @param key the same key gives the same UUID; absent: unpredictable. */
  uuid(key?: string): string;
  /** The UUID of a name, in lower case: the same on each machine (version 5). */
  nameId(name: string): string;
  /** @param count 1 to 14. @returns uniformly random decimal digits, leading zeros included. `key` as for `uuid`. */
  digits(count: number, key?: string): string;
  /** A new app secret: `sk_local_` and 32 letters and digits, about 190 bits of entropy. */
  secret(): string;
  /** @see AppRandom */
  random(app: AppRecord): AppRandom;
}

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

const secret = (): string =>
  `sk_local_${Array.from({ length: 32 }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join("")}`;

/** 32 pseudorandom bytes derived from the text. */
const hash = (text: string): Buffer => createHash("sha256").update(text).digest();

const SIX_BYTES = 2 ** 48;

/** @returns a whole number below `end` (at most 2^48), uniform over all keys. */
const numberOf = (key: string, end: number): number => {
  const fair = SIX_BYTES - (SIX_BYTES % end);
  for (let again = 0; ; again++) {
    const drawn = hash(`${again} ${key}`).readUIntBE(0, 6);
    if (drawn < fair) return drawn % end;
  }
};

const uuid = (key?: string): string => (key === undefined ? v4() : v4({ random: hash(key) }));

/** The namespace of all names: UUIDs of the same names elsewhere are others. */
const NAMES = "c2d8b0f4-6f0e-4b1e-9f0b-5b7a5c6f1d3a";

const nameId = (name: string): string => v5(name, NAMES);

// randomInt is unbiased, up to 2^48.
const digits = (count: number, key?: string): string =>
  String(key === undefined ? randomInt(10 ** count) : numberOf(key, 10 ** count)).padStart(count, "0");

/** Of all apps that are not deterministic. */
const UNPREDICTABLE: AppRandom = {
  uuid: () => v4(),
  digits: (count) => digits(count),
  requestId: (id) => id,
};

/** Each value follows from the seed, the app, its count of transactions, and what it is for. */
const repeating = ({ appId, steps = 0 }: AppRecord, seed: string): AppRandom => {
  const keyOf = (what: string): string => JSON.stringify([seed, appId, steps, what]);
  return {
    // After an import it can draw an id again.
    uuid: (what, isTaken) => {
      let id = uuid(keyOf(what));
      for (let again = 2; isTaken(id); again++) id = uuid(keyOf(`${what} ${again}`));
      return id;
    },
    digits: (count, what) => digits(count, keyOf(what)),
    requestId: () => uuid(keyOf("request")),
  };
};

/** @param others the randomness of apps without a seed. @returns that of each app. */
const ofApps =
  (others: AppRandom) =>
  (app: AppRecord): AppRandom => {
    const seed = seedOf(app);
    return seed === undefined ? others : repeating(app, seed);
  };

/** @param seed every value follows from it and from how many were drawn before. @returns unpredictable randomness, except if a key or a seed is given. */
export const createRandom = (seed?: string): Random =>
  seed === undefined ? { uuid, nameId, digits, secret, random: ofApps(UNPREDICTABLE) } : createRepeatingRandom(seed);

/**
 * @returns randomness of which each value follows from the seed and from how many were drawn before it: the same
 * requests get the same ids and codes. Secrets too, so that it is only for data that no one keeps.
 */
const createRepeatingRandom = (seed: string): Random => {
  const counts = new Map<string, number>();
  const next = (what: string): string => {
    const count = (counts.get(what) ?? 0) + 1;
    counts.set(what, count);
    return JSON.stringify([seed, what, count]);
  };
  const own: AppRandom = {
    uuid: (what) => uuid(next(`uuid ${what}`)),
    digits: (count, what) => digits(count, next(`digits ${what}`)),
    requestId: (id) => id,
  };
  return {
    uuid: (key = next("uuid")) => uuid(key),
    nameId,
    digits: (count, key = next("digits")) => digits(count, key),
    secret: () => `sk_local_${hash(next("secret")).toString("hex").slice(0, 32)}`,
    random: ofApps(own),
  };
};
