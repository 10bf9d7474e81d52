/** Progress on a terminal. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { showProgress } from "#server/commands/progress.ts";
import { replacedLines } from "#server/plumbing/io.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("is shown from the first second on, and cleared at the end", () => {
  const shown: string[] = [];
  const end = showProgress({ progress: (text) => void shown.push(text) }, "Importing");
  vi.advanceTimersByTime(999);
  expect(shown).toEqual([]);
  vi.advanceTimersByTime(2_001);
  expect(shown).toEqual(["Importing … 1 s", "Importing … 2 s", "Importing … 3 s"]);
  end();
  vi.advanceTimersByTime(5_000);
  expect(shown.slice(3)).toEqual([""]);
});

test("lines on a terminal replace those before, and are cut so that each stays one", () => {
  expect(replacedLines(0, "a\nb", 80)).toBe("\ra\u001B[K\nb\u001B[K\u001B[J");
  expect(replacedLines(3, "", 80)).toBe("\r\u001B[2A\u001B[K\u001B[J");
  expect(replacedLines(1, "abcdef", 5)).toBe("\rabcd\u001B[K\u001B[J");
  expect(replacedLines(1, "a\u001B[31m", 0)).toBe("\ra�[31m\u001B[K\u001B[J");
});
