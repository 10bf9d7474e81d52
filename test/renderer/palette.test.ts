import { describe, expect, test } from "vitest";
import { ranked } from "../../src-renderer/shell/ranked.ts";

const same = (text: string): string => text;

describe("a search", () => {
  test("prefers the start of a word to its middle, then the shorter, and finds nothing by scattered letters", () =>
    expect(
      ranked("app", ["A plain page", "Remap pages", "Wrapped", "Switch to the app Demo", "App logs", "App"], same),
    ).toEqual(["App", "App logs", "Switch to the app Demo", "Wrapped"]));

  test("prefers the start of the text to the start of another word, whatever the length", () =>
    expect(ranked("app", ["An app", "App settings"], same)).toEqual(["App settings", "An app"]));

  test("finds the words in any order, before their letters inside of others", () =>
    expect(ranked("login failed", ["Failed logins", "Bare login, if failed", "Blogin failed"], same)).toEqual([
      "Failed logins",
      "Bare login, if failed",
      "Blogin failed",
    ]));
});
