/**
 * Reads fixture files (CONTRACT 6, Fixtures). A bad file is refused whole. Whether the worlds hold together (usernames,
 * D4 to D9) is for the rules of the domain to say.
 */
import { readFile } from "node:fs/promises";
import { knownInState, type WorldState, worldState } from "#contract/state.ts";
import { fieldErrors } from "#contract/validation.ts";
import { parseJson, utf8Text } from "./json-text.ts";

/** A world with the file it was read from. */
export interface FixtureFile {
  readonly file: string;
  readonly world: WorldState;
}

const MOST_ERRORS = 50;

/** @returns why a file cannot be read, in words. */
export const unreadable = (error: unknown): string => {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT" || code === "ENOTDIR") return "there is no such file";
  if (code === "EISDIR") return "is a folder, not a file";
  if (code === "EACCES" || code === "EPERM") return "may not be read";
  return `cannot be read (${error instanceof Error ? error.message : String(error)})`;
};

/**
 * @param value what a JSON file holds. @param file its name, for the errors.
 * @returns the world, or sentences such as `demo.json: apps[0].profiles[3].phone: must be a string`.
 */
export const parseWorld = (value: unknown, file: string): FixtureFile | { readonly errors: readonly string[] } => {
  const parsed = worldState.safeParse(value, { reportInput: true });
  if (parsed.success) return { file, world: parsed.data };
  const errors = Object.entries(fieldErrors(parsed.error, { known: knownInState })).flatMap(([path, texts]) =>
    texts.map((text) => (path === "base" ? `${file}: ${text}` : `${file}: ${path}: ${text}`)),
  );
  const rest = errors.length - MOST_ERRORS;
  return { errors: rest > 0 ? [...errors.slice(0, MOST_ERRORS), `${file}: … and ${rest} more`] : errors };
};

/** @param file path of a fixture file. @returns its world, or what is wrong with it, each with the file's name. */
export const readFixtureFile = async (file: string): Promise<FixtureFile | { readonly errors: readonly string[] }> => {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(file);
  } catch (error) {
    return { errors: [`${file}: ${unreadable(error)}`] };
  }
  const decoded = utf8Text(bytes);
  if ("error" in decoded) return { errors: [`${file}: ${decoded.error}`] };
  const json = parseJson(decoded.text);
  return "error" in json ? { errors: [`${file}: ${json.error}`] } : parseWorld(json.value, file);
};

/** @param files paths. @returns their worlds in the same order, or all that is wrong with any of them: all or nothing. */
export const readFixtureFiles = async (
  files: readonly string[],
): Promise<{ readonly worlds: readonly FixtureFile[] } | { readonly errors: readonly string[] }> => {
  const read = await Promise.all(files.map(readFixtureFile));
  const errors = read.flatMap((result) => ("errors" in result ? result.errors : []));
  return errors.length > 0 ? { errors } : { worlds: read.flatMap((result) => ("errors" in result ? [] : [result])) };
};
