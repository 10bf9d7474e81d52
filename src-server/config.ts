/** Builds the configuration from flags, environment and file. The only reader of `process.env`. */
import { homedir, userInfo } from "node:os";
import { isAbsolute, posix, resolve, win32 } from "node:path";
import type { z } from "zod";
import { BOUNDS } from "#contract/bounds.ts";
import { pathOf, readAsBy, sourceWith } from "#contract/control/fixture-source.ts";
import { refusedPorts } from "#contract/words/refused-ports.ts";
import { type FileOptions, readConfigFile } from "./config-file.ts";
import { kinds, type OptionKind } from "./config-kinds.ts";
import { userPaths } from "./user-path.ts";

/**
 * Options from the command line by camel-case name: `--auth-port` is `authPort`. Absent means not given; numbers may
 * still be text.
 */
export type GivenOptions = Readonly<Record<string, unknown>>;

/** The whole configuration of the process, as `configFrom` describes it. Paths are absolute. */
export type Config = Readonly<ReturnType<typeof configFrom>>;

/** What the configuration needs to know about the machine. */
export interface Host {
  readonly platform: NodeJS.Platform;
  /** Empty if there is none. */
  readonly home: string;
  /** Base of relative paths. */
  readonly cwd: string;
}
/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * `HOME` may be empty, or the user unknown to the system, as in a container.
 * @param ways to ask for the folder, in order. @returns the first absolute one; empty if there is none.
 */
export const homeFolder = (ways = [homedir, (): string => userInfo().homedir]): string => {
  for (const way of ways)
    try {
      if (isAbsolute(way())) return way();
    } catch {
      // Node throws if the system does not know the user.
    }
  return "";
};

const thisHost = (): Host => ({ platform: process.platform, home: homeFolder(), cwd: process.cwd() });
/** @returns the environment of this process. */
export const environment = (): Environment => process.env;

/** @returns the platform's folder for application data of Stagedoor. */
export const defaultDataDir = (env: Environment, { platform, home }: Host): string => {
  if (platform === "win32") return win32.join(env["APPDATA"] || win32.join(home, "AppData", "Roaming"), "Stagedoor");
  if (platform === "darwin") return posix.join(home, "Library", "Application Support", "Stagedoor");
  const xdg = env["XDG_DATA_HOME"] ?? "";
  // The XDG specification requires relative paths to be ignored.
  return posix.join(posix.isAbsolute(xdg) ? xdg : posix.join(home, ".local", "share"), "stagedoor");
};

/**
 * @returns the folder of the user's certificate authority: next to the default data, whatever `--data` is, so that
 * phones keep trusting it. On Windows in the profile part that does not roam.
 */
const defaultCaDir = (env: Environment, at: Host): string => {
  if (at.platform !== "win32") return `${defaultDataDir(env, at)}${at.platform === "darwin" ? " CA" : "-ca"}`;
  return win32.join(env["LOCALAPPDATA"] || win32.join(at.home, "AppData", "Local"), "Stagedoor CA");
};

/** @returns the descriptor in STAGEDOOR_READY_FD, to which a start also writes its ready line; undefined if not set. */
export const readyDescriptor = (env: Environment = environment()): number | undefined => {
  const text = env["STAGEDOOR_READY_FD"] ?? "";
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
};

/** @returns whether colors are allowed: not if `NO_COLOR` is set to any text, or with `TERM=dumb`. */
export const colorsWanted = (env: Environment = environment()): boolean => !env["NO_COLOR"] && env["TERM"] !== "dumb";

/** @returns whether `DEBUG` asks for what Stagedoor says, as `DEBUG=stagedoor` or in a list. */
export const debugWanted = (env: Environment = environment()): boolean =>
  (env["DEBUG"] ?? "").split(/[\s,]+/).some((name) => /^(?:stagedoor(?::\*)?|\*)$/.test(name));

/** @param option a flag such as `--auth-port`. @returns its environment variable, `STAGEDOOR_AUTH_PORT`. */
export const variableOf = (option: string): string =>
  `STAGEDOOR_${option.replace(/^--/, "").replaceAll("-", "_").toUpperCase()}`;

/** @param option a flag such as `--auth-port`. @returns its name in the file, `authPort`. */
export const camelCase = (option: string): string =>
  option.replace(/^--/, "").replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** @returns whether Kubernetes set a variable: to the address of a service, such as `tcp://10.0.0.1:4012`. */
export const isServiceLink = (text: string): boolean => /^(tcp|udp|sctp):/.test(text);

