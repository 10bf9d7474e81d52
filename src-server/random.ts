/**
 * The only door to chance: UUIDs, passcodes and secrets, from the system's secure generator (D24).
 */
import { randomBytes, randomInt } from "node:crypto";
import { v4 } from "uuid";

/** The part of the rules' environment that is chance. */
export interface Random {
  /** A new UUID (version 4), in small letters. */
  uuid(): string;
  /** @param count 1 to 14. @returns that many decimal digits, each as likely as the other; zeros may lead. */
  digits(count: number): string;
  /** A new secret for an app: `sk_local_` and 32 letters and digits, some 190 bits of chance. */
  secret(): string;
}

const SECRET_PREFIX = "sk_local_";
const SECRET_LENGTH = 32;
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** Bytes from here on would make the first letters of the alphabet likelier than the others. */
const FAIR = 256 - (256 % ALPHABET.length);

const secret = (): string => {
  let text = "";
  while (text.length < SECRET_LENGTH)
    for (const byte of randomBytes(SECRET_LENGTH))
      if (byte < FAIR && text.length < SECRET_LENGTH) text += ALPHABET.charAt(byte % ALPHABET.length);
  return SECRET_PREFIX + text;
};

/** @returns chance that nobody can foresee. */
export const createRandom = (): Random => ({
  uuid: () => v4(),
  // randomInt draws without bias, up to 2^48.
  digits: (count) => String(randomInt(10 ** count)).padStart(count, "0"),
  secret,
});
