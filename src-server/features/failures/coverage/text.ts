/** Login coverage as text: a table, Markdown for a ticket, JUnit for CI; and the sum of several. */
import type { Coverage, CoverageItem } from "#client/records.ts";
import { coverageSummary, outcomeGroups } from "./contract/words.ts";

const isMet = ({ count }: CoverageItem): boolean => count > 0;

/** @returns the share of met outcomes in percent, rounded down. */
export const percentMet = ({ met, total }: Coverage): number => Math.floor((100 * met) / total);

const add = (a: CoverageItem, b: CoverageItem | undefined): CoverageItem => {
  if (b === undefined || b.count === 0) return a;
  if (a.count === 0) return b;
  const first = (a.firstAt ?? "") <= (b.firstAt ?? "") ? a : b;
  const last = (a.lastAt ?? "") > (b.lastAt ?? "") ? a : b;
  const { lastAt, lastRequestId } = last;
  return { ...a, count: a.count + b.count, resent: a.resent + b.resent, firstAt: first.firstAt, lastAt, lastRequestId };
};

/** @returns the coverage of several runs, such as the shards of a CI run. */
export const sumOf = ([first, ...others]: readonly [Coverage, ...(readonly Coverage[])]): Coverage => {
  const items = first.items.map((item) => {
    const more = others.map((other) => other.items.find(({ outcome }) => outcome === item.outcome));
    return more.reduce<CoverageItem>(add, item);
  });
  return { items, met: items.filter(isMet).length, total: items.length };
};

/** @returns a table by group; outcomes that were met with their count. */
export const coverageLines = (coverage: Coverage): string[] => [
  ...outcomeGroups(coverage.items).flatMap(([group, items]) => [
    group,
    ...items.map((item) =>
      isMet(item) ? `  ✓ ${item.title.padEnd(36)}${String(item.count).padStart(6)}` : `  · ${item.title}`,
    ),
    "",
  ]),
  `${coverageSummary(coverage)} (${percentMet(coverage)} %)`,
];

/** @returns what was not met, and how to meet it. */
export const missingLines = ({ items }: Coverage): string[] =>
  items
    .filter((item) => !isMet(item))
    .map(({ outcome, title, provoke }) => `  ${title}: ${provoke} (coverage.provoke("${outcome}"))`);

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
/** What XML 1.0 allows in no form, also not as a reference: most control characters, halves of pairs, U+FFFE and U+FFFF. */
const NO_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
/** @returns the text for an attribute, whose line breaks and tabs a parser would make blanks. */
const escapedXml = (text: string): string =>
  text
    .replaceAll(NO_XML, "\ufffd")
    .replaceAll(/[&<>"\t\n\r]/g, (character) => ESCAPES[character] ?? `&#${character.charCodeAt(0)};`);

/** @param least the required percentage; absent: none. @returns a JUnit report: an outcome that was not met is skipped. */
export const coverageJunit = (coverage: Coverage, least: number | undefined): string => {
  const cases = coverage.items.map(({ group, title, count, provoke }) => {
    const name = `classname="${escapedXml(group)}" name="${escapedXml(title)}"`;
    return count > 0
      ? `<testcase ${name}/>`
      : `<testcase ${name}><skipped message="${escapedXml(provoke)}"/></testcase>`;
  });
  const isLow = least !== undefined && percentMet(coverage) < least;
  const failure = isLow ? `<failure message="${escapedXml(coverageSummary(coverage))}"/>` : "";
  if (least !== undefined)
    cases.push(`<testcase classname="Login coverage" name="at least ${least} %">${failure}</testcase>`);
  const skipped = coverage.total - coverage.met;
  const counts = `tests="${cases.length}" failures="${isLow ? 1 : 0}" skipped="${skipped}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n<testsuite name="Login coverage" ${counts}>\n${cases.join("\n")}\n</testsuite>\n</testsuites>\n`;
};
