/**
 * Every regular expression of the sources takes work in proportion to the text, whatever the text (no ReDoS).
 */
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { attackOn } from "./regex-steps.ts";
import { regexesOf } from "./tree.ts";

const CHECKOUT = fileURLToPath(new URL("../..", import.meta.url));
const split = (literal: string): [source: string, flags: string] => {
  const end = literal.lastIndexOf("/");
  return [literal.slice(1, end), literal.slice(end + 1)];
};

test.each([
  ["/^(a+)+$/", "nested repetition"],
  ["/^(a|a)*$/", "two ways to read the same"],
  ["/^\\s*a?\\s*$/", "neighbours that share characters"],
  ["/\\/+$/", "a search that begins anew at each character"],
  ["/Version\\/.*Safari\\//", "a search whose beginning can stand often"],
  ['/^application\\/json\\s*(?:;\\s*charset\\s*=\\s*"?([\\w-]+)"?\\s*)?;?\\s*$/i', "the one that was attacked"],
  ["/^(a{0,200}b?){3,}x$/", "bounded, but not by much"],
])("%s is found out: %s", (literal) => expect(attackOn(...split(literal))).toBeDefined());

test.each(["/^[a-z0-9]+(_[a-z0-9]+)+$/", "/^\\+[1-9]\\d{6,14}$/", "/\\r\\n|\\r|\\n/g", "/^(?:a|b)*c$/"])(
  "%s is linear",
  (literal) => expect(attackOn(...split(literal))).toBeUndefined(),
);

describe("no expression of the sources can be attacked", async () => {
  const found = await regexesOf(CHECKOUT);
  test("and there are some", () => expect(found.length).toBeGreaterThan(100));
  test.each(found)("$path: $literal", ({ literal }) => expect(attackOn(...split(literal))).toBeUndefined());
});

test.each([
  ["email", z.regexes.email],
  ["E.164", z.regexes.e164],
  ["instant", z.regexes.datetime({ precision: 3 })],
])("nor those of zod that read what clients send: %s", (_, { source, flags }) =>
  expect(attackOn(source, flags)).toBeUndefined(),
);
