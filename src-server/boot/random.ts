/** The only door to chance: UUIDs, passcodes and secrets, from the system's secure generator (D24), or from a lot. */
import { createHash, randomBytes, randomInt } from "node:crypto";
import { v4 } from "uuid";

/** The part of the rules' environment that is chance. */
export interface Random {
  /** A new UUID (version 4), in small letters. @param lot draws the same one each time; absent: nobody can foresee it. */
  uuid(lot?: string): string;
  /** @param count 1 to 14. @returns that many decimal digits, each as likely as the other; zeros may lead. `lot` as with `uuid`. */
  digits(count: number, lot?: string): string;
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

/** 32 bytes that look random and always follow from the text. */
const hash = (text: string): Buffer => createHash("sha256").update(text).digest();

const SIX_BYTES = 2 ** 48;

/** @returns a whole number below `end` (at most 2^48), each as likely as the other over all lots. */
const numberOf = (lot: string, end: number): number => {
  const fair = SIX_BYTES - (SIX_BYTES % end);
  for (let again = 0; ; again++) {
    const drawn = hash(`${again} ${lot}`).readUIntBE(0, 6);
    if (drawn < fair) return drawn % end;
  }
};

/** @returns chance that nobody can foresee, but where a lot is named. */
export const createRandom = (): Random => ({
  uuid: (lot) => (lot === undefined ? v4() : v4({ random: hash(lot) })),
  // randomInt draws without bias, up to 2^48.
  digits: (count, lot) =>
    String(lot === undefined ? randomInt(10 ** count) : numberOf(lot, 10 ** count)).padStart(count, "0"),
  secret,
});
