/** Where and how a text is no JSON, in words; only after `JSON.parse` has refused it. */
import { cutText } from "#contract/scalars.ts";
import { type JsonError, readJson } from "#contract/words/json-text.ts";

type Flaw = readonly [offset: number, words: string];

const MOST_SHOWN = 24;
const LOWER: Readonly<Record<string, string>> = { N: "null", T: "true", F: "false" };

const foreignWords = (word: string): string | undefined => {
  if (/^(?:NaN|Infinity|undefined)$/.test(word)) return `JSON has no ${word}`;
  if (/^(?:None|nil)$/.test(word)) return `JSON writes null, not ${word}`;
  return /^(?:NULL|Null|True|TRUE|False|FALSE)$/.test(word)
    ? `JSON writes ${LOWER[word.charAt(0)]} in lower case`
    : undefined;
};
const PLACEHOLDER = /^(?:\{\{[^{}\n]*\}\}|\$\{[^{}\n]*\}|\$[A-Za-z_]\w*|<[A-Z_]+>|%[A-Za-z_]\w*%|%[sd@])/;
const FORM = /^[\w.[\]%-]+=[^\s{}"&]*(?:&[\w.[\]%-]+=[^\s{}"&]*)*$/;
const SMART_QUOTES = "“”„‟‘’‚‛«»";

/** @returns what is wrong in a string. @param from the place of its opening quote. */
const stringFlaw = (text: string, from: number): Flaw => {
  for (let at = from + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) break;
    if (code < 0x20) {
      const name = code === 0x0a || code === 0x0d ? "a line break" : code === 0x09 ? "a tab" : "a control character";
      return [at, `${name} stands inside a string; escape it`];
    }
    if (code !== 0x5c) continue;
    at += 1;
    const letter = text[at] ?? "";
    if (!'"\\/bfnrtu'.includes(letter)) return [at - 1, `“\\${letter}” is not a JSON escape`];
    if (letter === "u" && !/^[\da-f]{4}$/i.test(text.slice(at + 1, at + 5)) && at + 5 <= text.length)
      return [at - 1, "“\\u” needs four hexadecimal digits"];
  }
  return [from, "the string that begins here has no closing quote"];
};

/** @returns what is wrong with quotation marks; undefined: nothing. @param rest from the place on. */
const quotesFlaw = (rest: string): string | undefined => {
  const [first = ""] = rest;
  const next = rest.slice(1).trimStart();
  if (first === "'" && /^[{[]/.test(next)) return "the body is in single quotes, as cmd.exe passes them on";
  if (first === "'" || first === "`" || SMART_QUOTES.includes(first))
    return `“${first}” is not a JSON quotation mark; use "`;
  if (first === "\\" && next.startsWith('"')) return "a backslash stands before a quotation mark outside a string";
  return undefined;
};

const shownOf = (rest: string): string => cutText(/^[^\s,}\]]+/.exec(rest)?.[0] ?? rest.slice(0, 1), MOST_SHOWN);
const wordOf = (rest: string): string => /^\w{1,24}/.exec(rest)?.[0] ?? "";

const nameFlaw = (rest: string): string => {
  const quotes = quotesFlaw(rest);
  if (quotes !== undefined) return quotes;
  const word = wordOf(rest);
  if (word !== "") return `the name “${word}” must be in double quotes`;
  return `a name in double quotes is missing before “${shownOf(rest)}”`;
};

const valueFlaw = (rest: string): string => {
  const placeholder = PLACEHOLDER.exec(rest)?.[0];
  if (placeholder !== undefined) return `“${placeholder}” is a placeholder that was not filled in`;
  const quotes = quotesFlaw(rest);
  if (quotes !== undefined) return quotes;
  const foreign = foreignWords(/^-?(\w+)/.exec(rest)?.[1] ?? "");
  if (foreign !== undefined) return foreign;
  if (/^[+-]?[.\d]/.test(rest)) return `“${shownOf(rest)}” is not a JSON number`;
  if (/^[}\],:]/.test(rest)) return `a value is missing before “${rest[0]}”`;
  return wordOf(rest) === ""
    ? `“${shownOf(rest)}” is not JSON`
    : `the text “${shownOf(rest)}” must be in double quotes`;
};

const endFlaw = ({ after, closer }: JsonError): string => {
  if (after === "name") return "the text ends here, after a name";
  if (after !== "value" || closer === undefined) return "the text ends here, where a value is expected";
  return `the text ends here, inside an ${closer === "}" ? "object" : "array"}: “${closer}” is missing`;
};

