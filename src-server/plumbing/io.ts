/** Input, output and errors of commands. */

/** Text for a terminal: plain, with a style (an SGR code, such as 1 for bold), or a sequence of texts. */
export type Text = string | { readonly text: string; readonly style: number } | readonly Text[];

/** The terminal, or a substitute. Everything written goes through `terminalText` or `terminalJson`. */
export interface Io {
  /** Writes text to stdout. */
  out(text: Text): void;
  /** Writes a line to stderr. */
  err(line: string): void;
  /** Writes a value to stdout as JSON: one line, or indented. */
  json(value: unknown, indent?: number): void;
  /** Shows progress on stderr, in one line or several, replacing what was shown before; only on a terminal. "" clears it. */
  progress(text: string): void;
  /** Prompts on stderr, and reads a line from stdin; null at its end. */
  ask(question: string): Promise<string | null>;
  /** Reads stdin to its end. @returns why not, if it has more than this many bytes. */
  input(mostBytes: number): Promise<Uint8Array | string>;
}

/** Prints a result: as one line of JSON if requested, otherwise as these lines. @returns 0. */
export const print = (io: Io, json: boolean | undefined, answer: unknown, lines: readonly string[]): number => {
  if (json === true) io.json(answer);
  else for (const line of lines) io.out(`${printable(line)}\n`);
  return 0;
};

/** Prints a result whose text is only a message, on stderr. @returns 0. */
export const report = (io: Io, json: boolean | undefined, answer: unknown, message: string): number => {
  if (json !== true) io.err(message);
  return print(io, json, answer, []);
};

/** A failure with a message of one or more lines; the command exits with its status, 1 to 255. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly exitStatus: number;

  constructor(message: string, exitStatus = 1, options?: ErrorOptions) {
    super(message, options);
    this.exitStatus = exitStatus;
  }
}

/** @returns a usage error. */
export const wrongUsage = (message: string): CommandError => new CommandError(message, 2);

/** Exit status after a timeout, as of `timeout`. */
export const TIMED_OUT = 124;

/** Characters that control a terminal or the direction of text, except joiners, which some scripts need. */
const CONTROL = /(?![\u200C\u200D])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** @returns user text for use within a line: control characters, including newlines, become `�`. */
export const printable = (text: string): string => text.replaceAll(CONTROL, "\uFFFD");

/**
 * All text for the terminal goes through here, so that no text can control the terminal.
 * @param colors whether the terminal supports styles. @returns the output; styled text keeps its newlines and tabs.
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

const USUAL_COLUMNS = 80;
/**
 * @param before how many lines are shown. @param columns of the terminal, 0 if unknown: a longer line is cut, so that it stays one.
 * @returns what replaces them on a terminal; the cursor stays in the last line.
 */
export const replacedLines = (before: number, text: string, columns: number): string => {
  const up = before > 1 ? `\u001B[${before - 1}A` : "";
  // A line that fills the last column would leave the cursor beyond it.
  const most = (columns > 1 ? columns : USUAL_COLUMNS) - 1;
  const lines = text.split("\n").map((line) => [...terminalText(line, false)].slice(0, most).join(""));
  return `\r${up}${lines.map((line) => `${line}\u001B[K`).join("\n")}\u001B[J`;
};

/** The same for JSON, whose value stays the same: control characters become `\\uXXXX`. */
export const terminalJson = (json: string): string =>
  json.replaceAll(CONTROL, (control) => (control === "\n" ? control : control.split("").map(unicodeEscape).join("")));

/** @param unit a UTF-16 code unit. @returns its JSON escape. */
const unicodeEscape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
