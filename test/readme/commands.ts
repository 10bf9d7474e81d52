/** The fenced blocks of the README: commands and their output. */

/** A block of commands and the output that the README shows; `…` stands for anything within a line. */
export interface Step {
  readonly commands: string;
  readonly prints: string | undefined;
}

interface Block {
  readonly kind: string;
  readonly text: string;
}

const blocks = (markdown: string): Block[] =>
  [...markdown.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, kind = "", text = ""]) => ({
    kind,
    text: text.trimEnd(),
  }));

/** @returns the set-up blocks: one command each. */
export const setUpCommands = (markdown: string): string[] =>
  blocks(markdown)
    .filter(({ kind }) => kind === "shell")
    .map(({ text }) => text);

/** @returns the steps of the tour, in order. */
export const tourSteps = (markdown: string): Step[] => {
  const all = blocks(markdown);
  return all.flatMap(({ kind, text }, i) => {
    const next = all[i + 1];
    return kind === "sh" ? [{ commands: text, prints: next?.kind === "text" ? next.text : undefined }] : [];
  });
};

/** @returns a pattern for the output of a step. */
export const printedPattern = (prints: string): RegExp => {
  const escaped = prints.split("…").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${escaped.join("[^\\n]*")}$`);
};