const fromEnvironment = (variable: string, separator: string | RegExp | undefined, env: Environment): unknown => {
  const text = env[variable];
  if (text === undefined || text === "" || isServiceLink(text)) return undefined;
  return separator === undefined ? text : text.split(separator).filter((entry) => entry !== "");
};

const samePorts = (ports: readonly (readonly [flag: string, port: number])[]): string[] =>
  ports.flatMap(([name, port], at) => {
    const other = ports.slice(0, at).findLast(([, taken]) => taken === port && port !== 0);
    return other === undefined ? [] : [`${other[0]} and ${name} are both ${port}`];
  });

/** Reads an option. @returns its value; the default if it is missing or invalid. */
type Read = <T, D>(option: string, kind: OptionKind<T>, byDefault: D) => T | D;

/** All options with their types and defaults. Port 0: any free port. A host of null: loopback only. */
const configFrom = (read: Read, env: Environment, at: Host) => {
  const absolute = (file: string): string => resolve(at.cwd, file);
  const ephemeral = read("--ephemeral", kinds.FLAG, false);
  const signingKey = read("--signing-key", kinds.FILE, null);
  const usual = readAsBy({
    map: read("--map", kinds.CHOICES, []),
    rest: read("--rest", kinds.REST, null),
    country: read("--country", kinds.COUNTRY, null),
    encoding: read("--encoding", kinds.ENCODING, null),
    duplicates: read("--duplicates", kinds.WHICH, null),
  });
  return {
    /** Ignored with durability `memory`. */
    dataDir: absolute(read("--data", kinds.FOLDER, defaultDataDir(env, at))),
    /** Each with how its users are read, as the options say it if it does not. */
    fixtures: read("--fixtures", kinds.FILES, []).map((source) =>
      sourceWith(typeof source === "string" ? absolute(source) : { ...source, file: absolute(pathOf(source)) }, usual),
    ),
    /** Reload the fixtures when they are saved. */
    watch: read("--watch", kinds.FLAG, false),
    /** Replace the data with the fixtures. */
    reset: read("--reset", kinds.FLAG, false),
    adminPort: read("--admin-port", kinds.PORT, 4010),
    authPort: read("--auth-port", kinds.PORT, 4011),
    consolePort: read("--console-port", kinds.PORT, 4012),
    /** Open auth to the local network, and turn on its TLS listener, at the start. */
    lan: read("--lan", kinds.FLAG, false),
    tls: read("--tls", kinds.FLAG, false),
    authTlsPort: read("--auth-tls-port", kinds.PORT, 4013),
    /** The folder of the user's certificate authority. */
    caDir: absolute(read("--ca-dir", kinds.FOLDER, defaultCaDir(env, at))),
    /** Names that a token check may call, whatever they resolve to; in lower case. */
    checkHosts: read("--check-host", kinds.NAMES, []),
    /** A file with a key that signs session tokens; null: the key in the data. */
    signingKey: signingKey === null ? null : absolute(signingKey),
    adminHost: read("--admin-host", kinds.HOST, null),
    consoleHost: read("--console-host", kinds.HOST, null),
    /** The access token of a console that is open to other machines; null: generate one at each start. */
    accessToken: read("--access-token", kinds.TOKEN, null),
    /** Allows others to create leased apps on such a console; null: not allowed. */
    joinToken: read("--join-token", kinds.TOKEN, null),
    /** How many apps there may be of the join token, and what they may keep together; null: a quarter of the heap's limit. */
    shared: {
      apps: read("--shared-apps", kinds.numbers(1, 10_000), BOUNDS.sharedApps.most),
      mebibytes: read("--shared-memory", kinds.numbers(1, 1_048_576), null),
    },
    /** The URLs at which others reach the listeners, through a proxy or under other ports; null: those that listen. */
    publicUrls: {
      admin: read("--public-admin-url", kinds.ORIGIN, null),
      auth: read("--public-auth-url", kinds.ORIGIN, null),
      console: read("--public-console-url", kinds.ORIGIN, null),
    },
    /** Additional names accepted in the Host header, in lower case. */
    allowHosts: read("--allow-host", kinds.NAMES, []),
    /** Origins on this machine whose pages may use the control API. */
    testOrigins: read("--test-origin", kinds.TEST_ORIGINS, []),
    /** Gone, with a notice: the request log is in memory. */
    persistRequests: read("--persist-requests", kinds.FLAG, false),
    durability: read("--durability", kinds.DURABILITY, ephemeral ? "memory" : "process"),
    json: read("--json", kinds.FLAG, false),
    open: read("--open", kinds.FLAG, false),
    headless: read("--headless", kinds.FLAG, false),
    /** Maximum body size in bytes, unless the operation has its own limit. */
    bodyLimitBytes: read("--body-limit", kinds.numbers(1_024, 67_108_864), 1_048_576),
    /** Passcodes and sessions per app, requests in total. */
    retention: {
      passcodes: read("--keep-passcodes", kinds.numbers(1, 1_000_000), 1_000),
      sessions: read("--keep-sessions", kinds.numbers(1, 10_000_000), 50_000),
      requests: read("--keep-requests", kinds.numbers(1, 100_000), 1_000),
    },
  };
};

