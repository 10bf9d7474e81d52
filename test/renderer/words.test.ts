import { describe, expect, test } from "vitest";
import { recipientText } from "#contract/words/phone-words.ts";
import { agoWords, deviceWords, leftWords, shiftWords } from "../../src-renderer/ui/words.ts";

describe("times in words", () => {
  test.for([
    [0, "now"],
    [-5_000, "now"],
    [12_000, "12 s ago"],
    [59_999, "59 s ago"],
    [480_000, "8 min ago"],
    [3_600_000, "1 h ago"],
    [90_000_000, "1 d ago"],
  ] as const)("%i ms ago: %s", ([ms, words]) => expect(agoWords(ms)).toBe(words));

  test.for([
    [-1, "0:00"],
    [1, "0:01"],
    [84_000, "1:24"],
    [600_000, "10:00"],
    [86_340_000, "23 h 59 min"],
    [1_000_000_000, "11 d"],
  ] as const)("%i ms left: %s", ([ms, words]) => expect(leftWords(ms)).toBe(words));

  test.for([
    [90, "+90 s"],
    [60, "+1 min"],
    [3_600, "+1 h"],
    [86_400, "+1 d"],
    [100_000, "+28 h"],
    [-600, "-10 min"],
    [7_200, "+2 h"],
    [-864_000, "-10 d"],
  ] as const)("clock moved by %i s: %s", ([seconds, words]) => expect(shiftWords(seconds)).toBe(words));
});

test("a phone number is grouped if its format is known; an email address stays as it is", () => {
  expect(recipientText("+12025550100")).toBe("+1 202 555 0100");
  expect(recipientText("+442079460000")).toBe("+44 2079 460000");
  expect(recipientText("a+1@example.com")).toBe("a+1@example.com");
});

test.for([
  [null, "Unknown device"],
  ["curl/8.5.0", "curl"],
  ["okhttp/5.1.0", "OkHttp"],
  ["Java/17.0.15", "Java"],
  ["Java-http-client/17.0.15", "Java"],
  ["Shop/3 CFNetwork/1490 Darwin/23", "URLSession, macOS"],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/1 Safari/604.1",
    "Safari, iPhone",
  ],
  ["Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/156.0 Safari/537.36 Edg/156.0", "Edge, Linux"],
  ["SomethingElse/1", "SomethingElse/1"],
] as const)("the device %s is named %s", ([userAgent, words]) => expect(deviceWords(userAgent)).toBe(words));
