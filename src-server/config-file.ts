/** `stagedoor.config.json`, here or above in the repository: options for `start`, as JSON with comments. */
import fs, { realpathSync } from "node:fs";
import path, { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { CONFIG_FILE, folderFrom } from "#client/instance.ts";
import { isJsonObject } from "#contract/scalars.ts";
import { unknownName } from "#contract/validation.ts";
import { placesInJson, readJson } from "#contract/words/json-text.ts";
import { NO_SUCH_FILE, readUserFile } from "./user-file.ts";
import { userPath } from "./user-path.ts";

/**
 * Not allowed in a file that may come with a checkout: deleting data, opening this machine to others, tokens, and a
 * certificate authority whose key someone else may have.
 */
// biome-ignore format: a list
const NEVER: readonly string[] = [
  "reset", "lan", "adminHost", "consoleHost", "allowHost", "checkHost", "accessToken", "joinToken", "caDir",
];

/** The options in a file by camel-case name, and the errors in it. */
export interface FileOptions {
  readonly options: Readonly<Record<string, unknown>>;
  readonly errors: readonly string[];
  /** Its folder, the base of the paths in it; undefined: there is no file. */
  readonly folder: string | undefined;
  /** @returns file, line and column of an option's value, for errors: `stagedoor.config.json:3:17`. */
  readonly placeOf: (name: string) => string;
}

/** No file. */
export const NO_FILE: FileOptions = {
  options: {},
  errors: [],
  folder: undefined,
  placeOf: () => CONFIG_FILE,
};

/** @param known all option names in camel case. @returns those allowed in a file. */
export const fileOptionNames = (known: readonly string[]): readonly string[] =>
  known.filter((name) => !NEVER.includes(name));

/** @returns the path with all links resolved, as far as it exists. */
const realOf = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    return path === dirname(path) ? path : join(realOf(dirname(path)), basename(path));
  }
};

const isBelow = (folder: string, path: string): boolean => {
  const inner = relative(realOf(folder), realOf(resolve(folder, path)));
  return inner !== "" && inner.split(sep)[0] !== ".." && !isAbsolute(inner);
};

/** @param at the working directory, and the home folder. @param known all option names in camel case. */
export const readConfigFile = (
  { cwd, home }: { readonly cwd: string; readonly home: string },
  known: readonly string[],
): FileOptions => {
  const folder = folderFrom({ fs, path, cwd, home });
  if (folder === undefined) return NO_FILE;
  const shown = relative(cwd, join(folder, CONFIG_FILE));
  const wrong = (why: string): FileOptions => ({ ...NO_FILE, folder, errors: [`${shown}${why}`] });
  const bytes = readUserFile(join(folder, CONFIG_FILE));
  if (typeof bytes === "string") return bytes === NO_SUCH_FILE ? NO_FILE : wrong(`: ${bytes}`);
  const text = bytes.toString("utf8").replace(/^\uFEFF/, "");
  const read = readJson(text, { jsonc: true });
  if ("error" in read) return wrong(`:${read.error.line}:${read.error.column}: ${read.error.message}`);
  if (!isJsonObject(read.value)) return wrong(" must be an object with options of `stagedoor start`");
  const placeOf = (name: string): string => {
    const { line = 1, column = 1 } = placesInJson(text, [name]).get(name) ?? {};
    return `${shown}:${line}:${column}`;
  };
  const { $schema: _, ...options } = read.value;
  const own = fileOptionNames(known);
  const strangers = Object.keys(options).filter((name) => !own.includes(name));
  const errors = strangers.map((name) => {
    const why = NEVER.includes(name) ? "may only be a flag or a variable" : unknownName(name, own);
    return `${placeOf(name)}: ${name} ${why}`;
  });
  const { data } = options;
  const meant = typeof data === "string" ? userPath(data, home) : undefined;
  if (meant !== undefined && "path" in meant && !isBelow(folder, meant.path))
    errors.push(`${placeOf("data")}: data must be a folder below this file, not ${JSON.stringify(data)}`);
  // If anything is invalid, none of the options apply.
  return { options: errors.length > 0 ? {} : options, errors, folder, placeOf };
};
