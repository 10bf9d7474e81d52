import { describe, expect, test } from "vitest";
import { ranked, recentFirst } from "../../src-renderer/shell/ranked.ts";

const same = (text: string): string => text;

describe("a search", () => {
  test("prefers the start of a word to its middle, and that to scattered letters", () =>
    expect(ranked("app", ["A plain page", "Remap pages", "Wrapped", "Switch to the app Demo", "App"], same)).toEqual([
      "App",
      "Switch to the app Demo",
      "Wrapped",
      "Remap pages",
      "A plain page",
    ]));

  test("prefers the start of the text to the start of another word, whatever the length", () =>
    expect(ranked("app", ["An app", "App settings"], same)).toEqual(["App settings", "An app"]));

  test("finds the words in any order, before their letters inside of others", () =>
    expect(ranked("login failed", ["Failed logins", "Bare login, if failed", "Blogin failed"], same)).toEqual([
      "Failed logins",
      "Bare login, if failed",
      "Blogin failed",
    ]));

  test("never finds by scattered letters what must be exact", () => {
    expect(ranked("why", ["Set a fault: with you"], same)).toEqual(["Set a fault: with you"]);
    expect(ranked("why", ["Set a fault: with you", "Why"], same, (text) => text.startsWith("Set"))).toEqual(["Why"]);
  });

  test("requires the letters in order", () => {
    expect(ranked("gti", ["Go to Inbox"], same)).toEqual(["Go to Inbox"]);
    expect(ranked("itg", ["Go to Inbox"], same)).toEqual([]);
    expect(ranked("oo", ["one"], same)).toEqual([]);
  });
});

test("recent commands come first, without those that no longer exist", () => {
  const commands = [{ id: "a" }, { id: "b" }, { id: "c" }];
  expect(recentFirst(commands, ["c", "gone", "b"]).map(({ id }) => id)).toEqual(["c", "b", "a"]);
});
