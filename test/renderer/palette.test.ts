import { describe, expect, test } from "vitest";
import { ranked, scoreOf } from "../../src-renderer/shell/fuzzy.ts";
import { recentFirst } from "../../src-renderer/shell/recent-commands.ts";

const same = (text: string): string => text;

describe("what was typed", () => {
  test("is found as a whole before it is found letter by letter", () =>
    expect(ranked("app", ["Go to Apps", "A plain page", "Switch to the app Demo"], same)).toEqual([
      "Go to Apps",
      "Switch to the app Demo",
      "A plain page",
    ]));

  test("has to occur in its order", () => {
    expect(scoreOf("gti", "Go to Inbox")).not.toBeNull();
    expect(scoreOf("itg", "Go to Inbox")).toBeNull();
  });

  test("finds everything, in its order, while it is nothing", () =>
    expect(ranked(" ", ["b", "a"], same)).toEqual(["b", "a"]));
});

test("recent commands come first; those that are no more are left out", () => {
  const commands = [{ id: "a" }, { id: "b" }, { id: "c" }];
  expect(recentFirst(commands, ["c", "gone", "b"]).map(({ id }) => id)).toEqual(["c", "b", "a"]);
});
