/**
 * Every file of the project that is made from the sources. `tools/make-docs.mjs` writes them, a test compares them.
 */
import { readFileSync } from "node:fs";
import { boundsTable } from "./bounds-table.ts";
import { clientTypes } from "./client-types.ts";
import { commandLinePage } from "./command-line-page.ts";
import { configSchema } from "./config-schema.ts";
import { controlApiPage } from "./control-api-page.ts";
import { fixtureSchema } from "./fixture-schema.ts";
import { qaWorldText } from "./qa-world.ts";
import { settingsPage } from "./settings-page.ts";

/** A file and what it is to hold. The formatter lays it out afterwards. */
export interface GeneratedFile {
  /** From the top of the checkout. */
  readonly path: string;
  readonly text: string;
}

/** @returns a page that is written by hand, with what stands between two marks made anew. */
const withPart = (path: string, mark: string, part: string): GeneratedFile => {
  const text = readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
  const [before = "", , after = ""] = text.split(`<!-- ${mark} -->`);
  return { path, text: [before, `\n\n${part}\n\n`, after].join(`<!-- ${mark} -->`) };
};

/** @returns the files, the same at each call. */
export const generatedFiles = (): readonly GeneratedFile[] => [
  { path: "fixtures/schema.json", text: JSON.stringify(fixtureSchema(), null, 2) },
  { path: "config.schema.json", text: JSON.stringify(configSchema(), null, 2) },
  { path: "fixtures/qa-200.json", text: qaWorldText() },
  { path: "docs/settings.md", text: settingsPage() },
  { path: "docs/command-line.md", text: commandLinePage() },
  { path: "docs/control-api.md", text: controlApiPage() },
  { path: "src-client/records.ts", text: clientTypes() },
  withPart("docs/reliability.md", "bounds", boundsTable()),
];
