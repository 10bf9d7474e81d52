/**
 * Node's compile cache (22.1 and newer), which saves a third of a start. Loaded before anything else. It holds code that
 * Node runs without a look at the source, so its folder must be this user's alone.
 */
import { lstatSync, mkdirSync, rmSync, type Stats, statSync } from "node:fs";
import * as module from "node:module";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";

const { env, platform } = process;

const exists = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

/** @returns the cache folder of this user; not absolute if there is none. */
const userCache = (): string => {
  if (platform === "win32") return env["LOCALAPPDATA"] ?? "";
  const home = homedir();
  // A home that does not exist, as of a service, is not to be made.
  if (!exists(home)) return "";
  if (platform === "darwin") return join(home, "Library", "Caches");
  const xdg = env["XDG_CACHE_HOME"] ?? "";
  return isAbsolute(xdg) ? xdg : join(home, ".cache");
};

/** @returns whether only this user can replace the files at a path, or the path itself. */
const isOwn = (path: string): boolean => {
  if (process.getuid === undefined) return true;
  let base = dirname(path);
  while (!exists(base)) base = dirname(base);
  const { uid, mode } = statSync(base);
  return uid === process.getuid() && (mode & 0o002) === 0;
};

/** @returns what is at the path of the folder, which is made if nothing is there. */
const made = (folder: string): Stats => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return lstatSync(folder);
};

/** @returns whether it is a folder of this user. */
const isOurs = (found: Stats): boolean =>
  found.isDirectory() && (process.getuid === undefined || found.uid === process.getuid());

/** @returns whether others may read it or write into it. */
const isOpen = ({ mode }: Stats): boolean => platform !== "win32" && (mode & 0o077) !== 0;

/** Turns the cache on; without a safe folder there is none. Never throws. */
const enable = (): void => {
  const isSet = (name: string): boolean => env[name] !== undefined && env[name] !== "";
  if (!("enableCompileCache" in module) || typeof module.enableCompileCache !== "function") return;
  if (isSet("NODE_DISABLE_COMPILE_CACHE") || isSet("NODE_COMPILE_CACHE")) return;
  try {
    const folder = join(userCache(), "stagedoor");
    if (!isAbsolute(folder) || !isOwn(folder)) return;
    let found = made(folder);
    if (isOurs(found) && isOpen(found)) {
      // Others may have put code into it, or hold it open: closing it would not do.
      rmSync(folder, { recursive: true });
      found = made(folder);
    }
    if (!isOurs(found) || isOpen(found)) return;
    module.enableCompileCache(folder);
  } catch {
    // No home, or it cannot be written.
  }
};

enable();
