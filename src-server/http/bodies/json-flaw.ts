/**
 * Where and how a text is no JSON. Runs only after `JSON.parse` has refused it, and stops at the first
 * flaw, so it costs less than the parse.
 */
import { frozen } from "#contract/frozen.ts";
import { cutText } from "#contract/scalars.ts";
import { placeOf } from "./body-encoding.ts";

/** What a text that is no JSON has, or is. */
type JsonFlawKind =
  | "blank"
  | "comment"
  | "control_character"
  | "cut_off"
  | "escape"
  | "form"
  | "markup"
  | "more_after"
  | "no_json_value"
  | "number"
  | "placeholder"
  | "punctuation"
  | "quotes"
  | "trailing_comma"
  | "unexpected";

/** A flaw. Line and column are from 1; columns count UTF-16 units, as editors do. */
export interface JsonFlaw {
  readonly kind: JsonFlawKind;
  readonly line: number;
  readonly column: number;
  /** What is wrong there, as a clause. */
  readonly words: string;
}

/** Stops the scan. */
class Found extends Error {
  readonly offset: number;
  readonly kind: JsonFlawKind;
  readonly words: string;
  constructor(offset: number, kind: JsonFlawKind, words: string) {
    super(words);
    [this.offset, this.kind, this.words] = [offset, kind, words];
  }
}

const MOST_SHOWN = 24;
/** Constants of other languages, and what they are in JSON. */
const FOREIGN = frozen<Readonly<Record<string, string>>>({
  NaN: "JSON has no NaN",
  Infinity: "JSON has no Infinity",
  undefined: "JSON has no undefined",
  None: "JSON writes null, not None",
  nil: "JSON writes null, not nil",
  NULL: "JSON writes null in lower case",
  Null: "JSON writes null in lower case",
  True: "JSON writes true in lower case",
  TRUE: "JSON writes true in lower case",
  False: "JSON writes false in lower case",
  FALSE: "JSON writes false in lower case",
});
const PLACEHOLDER = /^(?:\{\{[^{}\n]*\}\}|\$\{[^{}\n]*\}|\$[A-Za-z_]\w*|<[A-Z_]+>|%[A-Za-z_]\w*%|%[sd@])/;
const FORM = /^[\w.[\]%-]+=[^\s{}"&]*(?:&[\w.[\]%-]+=[^\s{}"&]*)*$/;
const SMART_QUOTES = "“”„‟‘’‚‛«»";
const ESCAPES = '"\\/bfnrtu';

const isSpace = (code: number): boolean => code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
const isWordCode = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) || code === 0x5f;

