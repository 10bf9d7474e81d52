import axe from "axe-core";
import type { Page } from "playwright-core";

/** @returns what axe finds wrong with a page, one line each; the screen's title must be there, as it is loaded last. */
export const findings = async (page: Page): Promise<string[]> => {
  await page.getByRole("heading", { level: 1 }).waitFor();
  // Not as a script element: the page's policy forbids it.
  await page.evaluate(`${axe.source}; undefined`);
  const { violations } = await page.evaluate<axe.AxeResults>("axe.run()");
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
};
