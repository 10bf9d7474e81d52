/** `stagedoor.config.json` in the working directory: options for `start`, as JSON with comments (CONTRACT 13). */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readJson } from "#contract/json-text.ts";
import { isJsonObject } from "#contract/scalars.ts";
import { unknownName } from "#contract/validation.ts";

/** Its name. */
export const CONFIG_FILE = "stagedoor.config.json";

/** Not allowed in a file that may come with a checkout: deleting data, opening this machine to others, tokens. */
const NEVER = ["reset", "lan", "adminHost", "consoleHost", "allowHost", "checkHost", "accessToken", "joinToken"];

/** The options in a file by camel-case name, and the errors in it. */
export interface FileOptions {
  readonly options: Readonly<Record<string, unknown>>;
  readonly errors: readonly string[];
}

/** No file. */
export const NO_FILE: FileOptions = { options: {}, errors: [] };

const wrong = (why: string): FileOptions => ({ options: {}, errors: [`${CONFIG_FILE}${why}`] });

/** @param known all option names in camel case. @returns those allowed in a file. */
export const fileOptionNames = (known: readonly string[]): readonly string[] =>
  known.filter((name) => !NEVER.includes(name));

/** @param folder the working directory. @param known all option names in camel case. */
export const readConfigFile = (folder: string, known: readonly string[]): FileOptions => {
  let text: string;
  try {
    text = readFileSync(join(folder, CONFIG_FILE), "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    return code === "ENOENT" || code === "ENOTDIR" ? NO_FILE : wrong(` cannot be read (${String(error)})`);
  }
  const read = readJson(text, { jsonc: true });
  if ("error" in read) return wrong(`:${read.error.line}:${read.error.column}: ${read.error.message}`);
  if (!isJsonObject(read.value)) return wrong(" must be an object with options of `stagedoor start`");
  const { $schema: _, ephemeral, ...options } = read.value;
  const own = fileOptionNames(known);
  const strangers = Object.keys(options).filter((name) => !own.includes(name));
  const errors = strangers.map((name) => {
    const why = NEVER.includes(name) ? "may only be a flag or a variable" : unknownName(name, own);
    return `${CONFIG_FILE}: ${name} ${why}`;
  });
  const durability = ephemeral === true ? { durability: "memory" } : {};
  // If anything is invalid, none of the options apply.
  return errors.length > 0 ? { options: {}, errors } : { options: { ...durability, ...options }, errors };
};
