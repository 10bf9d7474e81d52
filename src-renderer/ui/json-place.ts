/**
 * Where a JSON text goes wrong. Browsers put that differently, and some not at all; so it is read once more here.
 */

/** What is wrong, and where: the offset in the text, line and column from 1. */
export interface JsonFault {
  readonly words: string;
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

const SPACE = /[ \t\r\n]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them in strings
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const WORD = /true|false|null/y;
const MOST_DEPTH = 500;

class Fault extends Error {
  readonly offset: number;
  constructor(words: string, offset: number) {
    super(words);
    this.offset = offset;
  }
}

class Reader {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): void {
    this.#value();
    if (this.#at < this.#text.length) throw new Fault("Nothing may follow the closing bracket", this.#at);
  }

  #take(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) return false;
    this.#at = pattern.lastIndex;
    return true;
  }

  #next(): string | undefined {
    this.#take(SPACE);
    return this.#text[this.#at];
  }

  #value(): void {
    const next = this.#next();
    if (next === "{") this.#entries("}", () => this.#member());
    else if (next === "[") this.#entries("]", () => this.#value());
    else if (next === '"') this.#string();
    else if (next === undefined) throw new Fault("A value is missing at the end", this.#at);
    else if (!this.#take(WORD) && !this.#take(NUMBER)) throw new Fault("Here a value should stand", this.#at);
    this.#take(SPACE);
  }

  #string(): void {
    if (!this.#take(STRING)) throw new Fault("This text has no end, or a character that must be escaped", this.#at);
  }

  #member(): void {
    if (this.#next() !== '"') throw new Fault("Here a name in double quotes should stand", this.#at);
    this.#string();
    if (this.#next() !== ":") throw new Fault("A colon is missing", this.#at);
    this.#at++;
    this.#value();
  }

  #entries(close: string, entry: () => void): void {
    if (++this.#depth > MOST_DEPTH) throw new Fault("This is nested too deep", this.#at);
    this.#at++;
    if (this.#next() !== close) {
      entry();
      while (this.#next() === ",") {
        const comma = this.#at++;
        if (this.#next() === close) throw new Fault("No comma may stand before a closing bracket", comma);
        entry();
      }
    }
    if (this.#next() !== close) throw new Fault(`A comma or a ${close} is missing`, this.#at);
    this.#at++;
    this.#depth--;
  }
}

/** @returns what is wrong with a JSON text, or undefined if nothing is. */
export const jsonFault = (text: string): JsonFault | undefined => {
  try {
    new Reader(text).document();
    return undefined;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const before = text.slice(0, error.offset);
    const line = before.split("\n").length;
    const column = error.offset - before.lastIndexOf("\n");
    return { words: error.message, offset: error.offset, line, column };
  }
};
