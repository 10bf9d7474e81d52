/** The table of docs/internals/features.md: what happens to the states of features. */
import { features } from "#features/parts.ts";

const row = (...cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
const head = (...cells: readonly string[]): string[] => [row(...cells), row(...cells.map(() => "---"))];

/** @returns the states of features as a table. */
export const stateTable = (): string =>
  [
    ...head("feature", "state", "begins with", "reset", "restart", "snapshot restored", "export", "app deleted", "why"),
    ...features().flatMap(([name, { state = {} }]) =>
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
