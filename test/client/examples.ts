/**
 * The files of a page of the documentation: fenced blocks that begin with a comment which names one.
 */

/** @param markdown of a page, or a part of it. @returns the text of each file by its path. */
export const filesIn = (markdown: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...markdown.matchAll(/^```\w+\n(?:\/\/|#) ([\w./-]+\.\w+)\n(.*?)^```$/gms)].map(([, path = "", text = ""]) => [
      path,
      text,
    ]),
  );

/** @returns the part of a page below a heading, to the next one of the same rank. @throws Error if there is none. */
export const sectionOf = (markdown: string, heading: string): string => {
  const [, rank = ""] = /^(#+) /.exec(heading) ?? [];
  const start = markdown.indexOf(`\n${heading}\n`);
  if (start < 0) throw new Error(`There is no "${heading}".`);
  const rest = markdown.slice(start + heading.length + 2);
  const end = rest.search(new RegExp(`^#{1,${rank.length}} `, "m"));
  return end < 0 ? rest : rest.slice(0, end);
};
