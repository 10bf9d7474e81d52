/** The table of docs/fidelity.md: what is emulated, what only with a setting, and what is not. */

import { type Operation, routes } from "#contract/control/routes.ts";
import { NOT_EMULATED } from "#contract/words/not-emulated.ts";

/** The setting that an operation needs is named at the end of its summary. */
const SETTING = / \(only with the setting (\w+)\)$/;

const row = (...cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
const code = (text: string): string => `\`${text}\``;

/** @returns the table. */
export const emulatedTable = (): string => {
  const service = Object.values<Operation>(routes).filter(
    ({ listener, path }) => listener === "admin" || (listener === "auth" && !path.startsWith("/emulator")),
  );
  const emulated = service.map(({ method, path, summary }) => {
    const [, setting] = SETTING.exec(summary) ?? [];
    const words = summary.replace(SETTING, "");
    return row(words, code(`${method} ${path}`), setting === undefined ? "yes" : `with ${code(setting)}`);
  });
  const not = NOT_EMULATED.map(({ title, examples }) => row(title, examples.map(code).join(", "), "no"));
  return [row("What", "Path", "Emulated"), row("---", "---", "---"), ...emulated, ...not].join("\n");
};
