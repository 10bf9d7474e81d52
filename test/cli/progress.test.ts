/** Progress on a terminal. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { showProgress } from "#server/commands/progress.ts";

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
