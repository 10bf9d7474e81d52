/** Which running Stagedoor is meant. Clients and commands find it in the same way. */
import { type Modules, type Node, node } from "./environment.ts";

/** Options of `start`. */
export const CONFIG_FILE = "stagedoor.config.json";

/** The console where nothing else is said. */
export const DEFAULT_URL = "http://127.0.0.1:4012";

/**
 * @returns the folder of the file that holds in a folder: there, or in the nearest above it, up to the root of the
 * repository or the home folder. Outside both, only the folder itself is looked at: others may write above it.
 */
export const folderFrom = ({ fs, path, cwd, home }: Node): string | undefined => {
  const above = [cwd];
  for (let at = cwd; path.dirname(at) !== at; at = path.dirname(at)) above.push(path.dirname(at));
  const has = (folder: string, name: string): boolean => fs.existsSync(path.resolve(folder, name));
  const last = above.findIndex((folder) => folder === home || has(folder, ".git"));
  return above.slice(0, last + 1 || 1).find((folder) => has(folder, CONFIG_FILE));
};

/** In a lock file. Anyone could have written it: it must not name another machine. */
const HELD_BY = /"consoleUrl"\s*:\s*"(http:\/\/(?:127\.0\.0\.1|localhost|\[::1\]):[0-9]{1,5})"/;

/** @returns the console URL of the process that has a data folder open; undefined if there is none. */
const holderUrl = ({ fs, path }: Modules, dataDir: string): string | undefined => {
  try {
    return HELD_BY.exec(fs.readFileSync(path.resolve(dataDir, "lock.json"), "utf8"))?.[1];
  } catch {
    return undefined;
  }
};

/** What is known of an instance. `has…`: somebody chose it, so that it is no default. */
type Known = Readonly<Record<"hasData" | "hasPort", boolean> & { dataDir: string; consolePort: number }>;

/** @returns its console URL, and whether the lock file in its data folder has it; undefined: it is not running. */
export const consoleOf = (modules: Modules, { dataDir, hasData, consolePort, hasPort }: Known) => {
  const held = holderUrl(modules, dataDir);
  // The default data may be open in another instance than that of the file.
  const isOther = hasPort && !hasData && held !== undefined && new URL(held).port !== String(consolePort);
  if (held !== undefined && !isOther) return { url: held, isHeld: true };
  if (consolePort === 0 || (hasData && !hasPort)) return undefined;
  return { url: `http://127.0.0.1:${consolePort}`, isHeld: false };
};

/** Comments, and what may look like one. */
const COMMENT = /("(?:[^"\\]|\\[\s\S]?)*"?)|\/\/.*|\/\*[\s\S]*?(?:\*\/|$)/g;

/** @returns the console URL of the nearest file, undefined if its instance does not run, and the file; else the default. */
export const instanceHere = (): { consoleUrl: string | undefined; readonly file?: string } => {
  const here = node();
  const folder = here && folderFrom(here);
  if (here === undefined || folder === undefined) return { consoleUrl: DEFAULT_URL };
  const file = here.path.resolve(folder, CONFIG_FILE);
  const text = here.fs.readFileSync(file, "utf8").replace(COMMENT, "$1");
  const [, data] = /"data"\s*:\s*"([^"]+)"/.exec(text) ?? [];
  const [, port] = /"consolePort"\s*:\s*(\d+)/.exec(text) ?? [];
  if (data === undefined && port === undefined) return { consoleUrl: DEFAULT_URL };
  // Without a data folder of its own it is found by its port.
  const dataDir = here.path.resolve(folder, data?.replace(/^~(?=[/\\])/, here.home) ?? CONFIG_FILE);
  const known = { dataDir, hasData: data !== undefined, consolePort: Number(port ?? 0), hasPort: port !== undefined };
  return { consoleUrl: consoleOf(here, known)?.url, file };
};
