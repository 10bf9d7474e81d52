/**
 * Where in a JSON text something is: the first fault, or the value at a path. Node 20's own message has the place of a
 * fault only sometimes, and never in bytes. Used when a start is refused, never on the way of a request.
 */

const SPACE = /[ \t\n\r]*/y;
const NUMBER_OR_WORD = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y;
/** A string up to its closing quote, or up to what must not stand in it. */
const STRING_BODY =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids exactly these (RFC 8259, 7)
  /"[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*/y;

type Step = string | number;
/** An object or array that the reader is in, with the step that leads on from it. */
interface Level {
  readonly closer: "]" | "}";
  step: Step;
}

/** Reads JSON without building it. Bytes are taken as characters, so that places are bytes. */
class Walker {
  at = 0;
  readonly #text: string;
  readonly #path: readonly Step[];
  readonly #levels: Level[] = [];
  /** How many of the levels lie on the path. */
  #onPath = 0;
  /** Where the last value on the path begins, and how deep it lies. */
  found = 0;
  #foundDepth = -1;

  constructor(text: string, start: number, path: readonly Step[]) {
    this.#text = text;
    this.#path = path;
    this.at = start;
  }

  /** @returns whether the text is JSON; if not, `at` is where it stops being so. */
  walk(): boolean {
    do {
      if (!this.#value()) return false;
    } while (this.#levels.length > 0);
    this.#take(SPACE);
    return this.at === this.#text.length;
  }

  /** Reads one value; of an object or array, its beginning. Then closes what ends here. */
  #value(): boolean {
    this.#take(SPACE);
    const depth = this.#levels.length;
    if (this.#onPath === depth && depth > this.#foundDepth) {
      this.found = this.at;
      this.#foundDepth = depth;
    }
    const first = this.#text[this.at];
    if (first === "{" || first === "[") return this.#enter(first);
    const done = first === '"' ? this.#string() !== undefined : this.#take(NUMBER_OR_WORD) !== "";
    return done && this.#goOn();
  }

  #enter(opener: "{" | "["): boolean {
    this.at += 1;
    this.#levels.push({ closer: opener === "{" ? "}" : "]", step: -1 });
    this.#take(SPACE);
    const level = this.#levels.at(-1);
    if (this.#text[this.at] === level?.closer) return this.#leave() && this.#goOn();
    return this.#nextStep();
  }

  #leave(): boolean {
    this.at += 1;
    this.#levels.pop();
    this.#onPath = Math.min(this.#onPath, this.#levels.length);
    return true;
  }

  /** After a value: a comma and the next step, or the end of one or more levels. */
  #goOn(): boolean {
    for (;;) {
      const level = this.#levels.at(-1);
      if (level === undefined) return true;
      this.#take(SPACE);
      const mark = this.#text[this.at];
      if (mark === level.closer) this.#leave();
      else if (mark === ",") {
        this.at += 1;
        this.#take(SPACE);
        return this.#nextStep();
      } else return false;
    }
  }

  #nextStep(): boolean {
    const level = this.#levels.at(-1);
    if (level === undefined) return false;
    if (level.closer === "]") level.step = typeof level.step === "number" ? level.step + 1 : 0;
    else {
      const key = this.#string();
      if (key === undefined) return false;
      level.step = key;
      this.#take(SPACE);
      if (this.#text[this.at] !== ":") return false;
      this.at += 1;
    }
    const inner = this.#levels.length - 1;
    if (this.#onPath >= inner) this.#onPath = level.step === this.#path[inner] ? inner + 1 : inner;
    return true;
  }

  #string(): string | undefined {
    const body = this.#take(STRING_BODY);
    if (body === "" || this.#text[this.at] !== '"') return undefined;
    this.at += 1;
    return body.slice(1);
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const taken = pattern.exec(this.#text)?.[0] ?? "";
    this.at += taken.length;
    return taken;
  }
}

/** @param start the first byte to read. @returns the byte at which the text stops being JSON, or undefined if it is JSON. */
export const jsonFaultAt = (bytes: Buffer, start: number): number | undefined => {
  const walker = new Walker(bytes.toString("latin1"), start, []);
  return walker.walk() ? undefined : walker.at;
};

/** @param path into the document. @returns the byte at which the value there begins, or the nearest one around it. */
export const placeInJson = (bytes: Buffer, start: number, path: readonly Step[]): number => {
  const walker = new Walker(bytes.toString("latin1"), start, path);
  walker.walk();
  return walker.found;
};

/** @returns the first byte that is no UTF-8, or undefined if all is. */
export const utf8FaultAt = (bytes: Buffer): number | undefined => {
  const again = Buffer.from(bytes.toString("utf8"), "utf8");
  const length = Math.min(again.length, bytes.length);
  for (let at = 0; at < length; at += 1) if (again[at] !== bytes[at]) return at;
  return again.length === bytes.length ? undefined : length;
};
