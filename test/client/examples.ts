/** The files of a documentation page: fenced blocks that start with a comment naming a file. */

/** @param markdown of a page, or part of one. @returns the text of each file by its path. */
export const filesIn = (markdown: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...markdown.matchAll(/^```\w+\n(?:\/\/|#|<!--) ([\w./-]+\.\w+)(?: -->)?\n(.*?)^```$/gms)].map(
      ([, path = "", text = ""]) => [path, text],
    ),
  );

/** @returns the section below a heading, up to the next heading of its level. @throws Error if there is none. */
export const sectionOf = (markdown: string, heading: string): string => {
  const [, rank = ""] = /^(#+) /.exec(heading) ?? [];
  const start = markdown.indexOf(`\n${heading}\n`);
  if (start < 0) throw new Error(`There is no "${heading}".`);
  const rest = markdown.slice(start + heading.length + 2);
  const end = rest.search(new RegExp(`^#{1,${rank.length}} `, "m"));
  return end < 0 ? rest : rest.slice(0, end);
};
