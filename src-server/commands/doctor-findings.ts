/**
 * What `stagedoor doctor` finds, and how it says so.
 */
import { printable, styled } from "./io.ts";

/** One thing that was looked at. */
export interface Finding {
  readonly check: "versions" | "ports" | "data" | "lock" | "electron";
  /** `bad`: a start would fail. */
  readonly level: "ok" | "warn" | "bad";
  /** One line, for people. */
  readonly text: string;
  /** What to do about it. */
  readonly advice?: string;
  /** The file that is concerned, and the byte in it. */
  readonly file?: string;
  readonly offset?: number;
}

const STYLES = { ok: 32, warn: 33, bad: 31 } as const;

/** @returns the findings as lines, what to do below each. @param colors whether the terminal takes them. */
export const findingLines = (findings: readonly Finding[], colors: boolean): string =>
  findings
    .flatMap(({ level, text, advice }) => [
      `${styled(level.padEnd(4), STYLES[level], colors)}  ${printable(text)}`,
      ...(advice === undefined ? [] : advice.split("\n").map((line) => `      ${printable(line)}`)),
    ])
    .map((line) => `${line}\n`)
    .join("");