/** @returns every option of `start`, such as `--auth-port`, and the type of its values. */
export const optionKinds = (): ReadonlyMap<string, z.ZodType> => {
  const found = new Map<string, z.ZodType>();
  const note: Read = (option, { schema }, byDefault) => {
    found.set(option, schema);
    return byDefault;
  };
  configFrom(note, {}, thisHost());
  return found;
};

/** @returns the environment variables of all options. */
export const optionVariables = (): readonly string[] => [...optionKinds().keys()].map(variableOf);

/** @returns what is wrong with options that are valid each. */
const clashesIn = (config: Config): string[] => {
  const ports: [string, number][] = [
    ["--admin-port", config.adminPort],
    ["--auth-port", config.authPort],
    ["--console-port", config.consolePort],
  ];
  if (config.tls) ports.push(["--auth-tls-port", config.authTlsPort]);
  const errors = [...samePorts(ports), ...refusedPorts(ports)];
  // Whoever may only join would have everything.
  if (config.accessToken !== null && config.accessToken === config.joinToken)
    errors.push("STAGEDOOR_ACCESS_TOKEN and STAGEDOOR_JOIN_TOKEN must differ: the first gives access to everything");
  return errors;
};

/**
 * @param given the command line, which takes precedence over the environment, and that over the file, per option.
 * @param file absent: the nearest `stagedoor.config.json`.
 * @returns the configuration and the options of the file, or errors that name flag and variable, and whether `--json` is on.
 */
export const readConfig = (
  given: GivenOptions,
  env: Environment = environment(),
  at: Host = thisHost(),
  file: FileOptions = readConfigFile(at, [...optionKinds().keys()].map(camelCase)),
):
  | { readonly config: Config; readonly file: FileOptions }
  | { readonly errors: readonly string[]; readonly json: boolean } => {
  const errors: string[] = [...file.errors];
  const homeless: string[] = [];
  const isEphemeral = kinds.flag.safeParse(env["STAGEDOOR_EPHEMERAL"]).data === true;
  /** @returns an option's value and where it is from. */
  const found = (option: string, separator: string | RegExp | undefined) => {
    const variable = variableOf(option);
    const name = camelCase(option);
    // In the environment --ephemeral is a durability, before the file's; on the command line the last of the two wins.
    const own = given[name] ?? (name === "durability" && isEphemeral ? "memory" : undefined);
    if (own !== undefined) return { value: own, from: "line", names: `${option} (or ${variable})` } as const;
    const set = fromEnvironment(variable, separator, env);
    if (set !== undefined) return { value: set, from: "environment", names: `${variable} (or ${option})` } as const;
    return { value: file.options[name], from: "file", names: `${file.placeOf(name)}: ${name}` } as const;
  };
  const read: Read = (option, { schema, rule, separator, isPath = false }, byDefault) => {
    const { value, from, names } = found(option, separator);
    if (value === undefined) {
      if (rule === kinds.FOLDER.rule && !isAbsolute(String(byDefault))) homeless.push(option);
      return byDefault;
    }
    // Those of the command line are read where it is parsed.
    const base = from === "file" ? file.folder : undefined;
    const paths = isPath && from !== "line" ? userPaths(value, at.home, base) : { value };
    const parsed = "error" in paths ? undefined : schema.safeParse(paths.value);
    if (parsed?.success === true) return parsed.data;
    errors.push(`${names} ${"error" in paths ? paths.error : `${rule}, not ${JSON.stringify(value)}`}`);
    return byDefault;
  };
  const config = configFrom(read, env, at);
  for (const option of homeless)
    if (option === "--data" ? config.durability !== "memory" : config.tls)
      errors.push(
        `${option} (or ${variableOf(option)}) ${kinds.FOLDER.rule}: its default is in your home folder, and HOME names none`,
      );
  errors.push(...clashesIn(config));
  return errors.length === 0 ? { config, file } : { errors, json: config.json };
};
