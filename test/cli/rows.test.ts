import { expect, test } from "vitest";
import { shellWord } from "#contract/words/shell-words.ts";
import { curlLine } from "#server/commands/start-text.ts";
import { durationMs } from "#server/plumbing/options.ts";

test("times are seconds by default", () => {
  expect(["2", "1.5s", "500ms", "2m", "1h"].map((time) => durationMs(time, "--wait"))).toEqual([
    2_000, 1_500, 500, 120_000, 3_600_000,
  ]);
  expect(() => durationMs("soon", "--wait")).toThrow("--wait must be seconds");
});

test("the curl line survives quotes in a username", () => {
  const app = { appId: "a", name: "A", secret: "s", strategy: "email" as const, firstUsername: "o'brien@example.com" };
  expect(curlLine("http://x", app, "linux")).toContain(`'{"appId":"a","user":{"email":"o'\\''brien@example.com"}}'`);
  expect(curlLine("http://x", app, "win32")).toContain('"{\\"appId\\":\\"a\\"');
});

test.each([
  ["C:\\Program Files\\x\\", '"C:\\Program Files\\x\\\\"'],
  ['a "b" \\"c', '"a \\"b\\" \\\\\\"c"'],
  ["\\\\server\\share", '"\\\\server\\share"'],
  ["", '""'],
])("cmd.exe gets %s as one word", (text, word) => {
  expect(shellWord(text, "win32")).toBe(word);
});
