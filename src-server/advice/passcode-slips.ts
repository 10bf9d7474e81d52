/** Slips around the passcode of a PUT: its name, its place, its form (D24, D25). */

import { isJsonArray, isJsonObject, type JsonValue } from "#contract/scalars.ts";
import { effectiveSettings } from "#contract/service/effective-settings.ts";
import { visible } from "#contract/words/phone-words.ts";
import type { AppWorld } from "#domain/world.ts";
import { nodesOf, type Path, pathWords, valueAtPath } from "./attempt.ts";
import { lettersOf, moved, type SlipFinder, type Tried, valueSlip, withBodyValue } from "./slip.ts";
import { codeFlaw, shownValue, wordsIn } from "./texts.ts";

const NAMES = wordsIn(`
  passcode otp code onetimepasscode onetimepassword onetimecode pin token verificationcode verifycode smscode
  emailcode otpcode confirmationcode authcode securitycode logincode mfacode verification password secret xotp
  xotpcode xpasscode
`);

/** @returns the path of the passcode in the body of a request to this app. */
export const passcodePath = ({ app }: AppWorld): Path => {
  const { envelope, passcodeField } = effectiveSettings(app.settings).wire;
  return [...(envelope === null ? [] : [envelope]), ...passcodeField.split(".")];
};

/** @returns the code that a value of another kind means: the digits of a list, the one text of an object. */
const codeWithin = (value: JsonValue): string | undefined => {
  if (isJsonArray(value)) {
    const digits = value
      .map((one) => (typeof one === "string" || typeof one === "number" ? String(one) : " "))
      .join("");
    return /^\d{4,10}$/.test(digits) ? digits : undefined;
  }
  const [only, ...others] = isJsonObject(value) ? Object.values(value) : [];
  return others.length === 0 && (typeof only === "string" || typeof only === "number") ? String(only) : undefined;
};

const isCodeLike = (value: JsonValue): boolean => /^\d{4,10}$/.test(visible(String(value)).replace(/[\s-]/g, ""));

const misnamed: SlipFinder = function* ({ attempt, verdict, headers }: Tried) {
  const { app } = verdict;
  if (app === undefined || verdict.stage !== "passcode") return;
  const to = passcodePath(app);
  const own = lettersOf(to.at(-1) ?? "");
  const found = nodesOf(attempt.body).filter(
    ([path, value]) =>
      pathWords(path) !== pathWords(to) &&
      (NAMES.has(lettersOf(path.at(-1) ?? "")) || lettersOf(path.at(-1) ?? "") === own) &&
      (typeof value === "string" || typeof value === "number"),
  );
  found.sort(([, a], [, b]) => Number(isCodeLike(b)) - Number(isCodeLike(a)));
  for (const [path] of found)
    yield {
      code: "renamed_passcode",
      words: `The passcode was sent as “${pathWords(path)}”; it must be in “${pathWords(to)}”.`,
      meant: moved(attempt, path, to),
      place: "body",
    };
  const around = [
    ...[...attempt.query].map(([name, value]) => ["in the query, as", name, value] as const),
    ...Object.entries(headers).map(([name, value]) => ["in the header", name, value] as const),
  ];
  for (const [where, name, value] of around)
    if (typeof value === "string" && NAMES.has(lettersOf(name)) && isCodeLike(value))
      yield {
        code: "renamed_passcode",
        words: `The passcode was sent ${where} “${name}”; it must be in the body, as “${pathWords(to)}”.`,
        meant: withBodyValue(attempt, to, value.trim()),
        place: "body",
      };
};

const malformed: SlipFinder = function* ({ attempt, verdict, trial }: Tried) {
  const { app } = verdict;
  if (app === undefined || verdict.stage !== "passcode") return;
  const path = passcodePath(app);
  const value = valueAtPath(attempt.body, path);
  const text = value === undefined ? undefined : codeWithin(value);
  if (value === undefined || text === undefined) return;
  const words = `“${pathWords(path)}” is ${shownValue(trial.world, value)}; it must be a string of digits.`;
  yield { ...valueSlip(attempt, "not_a_string", words, path, text), place: "body" };
};

const nearly: SlipFinder = function* ({ attempt, verdict, trial }: Tried) {
  const { app, userId, code } = verdict;
  if (app === undefined || userId === undefined || code !== "passcode_mismatch") return;
  const path = passcodePath(app);
  const value = valueAtPath(attempt.body, path);
  const typed = typeof value === "string" || typeof value === "number" ? String(value) : "";
  const profile = trial.world.app(app.app.appId)?.find("profiles", userId);
  const newest = app.of("passcodes", userId).findLast(({ state }) => state === "active");
  const right = profile?.testPasscode ?? newest?.code;
  if (right === undefined) return;
  const flaw = codeFlaw(typed, right);
  const words =
    flaw === undefined
      ? mismatchWords(typed, right)
      : `“${pathWords(path)}” is “${typed.slice(0, 60)}”, which ${flaw.words}.`;
  yield valueSlip(attempt, flaw?.code ?? "passcode_mismatch", words, path, right);
};

const isSwap = (a: string, b: string): boolean => {
  const off = [...a].flatMap((char, at) => (char === b[at] ? [] : [at]));
  const [first = -1, second = -1] = off;
  return a.length === b.length && off.length === 2 && a[first] === b[second] && a[second] === b[first];
};

/** @returns how a code differs from the one that was sent. */
export const mismatchWords = (typed: string, code: string): string => {
  const words = `Received ${typed === "" ? "an empty code" : typed.slice(0, 60)}, expected ${code}.`;
  if (typed.length !== code.length) return `${words} Codes of this app have ${code.length} digits.`;
  return isSwap(typed, code) ? `${words} Two digits are swapped.` : words;
};

/** What is wrong with a passcode, likeliest first. */
export const PASSCODE_SLIPS: readonly SlipFinder[] = [misnamed, malformed, nearly];
