/** Every generated file of the project. `tools/make-docs.mjs` writes them, and a test compares them. */
import { readFileSync } from "node:fs";
import { boundsTable } from "./bounds-table.ts";
import { commandLinePage } from "./command-line-page.ts";
import { configSchema } from "./config-schema.ts";
import { controlApiPage } from "./control-api-page.ts";
import { emulatedTable } from "./emulated-table.ts";
import { fixtureSchema } from "./fixture-schema.ts";
import { settingsPage } from "./settings-page.ts";

/** A file and its generated content, before formatting. */
export interface GeneratedFile {
  /** Relative to the checkout. */
  readonly path: string;
  readonly text: string;
}

/** @returns a handwritten page with the parts between marks regenerated. */
const withParts = (path: string, parts: Readonly<Record<string, string>>): GeneratedFile => {
  let text = readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
  for (const [mark, part] of Object.entries(parts)) {
    const [before = "", , after = ""] = text.split(`<!-- ${mark} -->`);
    text = [before, `\n\n${part}\n\n`, after].join(`<!-- ${mark} -->`);
  }
  return { path, text };
};

/** @returns the generated files, deterministically. */
export const generatedFiles = (): readonly GeneratedFile[] => [
  { path: "fixtures/schema.json", text: JSON.stringify(fixtureSchema(), null, 2) },
  { path: "config.schema.json", text: JSON.stringify(configSchema(), null, 2) },
  { path: "docs/settings.md", text: settingsPage() },
  { path: "docs/command-line.md", text: commandLinePage() },
  { path: "docs/control-api.md", text: controlApiPage() },
  withParts("docs/fidelity.md", { emulated: emulatedTable() }),
  withParts("docs/internals/reliability.md", { bounds: boundsTable() }),
];
