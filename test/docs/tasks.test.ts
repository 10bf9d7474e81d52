/** What people come with is at most three clicks from the README. The tasks were written before the pages were read. */
import { posix } from "node:path";
import { expect, test } from "vitest";
import { PAGES, readPage } from "./blocks.ts";

/** A task, the page that answers it, and what stands there. */
const TASKS = [
  ["my app in an Android emulator does not reach 127.0.0.1", "README.md", "http://10.0.2.2:4011"],
  ["my users are in Clerk", "docs/from-another-tool.md", "Clerk"],
  ["why does my login fail", "docs/failed-logins.md", "stagedoor requests --why"],
  ["the next login should fail with 503", "docs/faults.md", "503"],
  ["a code should expire while I watch", "docs/clock.md", "expire"],
  ["my Playwright test needs the code", "docs/recipes/playwright.md", "passcode"],
  ["every push should run the tests on GitHub", "docs/recipes/github-actions.md", "stagedoor"],
  ["my team shares one instance behind nginx", "docs/deploy/proxies.md", "proxy_set_header Host"],
  ["my backend needs another audience in the token", "docs/tokens.md", "token.audience"],
  ["my app calls GraphQL after the login", "docs/recipes/after-the-login.md", "GraphQL"],
  ["a phone on my desk should sign in over https", "docs/devices.md", "--tls"],
  ["I want my data back after a wrong reset", "docs/rewind.md", "Undo"],
] as const;

const linksOf = (page: string): string[] =>
  [...readPage(page).matchAll(/\]\((?![a-z]+:)([^)#\s]+)[^)]*\)/g)]
    .map(([, link = ""]) => posix.join(posix.dirname(page), link))
    .filter((link) => PAGES.includes(link));

/** @returns the clicks from the README to each page. */
const distances = (): ReadonlyMap<string, number> => {
  const clicks = new Map([["README.md", 0]]);
  for (const [page, so] of clicks) for (const link of linksOf(page)) if (!clicks.has(link)) clicks.set(link, so + 1);
  return clicks;
};

test.each(TASKS)("%s: %s", (_task, page, text) => {
  expect(distances().get(page)).toBeLessThanOrEqual(3);
  expect(readPage(page)).toContain(text);
});

test("so is every other page", () => {
  const clicks = distances();
  const far = PAGES.filter((page) => !page.startsWith("docs/internals/") && (clicks.get(page) ?? 9) > 3);
  expect(far).toEqual([]);
});
