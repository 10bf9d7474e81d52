/** The tables of docs/internals/kits.md and docs/architecture.md: which kits there are, and what happens to their states. */
import { kits } from "#features/parts.ts";

const row = (...cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
const head = (...cells: readonly string[]): string[] => [row(...cells), row(...cells.map(() => "---"))];

/** @param docs the way from the page to `docs`. @returns the kits as a table. */
export const kitTable = (docs: string): string =>
  [
    ...head("kit", "what for", "page"),
    ...kits().map(([name, { title, page }]) =>
      row(`\`${name}\``, title, page === undefined ? "" : `[${page}](${docs}${page})`),
    ),
  ].join("\n");

/** @returns the states of kits as a table. */
export const stateTable = (): string =>
  [
    ...head("kit", "state", "begins with", "reset", "restart", "snapshot restored", "export", "app deleted", "why"),
    ...kits().flatMap(([name, { state = {} }]) =>
      Object.values(state).map((one) =>
        row(
          `\`${name}\``,
          one.what,
          one.begins,
          one.reset,
          one.restart,
          one.snapshot,
          one.export,
          one.end,
          one.why ?? "",
        ),
      ),
    ),
  ].join("\n");
