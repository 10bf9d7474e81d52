/** What is wrong with a code or an address that a person would call right, and what to send instead (CONTRACT 24). */
import { domainToASCII } from "node:url";
import type { Advice } from "#contract/advice.ts";
import type { AppItem } from "#contract/apps.ts";
import { effectiveSettings } from "#contract/effective-settings.ts";
import { visible } from "#contract/phone-words.ts";
import { email } from "#contract/scalars.ts";
import { unseenIn } from "./unseen.ts";

/** @param typed a wrong code. @param code the right one. @returns why it is nearly right; undefined if it is not. */
export const codeAdvice = (typed: string, code: string): Advice | undefined => {
  const shown = visible(typed).trim();
  const unseen = unseenIn(typed);
  const made = (name: string, words: string): Advice => ({
    code: name,
    text: `“${typed}” ${words}. Send ${code}.`,
    send: code,
  });
  if (unseen !== undefined && shown === code) return made(unseen.code, unseen.words);
  const digits = shown.replace(/[\s.-]/g, "");
  if (digits === code) return made("more_around", "is the correct code with extra characters");
  if (shown !== "" && shown.length < code.length && shown.padStart(code.length, "0") === code)
    return made("lost_zeros", "is the correct code without its leading zeros");
  return shown.includes(code) && !/^\d+$/.test(shown)
    ? made("more_around", "contains the correct code, and more")
    : undefined;
};

/** @returns the address with a domain in ASCII; undefined if it has no other. */
const asciiDomain = (address: string): string | undefined => {
  const at = address.lastIndexOf("@");
  const domain = address.slice(at + 1);
  const ascii = /^[ -~]*$/.test(domain) ? "" : domainToASCII(domain);
  return at < 0 || ascii === "" ? undefined : `${address.slice(0, at)}@${ascii}`;
};

/** @returns what an address is refused for, and what it should be. */
const flawOf = (
  typed: string,
): { readonly code: string; readonly words: string; readonly instead: string } | undefined => {
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
  return /@[^@.]+$/.test(shown) ? { code: "no_dot", words: "has no dot after the @", instead: "" } : undefined;
};

/**
 * @param typed an address that was refused.
 * @returns why, with the address that the same rules take, if one is near; undefined if nothing is known.
 */
export const emailAdvice = (typed: string, app: Pick<AppItem, "settings"> | undefined): Advice | undefined => {
  const flaw = flawOf(typed);
  if (flaw === undefined) return undefined;
  const { code, words, instead } = flaw;
  const send = email.safeParse(instead).success ? instead : undefined;
  const isStrict = app !== undefined && effectiveSettings(app.settings).validation !== "lenient";
  const text = [
    `“${typed}” ${words}.`,
    ...(send === undefined ? [] : [`Send ${send}.`]),
    ...(isStrict ? ["With the app’s “validation” set to “lenient”, it would have been accepted."] : []),
  ].join(" ");
  return { code, text, ...(send !== undefined && { send }) };
};
