/**
 * What a command may do to the world around it, and how it fails.
 */

/** The terminal, or whatever stands in its place. */
export interface Io {
  /** Writes to standard output, as it is. */
  out(text: string): void;
  /** Writes a line for people to standard error. */
  err(line: string): void;
  /** Shows how far long work is, on standard error, over the line before; nothing if that is no terminal. "" takes it away. */
  progress(text: string): void;
  /** Reads standard input to its end. */
  input(): Promise<Uint8Array>;
  /** Whether standard output takes colors: a terminal, and no `NO_COLOR`. */
  readonly colors: boolean;
}

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

/** @returns user text fit for a terminal: control characters, which could steer it, become `�`. */
export const printable = (text: string): string => text.replaceAll(/\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/gu, "\uFFFD");

/** @returns text with a style of the terminal, or as it is. @param style SGR code, such as 1 for bold. */
export const styled = (text: string, style: number, colors: boolean): string =>
  colors ? `\u001B[${style}m${text}\u001B[0m` : text;
