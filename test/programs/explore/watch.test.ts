/** What is said while an exploration runs. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Explored, ExploredRun } from "#contract/documents/explorations.ts";
import { tellRuns } from "#programs/explore/watch.ts";
import { replacedLines } from "#server/plumbing/io.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const RUN: ExploredRun = {
  step: "PUT session #1",
  kind: "lost",
  result: "failed",
  known: false,
  exitCode: 1,
  ms: 1_234,
  after: { requests: 0, lastStatus: null },
  left: { usedCodes: 1, lostSessions: 1 },
  repeat: "",
};
const none: Explored = { version: 1, steps: ["PUT session #1"], kinds: ["lost", "503"], runs: [] };
const one: Explored = { ...none, runs: [RUN] };
const listener = () => {
  const said: string[] = [];
  return {
    said,
    io: { progress: (text: string) => void said.push(text), err: (line: string) => void said.push(line) },
  };
};

test("on a terminal the matrix fills, with the time that is left", () => {
  const { said, io } = listener();
  const telling = tellRuns(io, true, 2, none, 9_000);
  expect(said).toEqual(["                lost  503\nPUT session #1\n0 of 2, about 9 s left"]);
  vi.advanceTimersByTime(2_000);
  expect(said.at(-1)).toContain("0 of 2, about 7 s left");
  telling.ended(RUN, one, 4_500);
  expect(said.at(-1)).toBe("                lost  503\nPUT session #1  ✗\n1 of 2, about 5 s left");
  telling.over();
  expect(said.at(-1)).toBe("");
  const { length } = said;
  vi.advanceTimersByTime(5_000);
  expect(said).toHaveLength(length);
});

test("elsewhere each run has a line, with the time that is left", () => {
  const { said, io } = listener();
  const telling = tellRuns(io, false, 2, none, 9_000);
  vi.advanceTimersByTime(2_000);
  telling.ended(RUN, one, 4_500);
  telling.ended({ ...RUN, result: "missed" }, { ...one, runs: [RUN, RUN] }, 0);
  telling.over();
  expect(said).toEqual([
    "1 of 2  ✗ PUT session #1, lost (1.2 s), about 5 s left",
    "2 of 2  – PUT session #1, lost (1.2 s): did not come",
  ]);
});

test("lines on a terminal replace those before, and are cut so that each stays one", () => {
  expect(replacedLines(0, "a\nb", 80)).toBe("\ra\u001B[K\nb\u001B[K\u001B[J");
  expect(replacedLines(3, "", 80)).toBe("\r\u001B[2A\u001B[K\u001B[J");
  expect(replacedLines(1, "abcdef", 5)).toBe("\rabcd\u001B[K\u001B[J");
  expect(replacedLines(1, "a\u001B[31m", 0)).toBe("\ra�[31m\u001B[K\u001B[J");
});
