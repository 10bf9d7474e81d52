/** What a command may do to the world around it, and how it fails. */

/** Text for a terminal: plain, with a style (an SGR code, such as 1 for bold), or several one after the other. */
export type Text = string | { readonly text: string; readonly style: number } | readonly Text[];

/** The terminal, or whatever stands in its place. What it writes has passed `terminalText` or `terminalJson`. */
export interface Io {
  /** Writes text for people to standard output. */
  out(text: Text): void;
  /** Writes a line for people to standard error. */
  err(line: string): void;
  /** Writes JSON to standard output. */
  json(text: string): void;
  /** Shows how far long work is, on standard error, over the line before; nothing if that is no terminal. "" takes it away. */
  progress(text: string): void;
  /** Asks on standard error, and reads a line of standard input; null at its end. */
  ask(question: string): Promise<string | null>;
  /** Reads standard input to its end. */
  input(): Promise<Uint8Array>;
}

/** Prints an answer: as one line of JSON if asked to, else as these lines. @returns 0. */
export const print = (io: Io, json: boolean | undefined, answer: unknown, lines: readonly string[]): number => {
  if (json === true) io.json(`${JSON.stringify(answer)}\n`);
  else for (const line of lines) io.out(`${printable(line)}\n`);
  return 0;
};

/** A failure that is told to people in one or more lines; the command ends with its status. */
export class CommandError extends Error {
  /** Status of the process, 1 to 255. */
  readonly exitStatus: number;

  constructor(message: string, exitStatus = 1) {
    super(message);
    this.name = "CommandError";
    this.exitStatus = exitStatus;
  }
}

/** @returns the failure of a command that was called wrongly (CONTRACT 13: exit status 2). */
export const wrongUsage = (message: string): CommandError => new CommandError(message, 2);

/** Exit status when nothing came in time, as of `timeout` (CONTRACT 13). */
export const TIMED_OUT = 124;

/** What steers a terminal or turns the direction of text; but not the joiners, without which some scripts break. */
const CONTROL = /(?![\u200C\u200D])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** @returns user text as a part of one line: whatever steers a terminal becomes `�`, a line feed too. */
export const printable = (text: string): string => text.replaceAll(CONTROL, "\uFFFD");

/**
 * The one door to the terminal. Whoever wrote the text: nothing in it steers the terminal.
 * @param colors whether the terminal takes styles. @returns what to write; of what is not plain, line feeds and tabs stay.
 */
export const terminalText = (text: Text, colors: boolean): string => {
  if (typeof text === "string")
    return text.replaceAll(CONTROL, (control) => (control === "\n" || control === "\t" ? control : "\uFFFD"));
  if ("style" in text) {
    const plain = terminalText(text.text, colors);
    return colors ? `\u001B[${text.style}m${plain}\u001B[0m` : plain;
  }
  return text.map((part) => terminalText(part, colors)).join("");
};

/** The same for JSON, which stays the same value: what steers a terminal becomes `\\uXXXX`. */
export const terminalJson = (json: string): string =>
  json.replaceAll(CONTROL, (control) => (control === "\n" ? control : control.split("").map(escaped).join("")));

/** @param unit one of UTF-16. @returns it as JSON escapes it. */
const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
