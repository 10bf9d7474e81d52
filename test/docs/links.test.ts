/** Every relative link of the pages leads to a file that exists, and to a heading in it. */
import { existsSync } from "node:fs";
import { posix } from "node:path";
import { expect, test } from "vitest";
import { PAGES, readPage } from "./blocks.ts";

const pages = [...PAGES, "AGENTS.md", "CHANGELOG.md", ".github/CONTRIBUTING.md"];

/** @returns the anchors of a page, as GitHub makes them from its headings and as it names them itself. */
const anchorsOf = (page: string): string[] => {
  const text = readPage(page).replaceAll(/^( *)```[\s\S]*?^\1```$/gm, "");
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading.replaceAll(/<[^>]*>/g, ""));
  const made = headings.map((heading) =>
    heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
  return [...made, ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = ""]) => id)];
};

const deadLinks = (page: string, text = readPage(page)): string[] => {
  const links = [...text.replaceAll(/`[^`\n]*`/g, "").matchAll(/\]\((?![a-z]+:)([^)\s]+)\)/g)];
  return links
    .map(([, link = ""]) => link)
    .filter((link) => {
      const [path = "", anchor] = link.split("#");
      const file = path === "" ? page : posix.join(posix.dirname(page), path);
      if (!existsSync(new URL(`../../${file}`, import.meta.url))) return true;
      return anchor !== undefined && file.endsWith(".md") && !anchorsOf(file).includes(anchor);
    });
};

test("finds a link to a file or a heading that is not there", () => {
  const text = "[a](testing.md) [b](gone.md) [c](#here) [d](testing.md#no-such-heading) [e](https://example.com/x)";
  expect(deadLinks("docs/README.md", text)).toEqual(["gone.md", "#here", "testing.md#no-such-heading"]);
});

test.each(pages)("%s", (page) => expect(deadLinks(page)).toEqual([]));
