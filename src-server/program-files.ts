/**
 * The files that ship with the program: those of its package, or in the single executable its assets. Their
 * paths there begin with that of the executable, as if it were a folder.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** Not imported: Bun and Deno do not have this module. */
const sea = process.getBuiltinModule("node:sea");

/** Whether the program is one executable with Node inside. */
export const IS_SINGLE: boolean = sea?.isSea() ?? false;

/** Absolute: where /proc is missing, it is as the shell had it. */
const SELF = resolve(process.execPath);

const packageRoot = (): string => {
  if (IS_SINGLE) return SELF;
  let dir = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(dir, "package.json"))) {
    const parent = dirname(dir);
    if (parent === dir) return dir;
    dir = parent;
  }
  return dir;
};

/** @param path of such a file, relative to the package. @returns its absolute path, for `readProgramFile` and fixtures. */
export const programFile = (path: string): string => join(packageRoot(), path);

/** @returns the bytes of an asset of this executable, by its absolute path; undefined if it is none. */
export const assetAt = (path: string): Buffer | undefined => {
  if (!IS_SINGLE || !path.startsWith(SELF + sep)) return undefined;
  try {
    return Buffer.from(sea.getAsset(relative(SELF, path).replaceAll(sep, "/")));
  } catch {
    return undefined;
  }
};

/** @param path relative to the package. @returns its bytes; undefined if there is no such file. */
export const readProgramFile = (path: string): Buffer | undefined => {
  const file = programFile(path);
  try {
    return IS_SINGLE ? assetAt(file) : readFileSync(file);
  } catch {
    return undefined;
  }
};
