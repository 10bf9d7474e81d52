/** Slips in the writing of a body: what would be JSON, had it been written as such. */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "#contract/scalars.ts";
import { readJson } from "#contract/words/json-text.ts";
import { parsedJson } from "#contract/words/parsed-json.ts";
import { withValue } from "./attempt.ts";
import { type SlipFinder, withBody } from "./slip.ts";
import { unquoted } from "./texts.ts";

const asJson = (text: string): JsonValue | undefined => {
  const read = readJson(text, { jsonc: true });
  return "value" in read ? read.value : undefined;
};

const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bNone\b|\bnil\b|\bundefined\b|\bNaN\b|\bNULL\b|\bNull\b/g, "null"],
  [/\bTrue\b|\bTRUE\b/g, "true"],
  [/\bFalse\b|\bFALSE\b/g, "false"],
];

/** A string in double quotes, perhaps without its end, which a split keeps. */
const STRING = /("(?:[^"\\]|\\.)*"?)/s;

/** @returns the text with what people write for JSON in its stead; strings in double quotes stay as they are. */
const rewritten = (text: string): string => {
  const quoted = unquoted(text).replaceAll('\\"', '"').replace(/[“”„]/g, '"');
  return quoted
    .split(STRING)
    .map((part, at) => {
      if (at % 2 === 1) return part;
      const words = WORDS.reduce((left, [pattern, json]) => left.replace(pattern, json), part);
      return words
        .replace(/'([^'"\\]*)'/g, '"$1"')
        .replace(/([{,]\s*)([A-Za-z_]\w*)(\s*:)/g, '$1"$2"$3')
        .replace(/:(\s*)(\+\d{7,15})(?=\s*[,}])/g, ':$1"$2"');
    })
    .join("");
};

const formObject = (text: string): JsonObject | undefined => {
  if (!/^[\w.[\]%-]+=/.test(text)) return undefined;
  let body: JsonObject = {};
  for (const [name, value] of [...new URLSearchParams(text.trim())].slice(0, 50)) {
    const path = name.split(/[.[\]]+/).filter(Boolean);
    if (path.length > 0 && path.length < 5) body = withValue(body, path, value);
  }
  return Object.keys(body).length > 0 ? body : undefined;
};

/** @returns what a text that is no object may have been meant as, the likeliest first. */
function* meanings(text: string, value: JsonValue | undefined): Generator<JsonObject> {
  if (typeof value === "string") {
    const inner = parsedJson(value);
    if (isJsonObject(inner)) yield inner;
  }
  if (isJsonArray(value)) {
    const [only, ...others] = value;
    if (only !== undefined && others.length === 0 && isJsonObject(only)) yield only;
  }
  if (value !== undefined) return;
  const form = formObject(text);
  if (form !== undefined) yield form;
  for (const written of [text, rewritten(text)]) {
    const read = asJson(written);
    if (isJsonObject(read)) yield read;
  }
}

/** @param text the whole body. @param words what is wrong with it. @returns the finder for it. */
export const bodySlips = (text: string, words: string): SlipFinder =>
  function* ({ attempt, verdict }) {
    if (verdict.stage !== "body") return;
    for (const body of meanings(text, attempt.body))
      yield { code: verdict.code ?? "malformed_json", words, meant: withBody(attempt, body), place: "body" };
  };

/** So long a text can have one. */
const SUSPECT = /\d{16}|[eE][+-]?\d{3}/;
const MOST = 3;

const ZERO = /^-?0*(?:\.0*)?(?:[eE].*)?$/;

const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"?|[-\d][-+.\deE]*/gs;

/** @returns the numbers of a JSON text, as they are written; none of those in its strings. */
const numbersIn = (json: string): readonly string[] =>
  (json.match(STRING_OR_NUMBER) ?? []).filter((found) => !found.startsWith('"'));

const isRounded = (text: string): boolean => {
  const kept = Number(text);
  if (/^-?\d+$/.test(text))
    return !Number.isFinite(kept) || (!Number.isSafeInteger(kept) && BigInt(text) !== BigInt(kept));
  return !Number.isFinite(kept) || (kept === 0 && !ZERO.test(text));
};

/** @param body JSON, perhaps only its beginning. @returns numbers in it that are kept as others: as sent, and as kept. */
export const roundedNumbers = (body: string): readonly (readonly [sent: string, kept: string])[] => {
  if (!SUSPECT.test(body)) return [];
  const found = numbersIn(body).filter(isRounded);
  return found.slice(0, MOST).map((sent) => [sent.slice(0, 40), JSON.stringify(Number(sent))] as const);
};
