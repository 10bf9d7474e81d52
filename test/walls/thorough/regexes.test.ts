/** Every regular expression of the sources takes time proportional to the text, whatever the text (no ReDoS). */
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { attackOn } from "../regex-steps.ts";
import { regexesOf } from "../tree.ts";

const CHECKOUT = fileURLToPath(new URL("../../..", import.meta.url));
const split = (literal: string): [source: string, flags: string] => {
  const end = literal.lastIndexOf("/");
  return [literal.slice(1, end), literal.slice(end + 1)];
};

test.each([
  ["/^(a+)+$/", "nested repetition"],
  ["/^(a|a)*$/", "ambiguous alternatives"],
  ["/^\\s*a?\\s*$/", "neighbours that share characters"],
  ["/\\/+$/", "a search that restarts at each character"],
  ["/Version\\/.*Safari\\//", "a search with many possible starts"],
  ['/^application\\/json\\s*(?:;\\s*charset\\s*=\\s*"?([\\w-]+)"?\\s*)?;?\\s*$/i', "the one that was attacked"],
  ["/\\beyJ[\\w-]*\\.[\\w-]+/", "a search that restarts at each word, in words joined by what it accepts"],
  ["/^(a{0,200}b?){3,}x$/", "bounded, but too generously"],
])("%s is detected: %s", (literal) => expect(attackOn(...split(literal))).toBeDefined());

test.each(["/^[a-z0-9]+(_[a-z0-9]+)+$/", "/^\\+[1-9]\\d{6,14}$/", "/\\r\\n|\\r|\\n/g", "/^(?:a|b)*c$/"])(
  "%s is linear",
  (literal) => expect(attackOn(...split(literal))).toBeUndefined(),
);

describe("no expression of the sources is vulnerable", async () => {
  const found = await regexesOf(CHECKOUT);
  test("and there are more than 100", () => expect(found.length).toBeGreaterThan(100));
  test.each(found)("$path: $literal", ({ literal }) => expect(attackOn(...split(literal))).toBeUndefined());
});

test.each([
  ["email", z.regexes.email],
  ["E.164", z.regexes.e164],
  ["instant", z.regexes.datetime({ precision: 3 })],
])("nor is zod's for client input: %s", (_, { source, flags }) => expect(attackOn(source, flags)).toBeUndefined());
