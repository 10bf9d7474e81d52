/** Builds the configuration from flags, environment and file. The only reader of `process.env`. */
import { homedir, userInfo } from "node:os";
import { delimiter, isAbsolute, posix, resolve, win32 } from "node:path";
import { z } from "zod";
import { BOUNDS } from "#contract/bounds.ts";
import {
  countryCode,
  DUPLICATES,
  encodingName,
  fixtureSource,
  NO_ENCODING,
  pathOf,
  RESTS,
  readAsBy,
  sourceWith,
} from "#contract/control/fixture-source.ts";
import { durability } from "#contract/control/status.ts";
import { frozen } from "#contract/frozen.ts";
import { isLoopbackUrl } from "#contract/words/loopback.ts";
import { refusedPorts } from "#contract/words/refused-ports.ts";
import { type FileOptions, readConfigFile } from "./config-file.ts";
import { userPaths } from "./user-path.ts";

interface Kind<T> {
  readonly schema: z.ZodType<T>;
  /** What a value must be; follows the names of the option in an error. */
  readonly rule: string;
  /** The separator of list entries in the environment. */
  readonly separator?: string | RegExp;
  /** Whether its values are paths, in which `~` is the home folder. */
  readonly isPath?: boolean;
}
const numbers = (least: number, most: number): Kind<number> => {
  const digits = z.string().regex(/^\d{1,15}$/);
  const schema = z
    .union([z.int().min(least).max(most), digits.transform(Number)])
    .refine((n) => n >= least && n <= most);
  return { schema, rule: `must be a whole number from ${least} to ${most}` };
};
const flag = z.union([
  z.boolean(),
  z.stringbool({ truthy: ["1", "true", "yes", "on"], falsy: ["0", "false", "no", "off"] }),
]);
/** A host name or IP address, as in a URL; brackets around IPv6 are optional and removed. */
const host = z
  .string()
  .regex(/^(\[[0-9a-f:.]+\]|[0-9a-f.]*:[0-9a-f:.]*|[a-z0-9]([a-z0-9_.-]{0,252}))$/i)
  .transform((text) => text.toLowerCase().replace(/^\[(.*)\]$/, "$1"));
