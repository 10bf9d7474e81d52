/** What is wrong with a code or an address that a person would call right. */
import { domainToASCII } from "node:url";
import { frozen } from "#contract/frozen.ts";
import { visible } from "#contract/words/phone-words.ts";
import { unseenIn } from "./unseen.ts";

/** A flaw, as a clause. */
interface Flaw {
  readonly code: string;
  readonly words: string;
}

/** Letters that look like a digit. */
const LIKE_DIGITS = frozen<Readonly<Record<string, string>>>({ O: "0", o: "0", I: "1", l: "1", S: "5", B: "8" });

/** @returns a number or code with digits for the letters that look like them, and the first such letter; undefined if it has none. */
export const withDigits = (text: string): { readonly letter: string; readonly text: string } | undefined => {
  const letter = /[OoIlSB]/.exec(text)?.[0];
  return letter === undefined || !/^[\d\s()+.OoIlSB-]+$/.test(text)
    ? undefined
    : { letter, text: text.replace(/[OoIlSB]/g, (one) => LIKE_DIGITS[one] ?? one) };
};

/** @param typed a wrong code. @param code the right one. @returns why it is nearly right; undefined if it is not. */
export const codeFlaw = (typed: string, code: string): Flaw | undefined => {
  const shown = visible(typed).trim();
  const unseen = unseenIn(typed);
  if (unseen !== undefined && shown === code) return unseen;
  const digits = shown.replace(/[\s.-]/g, "");
  const digital = withDigits(digits);
  if (digital?.text === code)
    return { code: "letter_for_digit", words: `has the letter “${digital.letter}” where a digit belongs` };
  if (digits === code) return { code: "more_around", words: "is the correct code with extra characters" };
  if (shown !== "" && shown.length < code.length && shown.padStart(code.length, "0") === code)
    return { code: "lost_zeros", words: "is the correct code without its leading zeros" };
  return shown.includes(code) && !/^\d+$/.test(shown)
    ? { code: "more_around", words: "contains the correct code, and more" }
    : undefined;
};

/** @returns the address with a domain in ASCII; undefined if it has no other. */
const asciiDomain = (address: string): string | undefined => {
  const at = address.lastIndexOf("@");
  const domain = address.slice(at + 1);
  const ascii = /^[ -~]*$/.test(domain) ? "" : domainToASCII(domain);
  return at < 0 || ascii === "" ? undefined : `${address.slice(0, at)}@${ascii}`;
};

/** @returns what an address is refused for, and what it may be instead (empty: nobody knows); undefined: nothing is known. */
export const emailFlaw = (typed: string): (Flaw & { readonly instead: string }) | undefined => {
  const shown = visible(typed).trim();
  const inner = /^[^<>]*<([^<>]+)>$/.exec(shown)?.[1]?.trim();
  if (inner !== undefined) return { code: "name_in_address", words: "has a name around the address", instead: inner };
  const unseen = unseenIn(typed);
  const idn = asciiDomain(shown);
  if (idn !== undefined) return { code: "idn", words: "has a domain with non-ASCII letters", instead: idn };
  if (/\s/.test(shown)) {
    const words = "has a space in the address";
    return { code: "blank_in_address", words, instead: shown.replace(/\s+/g, "") };
  }
  if (unseen !== undefined) return { ...unseen, instead: shown };
  if (!shown.includes("@")) return { code: "no_at", words: "has no @", instead: "" };
  return /@[^@.]+$/.test(shown) ? { code: "no_dot", words: "has no dot after the @", instead: "" } : undefined;
};
