/** The only source of randomness: UUIDs, passcodes and secrets, from the system (D24) or derived from a key. */
import { createHash, randomInt } from "node:crypto";
import { v4 } from "uuid";

/** The randomness in the rules' `Env`. */
export interface Random {
  /** A new UUID (version 4) in lower case. @param key the same key gives the same UUID; absent: unpredictable. */
  uuid(key?: string): string;
  /** @param count 1 to 14. @returns uniformly random decimal digits, leading zeros included. `key` as for `uuid`. */
  digits(count: number, key?: string): string;
  /** A new app secret: `sk_local_` and 32 letters and digits, about 190 bits of entropy. */
  secret(): string;
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

/** @returns unpredictable randomness, except if a key is given. */
export const createRandom = (): Random => ({
  uuid: (key) => (key === undefined ? v4() : v4({ random: hash(key) })),
  // randomInt is unbiased, up to 2^48.
  digits: (count, key) =>
    String(key === undefined ? randomInt(10 ** count) : numberOf(key, 10 ** count)).padStart(count, "0"),
  secret,
});