const flawAt = (text: string, error: JsonError): Flaw => {
  const { offset, after, closer, inString } = error;
  if (inString) return stringFlaw(text, offset);
  const rest = text.slice(offset, offset + 200);
  if (rest === "") return [offset, endFlaw(error)];
  if (/^(?:\/[/*]|#)/.test(rest)) return [offset, "JSON has no comments"];
  const [number] = /(?<![\w.+-])[+-]?\d[\w.+-]*$/.exec(text.slice(Math.max(0, offset - 400), offset)) ?? [];
  if (after === "value" && number !== undefined && /^[\w.+-]/.test(rest))
    return [offset - number.length, valueFlaw(number + rest)];
  if (after === "value" && closer === undefined)
    return [offset, `the JSON ends before “${shownOf(rest)}”, and nothing may follow it`];
  if (after === "value") return [offset, `a comma or “${closer}” is missing before “${shownOf(rest)}”`];
  if (after === "name") return [offset, `a colon is missing before “${shownOf(rest)}”`];
  if (after === "," && /^[}\]]/.test(rest))
    return [text.lastIndexOf(",", offset), `a trailing comma stands before “${rest[0]}”`];
  const braces = PLACEHOLDER.exec(text.slice(offset - 1, offset + 63))?.[0];
  if (after === "{" && braces !== undefined) return [offset - 1, valueFlaw(braces)];
  return [offset, after === "{" || (after === "," && closer === "}") ? nameFlaw(rest) : valueFlaw(rest)];
};

/** @returns what a whole body is instead of JSON; undefined: JSON with a flaw. */
const wholeFlaw = (text: string): string | undefined => {
  if (/^(?:\0[\x20-\x7e]|[\x20-\x7e]\0)/.test(text)) return "the body is UTF-16, not UTF-8";
  const start = text.slice(0, 4_096).trim();
  if (start === "" && text.trim() === "") return "the body is blank";
  if (FORM.test(start)) return "the body is a form (name=value&…), not JSON";
  if (/^--\S+\r?\nContent-Disposition:/i.test(start)) return "the body is multipart form data, not JSON";
  if (/^<(?:!doctype|\?xml|[a-z][\w:.-]*[\s>/])/i.test(start)) return "the body is XML or HTML, not JSON";
  if (/^\[object \w+\]$/.test(start))
    return `the body is “${start}”: an object that was turned into text; use JSON.stringify`;
  if (/^(?:[A-Za-z_$][\w.$]{0,60}[({[]|\{)\s{0,9}[A-Za-z_]\w{0,60}=/.test(start) || /^Instance of '/.test(start))
    return `the body is “${cutText(start, MOST_SHOWN)}”: an object that was turned into text, not into JSON`;
  return undefined;
};

/** @param text that `JSON.parse` refuses, without BOM. @returns its first flaw, with line and column, in a sentence. */
export const flawSentence = (text: string): string => {
  const whole = wholeFlaw(text);
  const read = readJson(text, { levels: Number.POSITIVE_INFINITY });
  const [offset, words]: Flaw =
    whole !== undefined ? [0, whole] : "error" in read ? flawAt(text, read.error) : [0, "this is not JSON"];
  const { line, column } = placeOf(text, offset);
  return `The body is not valid JSON: line ${line}, column ${column}: ${words}.`;
};

/** @param offset in UTF-16 units. @returns line and column from 1; columns count UTF-16 units, as editors do. */
const placeOf = (text: string, offset: number): { readonly line: number; readonly column: number } => {
  let line = 1;
  let from = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1))
    [line, from] = [line + 1, at + 1];
  return { line, column: offset - from + 1 };
};

const UTF16 = /^(?:\xff\xfe|\xfe\xff|[\x20-\x7e]\0|\0[\x20-\x7e])/;

/** @param bytes that are no UTF-8. @returns where, and what they may be, in a sentence. */
export const encodingSentence = (bytes: Buffer): string => {
  if (UTF16.test(bytes.toString("latin1", 0, 2))) return "The body is UTF-16, not UTF-8. Send it as UTF-8.";
  const text = bytes.toString("utf8");
  // The first character that decodes to the replacement without being sent as one.
  let offset = text.indexOf("\ufffd");
  for (; offset >= 0; offset = text.indexOf("\ufffd", offset + 1)) {
    const at = Buffer.byteLength(text.slice(0, offset));
    if (bytes.toString("latin1", at, at + 3) !== "\xef\xbf\xbd") {
      const { line, column } = placeOf(text, offset);
      const byte = (bytes[at] ?? 0).toString(16).padStart(2, "0");
      return `The body is not valid UTF-8: line ${line}, column ${column}: the byte 0x${byte}, as in Latin-1 or Windows-1252. Send it as UTF-8.`;
    }
  }
  return "The body is not valid UTF-8. Send it as UTF-8.";
};
