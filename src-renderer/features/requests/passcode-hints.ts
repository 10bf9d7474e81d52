/**
 * Why a passcode was not taken, from the passcodes that the user was sent.
 */

import type { App, Passcode, RequestRow } from "#client/index.ts";
import { effectiveSettings } from "#contract/effective-settings.ts";
import { typedPasscode, type Wire } from "../../ui/wire-shape.ts";
import { many } from "../../ui/words.ts";

/** @returns a length of time, such as `4 s` or `3 min`. */
const lengthWords = (ms: number): string => {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
};

const sinceWords = (row: RequestRow, instant: string): string => {
  const ms = Date.parse(row.at) - Date.parse(instant);
  if (ms < 0) return "";
  return ms < 500 ? " just before this request" : ` ${lengthWords(ms)} before this request`;
};

const isSwap = (a: string, b: string): boolean => {
  const off = [...a].flatMap((char, at) => (char === b[at] ? [] : [at]));
  const [first = -1, second = -1] = off;
  return a.length === b.length && off.length === 2 && a[first] === b[second] && a[second] === b[first];
};

const mismatch = (typed: string, code: string): string => {
  const words = `Received ${typed === "" ? "an empty code" : typed}, expected ${code}.`;
  if (typed.length !== code.length) return `${words} Codes of this app have ${code.length} digits.`;
  return isSwap(typed, code) ? `${words} Two digits are swapped.` : words;
};

/** @param passcodes of the user, newest first. @returns what to know of a passcode that was refused. */
export const passcodeHint = (
  row: RequestRow,
  app: App | undefined,
  wire: Wire,
  body: unknown,
  passcodes: readonly Passcode[],
): string | undefined => {
  const typed = typedPasscode(wire, body) ?? "";
  const sent = passcodes.filter(({ createdAt }) => createdAt <= row.at);
  const [last] = sent;
  switch (row.reason) {
    case "passcode_mismatch":
      return last && mismatch(typed, last.code);
    case "passcode_replaced": {
      const at = sent.findIndex(({ code }, index) => index > 0 && code === typed.padStart(code.length, "0"));
      const by = sent[at - 1];
      return by && `The code ${typed} was replaced${sinceWords(row, by.createdAt)}. The newest is ${last?.code}.`;
    }
    case "passcode_expired":
      return (
        last &&
        `The code expired${sinceWords(row, last.expiresAt)}. The app’s passcode.ttlSeconds sets how long codes last.`
      );
    case "passcode_used":
      return "A code works once. Request a new one with a POST.";
    case "passcode_not_sent":
      return "Request a code with a POST first.";
    case "passcode_exhausted": {
      const { maxAttempts } = effectiveSettings(app?.settings ?? {}).passcode;
      return `The code was locked after ${many(maxAttempts, "wrong attempt")}. Request a new one with a POST.`;
    }
    case "unknown_user":
      return "No user of this app has that phone or email. A POST with it signs up.";
    default:
      return undefined;
  }
};