const path = z.string().min(1);
const PORT = numbers(0, 65_535);
const BODY_BYTES = numbers(1_024, 67_108_864);
const PASSCODES = numbers(1, 1_000_000);
const SESSIONS = numbers(1, 10_000_000);
const REQUESTS = numbers(1, 100_000);
const SHARED_APPS = numbers(1, 10_000);
const SHARED_MEMORY = numbers(1, 1_048_576);
const FLAG = frozen({ schema: flag, rule: "must be true or false" });
const FILE = frozen({ schema: path, rule: "must be a file", isPath: true });
const FOLDER = frozen({ schema: path, rule: "must be a folder", isPath: true });
const FILES = frozen({ schema: z.array(fixtureSource), rule: "must be files", separator: delimiter, isPath: true });
const HOST = frozen({ schema: host, rule: "must be an IP address or a host name" });
const NAMES = frozen({ schema: z.array(host), rule: "must be host names without a port", separator: /[\s,]+/ });
/** Only from the environment: command lines are visible in the process list. */
const TOKEN = frozen({
  schema: z.string().regex(/^[\x21-\x7e]{8,255}$/),
  rule: "must be 8 to 255 visible ASCII characters",
});
/** An origin; a path would have to be in every link. */
const originText = z
  .string()
  .refine((text) => URL.canParse(text) && /^https?:\/\/[^/?#@]+\/?$/i.test(text))
  .transform((text) => new URL(text).origin);
const ORIGIN = frozen({
  schema: originText,
  rule: "must be an http or https URL without a path, such as https://qa.example.com",
});
const TEST_ORIGINS = frozen({
  schema: z.array(originText.refine(isLoopbackUrl)),
  rule: "must be origins on this machine, such as http://localhost:3000",
  separator: /[\s,]+/,
});
const CHOICES = frozen({
  schema: z.array(z.string().regex(/^[^=].*=/)),
  rule: 'must be "Column=field", or "Column=" to leave it out',
  separator: ";",
});
const REST = frozen({ schema: z.enum(RESTS), rule: "must be metadata or drop" });
const WHICH = frozen({ schema: z.enum(DUPLICATES), rule: `must be one of ${DUPLICATES.join(", ")}` });
const COUNTRY = frozen({ schema: countryCode, rule: "must be the code of a country, such as US" });
const ENCODING = frozen({ schema: encodingName, rule: NO_ENCODING });
const DURABILITY = frozen({ schema: durability, rule: "must be process, disk or memory" });

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
 * @returns the folder of the user's certificate authority: beside the default data, whatever `--data` is, so that
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
type Read = <T, D>(option: string, kind: Kind<T>, byDefault: D) => T | D;

/** All options with their types and defaults. Port 0: any free port. A host of null: loopback only. */
const configFrom = (read: Read, env: Environment, at: Host) => {
  const absolute = (file: string): string => resolve(at.cwd, file);
  const ephemeral = read("--ephemeral", FLAG, false);
  const signingKey = read("--signing-key", FILE, null);
  const usual = readAsBy({
    map: read("--map", CHOICES, []),
    rest: read("--rest", REST, null),
    country: read("--country", COUNTRY, null),
    encoding: read("--encoding", ENCODING, null),
    duplicates: read("--duplicates", WHICH, null),
  });
  return {
    /** Ignored with durability `memory`. */
    dataDir: absolute(read("--data", FOLDER, defaultDataDir(env, at))),
    /** Each with how its users are read, as the options say it if it does not. */
    fixtures: read("--fixtures", FILES, []).map((source) =>
      sourceWith(typeof source === "string" ? absolute(source) : { ...source, file: absolute(pathOf(source)) }, usual),
    ),
    /** Reload the fixtures when they are saved. */
    watch: read("--watch", FLAG, false),
    /** Replace the data with the fixtures. */
    reset: read("--reset", FLAG, false),
    adminPort: read("--admin-port", PORT, 4010),
    authPort: read("--auth-port", PORT, 4011),
    consolePort: read("--console-port", PORT, 4012),
    /** Open auth to the local network, and turn on its TLS listener, at the start. */
    lan: read("--lan", FLAG, false),
    tls: read("--tls", FLAG, false),
    authTlsPort: read("--auth-tls-port", PORT, 4013),
    /** The folder of the user's certificate authority. */
    caDir: absolute(read("--ca-dir", FOLDER, defaultCaDir(env, at))),
    /** Names that a token check may call, whatever they resolve to; in lower case. */
    checkHosts: read("--check-host", NAMES, []),
    /** A file with a key that signs session tokens; null: the key in the data. */
    signingKey: signingKey === null ? null : absolute(signingKey),
    adminHost: read("--admin-host", HOST, null),
    consoleHost: read("--console-host", HOST, null),
    /** The access token of a console that is open to other machines; null: generate one at each start. */
    accessToken: read("--access-token", TOKEN, null),
    /** Allows others to create leased apps on such a console; null: not allowed. */
    joinToken: read("--join-token", TOKEN, null),
    /** How many apps there may be of the join token, and what they may keep together; null: a quarter of the heap's limit. */
    shared: {
      apps: read("--shared-apps", SHARED_APPS, BOUNDS.sharedApps.most),
      mebibytes: read("--shared-memory", SHARED_MEMORY, null),
    },
    /** The URLs at which others reach the listeners, through a proxy or under other ports; null: those that listen. */
    publicUrls: {
      admin: read("--public-admin-url", ORIGIN, null),
      auth: read("--public-auth-url", ORIGIN, null),
      console: read("--public-console-url", ORIGIN, null),
    },
    /** Additional names accepted in the Host header, in lower case. */
    allowHosts: read("--allow-host", NAMES, []),
    /** Origins on this machine whose pages may use the control API. */
    testOrigins: read("--test-origin", TEST_ORIGINS, []),
    /** Gone, with a notice: the request log is in memory. */
    persistRequests: read("--persist-requests", FLAG, false),
    durability: read("--durability", DURABILITY, ephemeral ? "memory" : "process"),
    json: read("--json", FLAG, false),
    open: read("--open", FLAG, false),
    headless: read("--headless", FLAG, false),
    /** Maximum body size in bytes, unless the operation has its own limit. */
    bodyLimitBytes: read("--body-limit", BODY_BYTES, 1_048_576),
    /** Passcodes and sessions per app, requests in total. */
    retention: {
      passcodes: read("--keep-passcodes", PASSCODES, 1_000),
      sessions: read("--keep-sessions", SESSIONS, 50_000),
      requests: read("--keep-requests", REQUESTS, 1_000),
    },
  };
};

/** @returns every option of `start`, such as `--auth-port`, and the type of its values. */
export const optionKinds = (): ReadonlyMap<string, z.ZodType> => {
  const kinds = new Map<string, z.ZodType>();
  const note: Read = (option, { schema }, byDefault) => {
    kinds.set(option, schema);
    return byDefault;
  };
  configFrom(note, {}, thisHost());
  return kinds;
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
  const isEphemeral = flag.safeParse(env["STAGEDOOR_EPHEMERAL"]).data === true;
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
      if (rule === FOLDER.rule && !isAbsolute(String(byDefault))) homeless.push(option);
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
        `${option} (or ${variableOf(option)}) ${FOLDER.rule}: its default is in your home folder, and HOME names none`,
      );
  errors.push(...clashesIn(config));
  return errors.length === 0 ? { config, file } : { errors, json: config.json };
};
