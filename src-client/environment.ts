/** Access to environment variables, warnings and modules of Node. Browsers have no `process`. */
declare const process:
  | {
      readonly env?: Record<string, string | undefined>;
      readonly emitWarning?: (text: string, type: string) => void;
      readonly cwd?: () => string;
      readonly getBuiltinModule?: <Name extends keyof Modules>(name: Name) => Modules[Name];
    }
  | undefined;

/** What the client uses of Node. It imports none of it, because bundlers for browsers would look for it. */
export interface Modules {
  readonly fs: { existsSync(path: string): boolean; readFileSync(path: string, encoding: "utf8"): string };
  readonly path: { dirname(path: string): string; resolve(...paths: readonly string[]): string };
}

/** Node's modules, with the working directory and the home folder. */
export type Node = Modules & { readonly cwd: string; readonly home: string };

/** @returns them; undefined in a browser. */
export const node = (): Node | undefined => {
  if (typeof process === "undefined" || !process.cwd || !process.getBuiltinModule) return undefined;
  const home = variable("HOME") ?? variable("USERPROFILE") ?? "";
  const { getBuiltinModule: load } = process;
  return { fs: load("fs"), path: load("path"), cwd: process.cwd(), home };
};

/** @returns an environment variable; undefined if it is not set, or in a browser. */
export const variable = (name: string): string | undefined =>
  typeof process === "undefined" ? undefined : process.env?.[name] || undefined;

/** Prints a warning like Node's own. Does nothing in a browser. */
export const warn = (text: string): void => {
  if (typeof process !== "undefined") process.emitWarning?.(text, "StagedoorWarning");
};

const PROXIES = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy"];
/** As proxy agents compare it with the host of a URL. */
const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];

/**
 * Adds loopback to `NO_PROXY` where a proxy is set: its loopback is another machine's. A Node that obeys these variables
 * (`NODE_USE_ENV_PROXY`) reads `NO_PROXY` with every request, and so do the programs that this process starts.
 */
export const spareLoopback = (): void => {
  if (PROXIES.every((name) => variable(name) === undefined)) return;
  const env = typeof process === "undefined" ? undefined : process.env;
  if (env === undefined) return;
  // Programs differ in which one they read first.
  const names = ["no_proxy", "NO_PROXY"].filter((name) => env[name] !== undefined);
  for (const name of names.length === 0 ? ["NO_PROXY"] : names) {
    const given = (env[name] ?? "").split(/[\s,]+/).filter((entry) => entry !== "");
    if (!given.includes("*")) env[name] = [...new Set([...given, ...LOOPBACK])].join(",");
  }
};
