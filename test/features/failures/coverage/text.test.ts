/** Login coverage as text for others: files of earlier runs may hold any words. */
import { expect, test } from "vitest";
import { coverageMarkdown } from "#features/failures/coverage/contract/words.ts";
import { coverageJunit } from "#features/failures/coverage/text.ts";

const coverage = (title: string) => ({
  items: [
    {
      outcome: "codeSent" as const,
      group: "Receiving the code",
      title,
      screen: title,
      provoke: title,
      count: 0,
      resent: 0,
      firstAt: null,
      lastAt: null,
      lastRequestId: null,
    },
  ],
  met: 0,
  total: 1,
});

/** Every control character, halves of pairs, and what else XML 1.0 does not have. */
const NO_XML = `${String.fromCharCode(...Array.from({ length: 32 }, (_, code) => code).filter((code) => ![9, 10, 13].includes(code)))}\ud800\udc00x\udfff\ufffe\uffff`;

test("a JUnit report has only characters that XML allows, and keeps the others", () => {
  const report = coverageJunit(coverage(`A${NO_XML}<"&>\t\r\n😀`), 50);
  expect(report).not.toMatch(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u);
  const name = `A${"\ufffd".repeat(29)}\ud800\udc00x${"\ufffd".repeat(3)}&lt;&quot;&amp;&gt;&#9;&#13;&#10;😀`;
  expect(report).toContain(`name="${name}"><skipped message="${name}"/>`);
});

test("in Markdown nothing ends a cell, and nothing is markup", () =>
  expect(coverageMarkdown(coverage("a|b\n<img> `c` *d*")).at(-1)).toBe(
    "|  | a\\|b \\<img\\> \\`c\\` \\*d\\* | 0 | a\\|b \\<img\\> \\`c\\` \\*d\\* |",
  ));
