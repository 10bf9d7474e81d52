/** Slips around the user of a request: names, places and values of its phone, email and other fields (D20, D23, D7, D8). */

import { isJsonArray, isJsonObject, type JsonValue } from "#contract/scalars.ts";
import { effectiveSettings } from "#contract/service/effective-settings.ts";
import { USERNAME_FIELDS, type UsernameField, usernameField } from "#contract/service/strategies.ts";
import { parsedJson } from "#contract/words/parsed-json.ts";
import type { AppWorld } from "#domain/world.ts";
import { nodesOf, type Path, pathWords, valueAtPath } from "./attempt.ts";
import { lettersOf, moved, type SlipFinder, type Tried, valueSlip, withBodyValue } from "./slip.ts";
import { shownValue, wordsIn } from "./texts.ts";
import { VALUE_KINDS } from "./value-kinds.ts";

const ANY_NAMES = wordsIn(`
  username userid user users login identifier identity to recipient destination contact value account phones
`);

/** @returns the path of a user's field in the body of a request to this app. */
export const fieldPath = (
  { attempt: { listener } }: Pick<Tried, "attempt">,
  { app }: AppWorld,
  field: string,
): Path => {
  if (listener === "admin") return [field];
  const { envelope, userField } = effectiveSettings(app.settings).wire;
  return [...(envelope === null ? [] : [envelope]), ...(userField === null ? [] : [userField]), field];
};

/** @returns values that can be the username under another name, or at another place; the valid ones first. */
const likeUsername = ({ attempt }: Tried, field: UsernameField, to: Path, envelope: string | null) => {
  const { names, isValid } = VALUE_KINDS[field];
  const isLike = ([path, value]: readonly [Path, JsonValue]): boolean => {
    const text = typeof value === "number" ? String(value) : value;
    if (typeof text !== "string" || text === "") return false;
    if (pathWords(path) === pathWords(to) || path.at(-1) === (envelope ?? "")) return false;
    const name = lettersOf(path.findLast((key) => !/^\d+$/.test(key)) ?? "");
    return names.has(name) || (ANY_NAMES.has(name) && isValid(text));
  };
  return nodesOf(attempt.body)
    .filter(isLike)
    .sort(([, a], [, b]) => Number(isValid(String(b))) - Number(isValid(String(a))));
};

const misnamed: SlipFinder = function* (refused) {
  const { attempt, verdict } = refused;
  const { app, fields } = verdict;
  if (app === undefined || attempt.listener !== "auth") return;
  const field = usernameField(app.app);
  const { userField, envelope } = effectiveSettings(app.app.settings).wire;
  const isMissing =
    fields[field]?.includes("can't be blank") || (userField !== null && Object.hasOwn(fields, userField));
  if (!isMissing) return;
  const to = fieldPath(refused, app, field);
  const userPath = to.slice(0, -1);
  const asText = userField === null ? undefined : valueAtPath(attempt.body, userPath);
  const parsed = typeof asText === "string" ? parsedJson(asText) : undefined;
  if (isJsonObject(parsed))
    yield {
      code: "json_in_string",
      words: `“${pathWords(userPath)}” is JSON within a string; it must be the object itself.`,
      meant: withBodyValue(attempt, userPath, parsed),
      place: "body",
    };
  for (const [path, value] of likeUsername(refused, field, to, envelope))
    yield {
      code: path.at(-1) === field ? "user_beside" : "renamed_field",
      words: `The ${field} was sent as “${pathWords(path)}”; it must be in “${pathWords(to)}”.`,
      meant: moved(attempt, path, to, value),
      place: "body",
    };
  for (const [name, value] of attempt.query)
    if (VALUE_KINDS[field].names.has(lettersOf(name)))
      yield {
        code: "renamed_field",
        words: `The ${field} was sent in the query, as “${name}”; it must be in the body, as “${pathWords(to)}”.`,
        meant: withBodyValue(attempt, to, value.replace(/^ /, "+")),
        place: "body",
      };
};

/** @returns the one text in a value of another kind: a number, or a list or an object around it. */
const textWithin = (value: JsonValue): string | undefined => {
  if (typeof value === "number") return String(value);
  const inner = isJsonArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
  const [only, ...others] = inner;
  // A country code and a number.
  const [second, ...more] = others;
  const isText = (part: JsonValue | undefined): part is string | number =>
    typeof part === "string" || typeof part === "number";
  if (isText(only) && isText(second) && more.length === 0 && /^\+\d{1,3}$/.test(String(only)))
    return `${only}${second}`;
  return others.length === 0 && typeof only === "string" ? only : undefined;
};

const MOST_LENGTH = 400;

/** A phone or an email in another form than the rules want. */
const malformed: SlipFinder = function* (refused) {
  const { attempt, verdict, trial } = refused;
  const { app, fields } = verdict;
  if (app === undefined) return;
  for (const field of USERNAME_FIELDS) {
    if (!Object.hasOwn(fields, field)) continue;
    const path = fieldPath(refused, app, field);
    const value = valueAtPath(attempt.body, path);
    if (value === undefined || value === null || value === "") continue;
    const text = typeof value === "string" ? value : textWithin(value);
    if (text === undefined || text.length > MOST_LENGTH) continue;
    const place = `“${pathWords(path)}”`;
    const is = `${place} is ${shownValue(trial.world, value)}`;
    if (typeof value !== "string" && VALUE_KINDS[field].isValid(text)) {
      const inner = VALUE_KINDS[field].clean(text);
      yield { ...valueSlip(attempt, "not_a_string", `${is}; it must be a string.`, path, inner), place: "body" };
    }
    for (const [code, words, instead] of VALUE_KINDS[field].forms(app, text))
      if (instead !== value) yield valueSlip(attempt, code, `${is}, which ${words}.`, path, instead);
  }
};

/** What is wrong with the user of a request, likeliest first. */
export const USER_SLIPS: readonly SlipFinder[] = [misnamed, malformed];