/** Scans a text up to its first flaw. */
class Scan {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** @throws Found */
  run(): void {
    this.#space();
    if (this.#at >= this.#text.length) throw new Found(0, "blank", "the body is blank");
    /** The closers of what is open, innermost last. */
    const open: ("}" | "]")[] = [];
    for (;;) {
      let isEmpty = false;
      const opener = this.#text[this.#at];
      if (opener === "{" || opener === "[") {
        if (PLACEHOLDER.test(this.#text.slice(this.#at, this.#at + 64))) this.#stranger();
        const closer = opener === "{" ? "}" : "]";
        this.#at += 1;
        this.#space();
        open.push(closer);
        if (this.#text[this.#at] === closer) isEmpty = true;
        else {
          if (closer === "}") this.#key();
          continue;
        }
      } else this.#scalar();
      this.#afterValue(open, isEmpty);
      if (open.length === 0) break;
    }
    if (this.#at < this.#text.length) {
      this.#comment();
      throw new Found(this.#at, "more_after", `the JSON ends before “${this.#shown()}”, and nothing may follow it`);
    }
  }

  /** Closes what ends here, then reads the comma, and the next name. @param isEmpty whether a closer comes at once. */
  #afterValue(open: ("}" | "]")[], isEmpty: boolean): void {
    this.#space();
    for (;;) {
      const closer = open.at(-1);
      if (closer === undefined) return;
      if (this.#text[this.#at] === closer) {
        open.pop();
        this.#at += 1;
        this.#space();
        continue;
      }
      if (isEmpty) return;
      this.#comment();
      const what = closer === "}" ? "object" : "array";
      if (this.#at >= this.#text.length)
        throw new Found(this.#at, "cut_off", `the text ends here, inside an ${what}: “${closer}” is missing`);
      if (this.#text[this.#at] !== ",")
        throw new Found(this.#at, "punctuation", `a comma or “${closer}” is missing before “${this.#shown()}”`);
      const comma = this.#at;
      this.#at += 1;
      this.#space();
      const next = this.#text[this.#at];
      if (next === "}" || next === "]")
        throw new Found(comma, "trailing_comma", `a trailing comma stands before “${next}”`);
      if (closer === "}") this.#key();
      return;
    }
  }

  #space(): void {
    while (isSpace(this.#text.charCodeAt(this.#at))) this.#at += 1;
  }

  #comment(): void {
    const two = this.#text.slice(this.#at, this.#at + 2);
    if (two === "//" || two === "/*") throw new Found(this.#at, "comment", "JSON has no comments");
    if (two[0] === "#") throw new Found(this.#at, "comment", "JSON has no comments");
  }

  #key(): void {
    if (this.#text[this.#at] !== '"') this.#noKey();
    this.#string();
    this.#space();
    if (this.#text[this.#at] !== ":") {
      if (this.#at >= this.#text.length) throw new Found(this.#at, "cut_off", "the text ends here, after a name");
      throw new Found(this.#at, "punctuation", `a colon is missing before “${this.#shown()}”`);
    }
    this.#at += 1;
    this.#space();
  }

  #noKey(): never {
    this.#end();
    this.#comment();
    this.#quotes();
    const word = this.#word();
    if (word !== "") throw new Found(this.#at, "quotes", `the name “${word}” must be in double quotes`);
    throw new Found(this.#at, "unexpected", `a name in double quotes is missing before “${this.#shown()}”`);
  }

  /** Reads a string, from its opening quote. */
  #string(): void {
    const from = this.#at;
    for (let at = from + 1; ; at += 1) {
      const code = this.#text.charCodeAt(at);
      if (code === 0x22) {
        this.#at = at + 1;
        return;
      }
      if (Number.isNaN(code)) throw new Found(from, "cut_off", "the string that begins here has no closing quote");
      if (code < 0x20) {
        const name = code === 0x0a || code === 0x0d ? "a line break" : code === 0x09 ? "a tab" : "a control character";
        throw new Found(at, "control_character", `${name} stands inside a string; escape it`);
      }
      if (code !== 0x5c) continue;
      at += 1;
      const letter = this.#text[at];
      if (letter !== undefined && !ESCAPES.includes(letter))
        throw new Found(at - 1, "escape", `“\\${letter}” is not a JSON escape`);
      if (letter === "u" && !/^[\da-f]{4}$/i.test(this.#text.slice(at + 1, at + 5)) && at + 5 <= this.#text.length)
        throw new Found(at - 1, "escape", "“\\u” needs four hexadecimal digits");
    }
  }

  #scalar(): void {
    if (this.#text[this.#at] === '"') {
      this.#string();
      return;
    }
    const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/.exec(this.#text.slice(this.#at, this.#at + 400))?.[0];
    const word = this.#word();
    if (word === "true" || word === "false" || word === "null") {
      this.#at += word.length;
      return;
    }
    const after = number === undefined ? undefined : this.#text[this.#at + number.length];
    if (number !== undefined && (after === undefined || !/[\w.+-]/.test(after))) {
      this.#at += number.length;
      return;
    }
    this.#stranger();
  }

  /** Says what stands where a value should. */
  #stranger(): never {
    this.#end();
    this.#comment();
    const rest = this.#text.slice(this.#at, this.#at + 200);
    const placeholder = PLACEHOLDER.exec(rest)?.[0];
    if (placeholder !== undefined)
      throw new Found(this.#at, "placeholder", `“${placeholder}” is a placeholder that was not filled in`);
    this.#quotes();
    const foreign = FOREIGN[/^-?(\w+)/.exec(rest)?.[1] ?? ""];
    if (foreign !== undefined) throw new Found(this.#at, "no_json_value", foreign);
    if (/^[+-]?[.\d]/.test(rest)) throw new Found(this.#at, "number", `“${this.#shown()}” is not a JSON number`);
    if (/^[}\],:]/.test(rest)) throw new Found(this.#at, "punctuation", `a value is missing before “${rest[0]}”`);
    const word = this.#word();
    if (word !== "") throw new Found(this.#at, "quotes", `the text “${this.#shown()}” must be in double quotes`);
    throw new Found(this.#at, "unexpected", `“${this.#shown()}” is not JSON`);
  }

  #end(): void {
    if (this.#at >= this.#text.length)
      throw new Found(this.#at, "cut_off", "the text ends here, where a value should stand");
  }

  #quotes(): void {
    const first = this.#text[this.#at] ?? "";
    const rest = this.#text.slice(this.#at + 1).trimStart();
    if (first === "'" && /^[{[]/.test(rest))
      throw new Found(this.#at, "quotes", "the body is in single quotes, as cmd.exe passes them on");
    if (first === "'" || first === "`" || SMART_QUOTES.includes(first))
      throw new Found(this.#at, "quotes", `“${first}” is not a JSON quotation mark; use "`);
    if (first === "\\" && rest.startsWith('"'))
      throw new Found(this.#at, "quotes", "a backslash stands before a quotation mark outside a string");
  }

  #word(): string {
    let end = this.#at;
    while (end - this.#at < MOST_SHOWN && isWordCode(this.#text.charCodeAt(end))) end += 1;
    return this.#text.slice(this.#at, end);
  }

  #shown(): string {
    const line = /^[^\s,}\]]*/.exec(this.#text.slice(this.#at, this.#at + MOST_SHOWN + 1))?.[0] ?? "";
    return cutText(line === "" ? (this.#text[this.#at] ?? "") : line, MOST_SHOWN);
  }
}

/** @returns what a whole body is instead of JSON; undefined: JSON with a flaw. */
const wholeFlaw = (text: string): Pick<JsonFlaw, "kind" | "words"> | undefined => {
  if (/^(?:\0[\x20-\x7e]|[\x20-\x7e]\0)/.test(text))
    return { kind: "unexpected", words: "the body is UTF-16, not UTF-8" };
  const start = text.slice(0, 4_096).trim();
  if (FORM.test(start)) return { kind: "form", words: "the body is a form (name=value&…), not JSON" };
  if (/^--\S+\r?\nContent-Disposition:/i.test(start))
    return { kind: "form", words: "the body is multipart form data, not JSON" };
  if (/^<(?:!doctype|\?xml|[a-z][\w:.-]*[\s>/])/i.test(start))
    return { kind: "markup", words: "the body is XML or HTML, not JSON" };
  if (/^\[object \w+\]$/.test(start))
    return {
      kind: "no_json_value",
      words: `the body is “${start}”: an object that was turned into text; use JSON.stringify`,
    };
  if (/^(?:[A-Za-z_$][\w.$]{0,60}[({[]|\{)\s{0,9}[A-Za-z_]\w{0,60}=/.test(start) || /^Instance of '/.test(start))
    return {
      kind: "no_json_value",
      words: `the body is “${cutText(start, MOST_SHOWN)}”: an object that was turned into text, not into JSON`,
    };
  return undefined;
};

/** @param text that `JSON.parse` refuses, without BOM. @returns its first flaw. */
export const jsonFlaw = (text: string): JsonFlaw => {
  const whole = wholeFlaw(text);
  if (whole !== undefined) return { ...whole, line: 1, column: 1 };
  try {
    new Scan(text).run();
  } catch (thrown) {
    if (!(thrown instanceof Found)) throw thrown;
    const { kind, words } = thrown;
    return { kind, words, ...placeOf(text, thrown.offset) };
  }
  return { kind: "unexpected", words: "this is not JSON", line: 1, column: 1 };
};

/** @returns the flaw in a sentence. */
export const flawSentence = ({ line, column, words }: JsonFlaw): string =>
  `The body is not valid JSON: line ${line}, column ${column}: ${words}.`;
