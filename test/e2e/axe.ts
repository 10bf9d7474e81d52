import axe from "axe-core";
import type { Page } from "playwright-core";

/** The rules that read colours, which alone depend on the colour scheme. */
const BY_COLOUR = ["color-contrast", "link-in-text-block"];

const run = async (page: Page, options: axe.RunOptions = {}): Promise<string[]> => {
  // Elements that pass are counted, not described: that takes most of the time.
  const given = JSON.stringify({ resultTypes: ["violations"], ...options });
  const violations = await page.evaluate<axe.Result[]>(`axe.run(${given}).then(({ violations }) => violations)`);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
};

/** Changes the scheme of the system, which the page follows, and waits until every colour has arrived. */
const changeScheme = async (page: Page, colorScheme: "dark" | "light"): Promise<void> => {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter((animation) => animation instanceof CSSTransition)
        .map(({ finished }) => finished),
    ),
  );
};

/** @returns what axe finds wrong with a page as it is, one line each. The screen's title must be there, as it is loaded last. */
export const findingsAsIs = async (page: Page): Promise<string[]> => {
  await page.getByRole("heading", { level: 1 }).waitFor();
  // Not as a script element: the page's policy forbids it.
  if (await page.evaluate(() => !("axe" in window))) await page.evaluate(`${axe.source}; undefined`);
  return await run(page);
};

/** As `findingsAsIs`, then with the colours of the other scheme, for a page that follows the system's. */
export const findings = async (page: Page): Promise<string[]> => {
  const found = await findingsAsIs(page);
  const scheme = (await page.locator("html").getAttribute("data-mantine-color-scheme")) === "dark" ? "dark" : "light";
  const other = scheme === "dark" ? "light" : "dark";
  await changeScheme(page, other);
  const byColour = await run(page, { runOnly: BY_COLOUR });
  await changeScheme(page, scheme);
  return [...found, ...byColour.map((finding) => `${other}: ${finding}`)];
};
