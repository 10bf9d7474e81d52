import { describe, expect, test } from "vitest";
import { ranked, recentFirst } from "../../src-renderer/shell/ranked.ts";

const same = (text: string): string => text;

describe("what was typed", () => {
  test("is found at the beginning of a word before it is found within, and that before letter by letter", () =>
    expect(ranked("app", ["A plain page", "Remap pages", "Wrapped", "Switch to the app Demo", "App"], same)).toEqual([
      "App",
      "Switch to the app Demo",
      "Wrapped",
      "Remap pages",
      "A plain page",
    ]));

  test("is found at the beginning of all before it is found at another word's, however short the rest", () =>
    expect(ranked("app", ["An app", "App settings"], same)).toEqual(["App settings", "An app"]));

  test("has to occur in its order", () => {
    expect(ranked("gti", ["Go to Inbox"], same)).toEqual(["Go to Inbox"]);
    expect(ranked("itg", ["Go to Inbox"], same)).toEqual([]);
    expect(ranked("oo", ["one"], same)).toEqual([]);
  });
});

test("recent commands come first; those that are no more are left out", () => {
  const commands = [{ id: "a" }, { id: "b" }, { id: "c" }];
  expect(recentFirst(commands, ["c", "gone", "b"]).map(({ id }) => id)).toEqual(["c", "b", "a"]);
});
