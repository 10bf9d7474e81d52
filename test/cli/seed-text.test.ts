/** `seed` sends a plain world without parsing it: the server must get what a parse would have given, or nothing. */
import { describe, expect, test } from "vitest";
import { worldText } from "#server/commands/seed-text.ts";

const bytes = (text: string): Buffer => Buffer.from(text, "utf8");

describe("a world", () => {
  test.each([
    ['{"version":1,"apps":[{"appId":"a","name":"}\\"{"}]}'],
    [' \r\n\t{"apps":[[],{"a":"\\\\"}]}\n\n'],
    ['{ "apps": [\n  1\n] }'],
  ])("%j is sent as it is", (text) => {
    expect(worldText(bytes(text))?.toString()).toBe(bytes(text).toString());
  });

  test.each([
    ['{"apps":[]},"state":{"apps":[{"appId":"x"}]}'],
    ['{"apps":[]} {}'],
    ['{"apps":[]}}'],
    ['{"apps":["}'],
    ['{"apps":[]'],
    ["[]"],
    ["// a comment\n{}"],
    ["\uFEFF{}"],
    [""],
  ])("%j is left to the parser", (text) => {
    expect(worldText(bytes(text))).toBeUndefined();
  });
});
