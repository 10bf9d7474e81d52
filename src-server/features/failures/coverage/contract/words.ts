/** Login coverage in words, for the command line, agents and the UI. */

import { many, markdownText } from "#contract/words/words.ts";
import type { CoverageAnswer } from "./coverage.ts";

type Numbers = Pick<CoverageAnswer, "met" | "total">;
type Rows = Numbers & {
  readonly items: readonly Pick<CoverageAnswer["items"][number], "count" | "title" | "screen">[];
};

/** @returns a sentence with the numbers. */
export const coverageSummary = ({ met, total }: Numbers): string => `${met} of ${many(total, "login outcome")} covered`;

/** @returns a Markdown table. */
export const coverageMarkdown = (coverage: Rows): string[] => [
  `**${coverageSummary(coverage)}**`,
  "",
  "| | Outcome | Count | What the app should show |",
  "| - | - | -: | - |",
  ...coverage.items.map(
    ({ count, title, screen }) =>
      `| ${count > 0 ? "✓" : ""} | ${markdownText(title)} | ${count} | ${markdownText(screen)} |`,
  ),
];

/** @returns the outcomes by group, in the order of the table. */
export const outcomeGroups = <T extends { readonly group: string }>(items: readonly T[]): [group: string, T[]][] =>
  [...new Set(items.map(({ group }) => group))].map((group) => [group, items.filter((item) => item.group === group)]);
