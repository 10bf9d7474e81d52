/** The words of the demo app: its texts, with those of the app, and numbers as people say them. */
import type { DemoApp } from "#contract/control/demo.ts";
import type { DemoText } from "#contract/service/demo-texts.ts";
import { USERNAMES, type UsernameField } from "#contract/service/strategies.ts";
import { recipientText } from "#contract/words/phone-words.ts";
import type { Failure } from "./service.ts";

let texts: DemoApp["texts"];

/** Uses other texts from the next screen on. */
export const speak = (next: Pick<DemoApp, "texts">): void => {
  ({ texts } = next);
};

/** @param values for the names in braces. @returns the text. */
export const say = (name: DemoText, values: Readonly<Record<string, string | number>> = {}): string =>
  (texts[name] ?? name).replace(/\{(\w+)\}/g, (whole, key: string) => String(values[key] ?? whole));

const REASONS: Readonly<Record<string, DemoText>> = {
  unreachable: "noConnection",
  unknown_app: "unknownApp",
  unknown_record: "unknownApp",
  unknown_user: "unknownUser",
  sign_up_closed: "signUpClosed",
  passcode_mismatch: "wrongCode",
  passcode_not_sent: "codeNotSent",
  passcode_replaced: "codeReplaced",
  passcode_expired: "codeExpired",
  passcode_used: "codeUsed",
  passcode_exhausted: "locked",
};

/** @returns a number as people write it, on one line; an email address unchanged. */
export const usernameText = (username: string): string => recipientText(username).replace(/ /g, "\u00a0");

const CHECK = { phone: "checkPhone", email: "checkEmail" } as const;

/** @param username the field that the app's users sign in with. @returns one or two sentences for the user. */
export const failureText = ({ status, reason, fields, retrySeconds }: Failure, username: UsernameField): string => {
  const known = REASONS[reason];
  if (known !== undefined) return say(known);
  if (status === 429) return say("tooMany", { time: spanText(retrySeconds ?? 60) });
  if (username in fields) return say(CHECK[username], { example: usernameText(USERNAMES[username].example) });
  const detail = Object.values(fields).flat().join(", ");
  if (detail !== "") return say("checkInput", { detail });
  return status === 401 ? say("signInFailed") : say("failed", { status });
};

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;
const UNITS = [
  ["day", DAY],
  ["hour", HOUR],
  ["minute", MINUTE],
  ["second", 1],
] as const;

/** @param seconds not negative. @returns a duration as people say it: "24 hours", "23 hours, 59 minutes", "30 seconds". */
export const spanText = (seconds: number): string => {
  const step = seconds < MINUTE ? 1 : seconds < 2 * DAY ? MINUTE : HOUR;
  let rest = Math.max(0, Math.round(seconds / step) * step);
  const parts: string[] = [];
  for (const [unit, size] of UNITS) {
    // Up to two days are said in hours.
    const count = unit === "day" && rest < 2 * DAY ? 0 : Math.floor(rest / size);
    rest -= count * size;
    if (count === 0 && (unit !== "second" || parts.length > 0)) continue;
    parts.push(new Intl.NumberFormat("en", { style: "unit", unit, unitDisplay: "long" }).format(count));
  }
  return new Intl.ListFormat("en", { type: "unit", style: "long" }).format(parts);
};
