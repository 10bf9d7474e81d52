/** The import rules as one table: which room may import what. The checks are in `walls.ts`. */

/** A room and what its files may import. Imports within a directory are relative; imports of another use its alias. */
export interface Room {
  readonly name: string;
  /** The room's directory, from the top of the checkout. */
  readonly folder: string;
  /** Which files of the directory belong to it, by the path below it; all if absent. The first matching room counts. */
  readonly only?: RegExp;
  /** Other rooms it may import, or single files: by their path, or by that below `src-server`. */
  readonly rooms: readonly string[];
  /** Packages it may import, and single Node modules; a trailing `/` stands for a whole scope. */
  readonly packages: readonly string[];
  /** Whether it may import Node modules. */
  readonly node: boolean;
}

const SERVER_ROOMS = [
  "manifests",
  "features",
  "contract",
  "domain",
  "tokens",
  "certificates",
  "store",
  "http",
  "advice",
  "people",
  "random",
  "config",
  "server",
  "plumbing",
  "commands",
  "client",
  "package.json",
  "fixtures/demo.json",
];
const UI_PACKAGES = [
  "react",
  "react-dom",
  "@mantine/",
  "@tanstack/",
  "@fontsource-variable/",
  "uqr",
  "wouter",
  "zod",
  "zustand",
];

/** Programs that stand outside, and speak HTTP: a row for each, with what else it may import. */
const program = (name: string, ...more: readonly string[]): Room => ({
  name: `programs/${name}`,
  folder: `src-programs/${name}/`,
  rooms: ["contract", "client", "plumbing", ...more],
  packages: ["commander", "zod", "@modelcontextprotocol/server"],
  node: true,
});
const PROGRAMS: readonly Room[] = [
  program(
    "autofill",
    "user-file.ts",
    "features/devices/build/build.ts",
    "features/devices/build/android-manifest.ts",
    "features/devices/delivery/device.ts",
    "features/devices/delivery/installed.ts",
    "features/devices/delivery/ios.ts",
    "features/devices/delivery/programs.ts",
  ),
  program("completion"),
  program("conform", "conform", "config", "user-file.ts"),
  program("doctor", "config", "boot/holder.ts", "repair/inspect.ts", "repair/repair.ts"),
  program("helper"),
  program(
    "explore",
    "config",
    "server",
    "commands/child.ts",
    "commands/own-server.ts",
    "commands/start-text.ts",
    "fixtures/file-text.ts",
    "program-files.ts",
  ),
  program("init", "config", "fixtures/read-fixtures.ts", "program-files.ts", "user-file.ts"),
  program("mcp", "features/tools.ts"),
  program("open", "manifests", "commands/own-server.ts", "fixtures/file-text.ts"),
  program(
    "stage",
    "commands/own-server.ts",
    "commands/start-text.ts",
    "fixtures/join-worlds.ts",
    "fixtures/read-fixtures.ts",
    "program-files.ts",
  ),
];

// biome-ignore format: a table
export const ROOMS: readonly Room[] = [
  { name: "manifests", folder: "src-server/features/", only: /^(manifests?|parts|.+\/manifest|.+\/contract\/.+)\.ts$/, rooms: ["contract"], packages: ["zod"], node: false },
  { name: "features", folder: "src-server/features/", rooms: ["manifests", "contract", "domain", "http", "plumbing", "config", "server", "client"], packages: ["commander", "zod", "@modelcontextprotocol/server"], node: true },
  { name: "contract", folder: "src-server/contract/", rooms: ["manifests"], packages: ["zod", "fastest-levenshtein", "jsonc-parser"], node: false },
  { name: "domain", folder: "src-server/domain/", rooms: ["contract", "people"], packages: [], node: false },
  { name: "people", folder: "src-server/people/", rooms: ["contract"], packages: ["libphonenumber-js", "zod"], node: false },
  { name: "tokens", folder: "src-server/tokens/", rooms: ["contract"], packages: ["jose", "node:buffer", "node:crypto", "node:util"], node: false },
  { name: "certificates", folder: "src-server/certificates/", rooms: ["contract"], packages: ["@peculiar/x509", "reflect-metadata"], node: true },
  { name: "store", folder: "src-server/store/", rooms: ["contract", "domain"], packages: ["lowdb", "zod"], node: true },
  { name: "http", folder: "src-server/http/", rooms: ["contract", "domain"], packages: ["express"], node: true },
  { name: "advice", folder: "src-server/advice/", rooms: ["contract", "domain", "http"], packages: [], node: true },
  { name: "plumbing", folder: "src-server/plumbing/", rooms: ["contract", "config", "boot/holder.ts", "client"], packages: ["commander", "zod", "@modelcontextprotocol/server"], node: true },
  { name: "commands", folder: "src-server/commands/", rooms: ["plumbing", "contract", "people", "config", "server", "client", "src-programs/autofill/launch.ts"], packages: ["commander", "uqr"], node: true },
  { name: "random", folder: "src-server/boot/", only: /^random\.ts$/, rooms: ["contract", "domain"], packages: ["uuid"], node: true },
  { name: "config", folder: "src-server/", only: /^(config|config-file|config-kinds|user-path)\.ts$/, rooms: SERVER_ROOMS, packages: ["zod"], node: true },
  { name: "program", folder: "src-server/", only: /^(program|cli)\.ts$/, rooms: ["plumbing", "commands", "features/commands.ts", "contract", "client", "config", "server", "package.json", ...PROGRAMS.map(({ folder }) => `${folder}commands.ts`)], packages: ["commander", "fastest-levenshtein"], node: true },
  { name: "server", folder: "src-server/", only: /^((boot|fixtures|repair)\/)?[^/]+$/, rooms: SERVER_ROOMS, packages: ["zod"], node: true },
  { name: "conform", folder: "src-programs/conform/measure/", rooms: ["contract"], packages: [], node: false },
  ...PROGRAMS,
  { name: "client", folder: "src-client/", only: /^records\.ts$/, rooms: ["contract/documents/client-types.ts"], packages: ["zod"], node: false },
  { name: "client", folder: "src-client/", only: /^[^/]+$/, rooms: ["client"], packages: [], node: false },
  { name: "frameworks", folder: "src-client/frameworks/", rooms: [], packages: ["@playwright/test", "stagedoor"], node: true },
  { name: "demo", folder: "src-demo/", rooms: ["contract/control/demo.ts", "contract/words/phone-words.ts", "contract/control/stage-bridge.ts", "contract/control/present-keys.ts", "contract/service/strategies.ts", "contract/service/demo-texts.ts", "contract/service/wire-body.ts"], packages: ["@fontsource-variable/"], node: false },
  { name: "main", folder: "src-main/", rooms: ["contract/control/ready.ts", "contract/control/screens.ts", "contract/words/code-words.ts", "contract/words/phone-words.ts", "client"], packages: ["electron"], node: true },
  { name: "renderer", folder: "src-renderer/", rooms: ["manifests", "contract", "people", "client", "features/devices/build/build.ts"], packages: UI_PACKAGES, node: false },
];

/**
 * Directories within rooms, from the bottom up: a file may import from its own layer and the ones before it, never
 * upwards. By the path below the room; the first matching layer counts, and a file in none is not checked.
 */
export interface Storeys {
  readonly folder: string;
  readonly layers: readonly (readonly [name: string, files: RegExp])[];
}

/** Files next to the directories of a room. */
const BESIDE = /^[^/]+$/;

// biome-ignore format: a table
export const STOREYS: readonly Storeys[] = [
  { folder: "src-server/", layers: [["files", /^(user-file|program-files)\.ts$/], ["config", /^(config(-file|-kinds)?|user-path)\.ts$/], ["fixtures", /^fixtures\//], ["repair", /^repair\//], ["boot", /^boot\//], ["composition", BESIDE]] },
  { folder: "src-server/store/", layers: [["ground", /^failure\.ts$/], ["disk", /^disk\//], ["document", /^document\//], ["index", /^index\//], ["journal", /^journal\//], ["recovery", /^recovery\//], ["store", /^(snapshots\/)?[^/]+$/]] },
  { folder: "src-server/domain/", layers: [["rules", /^(?!store\.ts$)[^/]+$/], ["history", /^history\//], ["import", /^import\//], ["store", BESIDE]] },
  { folder: "src-server/http/", layers: [["bodies", /^bodies\//], ["traffic", /^traffic\//], ["apps", /^((guards|answering|lookups)\/)?[^/]+$/], ["events", /^events\//], ["handlers", /^handlers\//]] },
  { folder: "src-renderer/", layers: [["api", /^api\//], ["ui", /^ui\//], ["shared", /^shared\//], ["places", /^(places|features)\//], ["shell", /^shell\//], ["page", BESIDE]] },
  { folder: "src-renderer/shared/", layers: [["history", /^(arrival|clock|history|network|session)\//], ["request", /^request\//], ["user", /^user\//], ["fault", /^fault\//], ["login", /^login\//]] },
];

/** Where a text that is also the name of a strategy or a channel means something else. */
export const NAMESAKES: RegExp =
  /^src-(server\/contract\/documents\/json-schema|renderer\/(places\/setup\/(platforms|target-part|reach-check|steps|tool-button)|shared\/network\/targets))\.tsx?$/;

/**
 * Where an exported name may repeat another: commands have the names of what they call, frameworks the same three each,
 * features all the same.
 */
export const ECHOES: RegExp =
  /^src-(server\/(commands|plumbing)|client\/frameworks)\/|^src-programs\/[^/]+\/(commands|command)\.ts$|^src-server\/features\/.+\/(manifest|server|commands|command|tools)\.ts$|\/records\.ts$/;

/** Where tests may mock a module, and which. */
export const MOCKABLE = { within: /^test\/main\//, packages: ["electron"] };

/** Aliases (`imports` of package.json) → their targets. */
export const DOORS: readonly (readonly [door: string, folder: string])[] = [
  ["#contract/", "src-server/contract/"],
  ["#domain/", "src-server/domain/"],
  ["#features/", "src-server/features/"],
  ["#people/", "src-server/people/"],
  ["#tokens/", "src-server/tokens/"],
  ["#certificates/", "src-server/certificates/"],
  ["#store/", "src-server/store/"],
  ["#advice/", "src-server/advice/"],
  ["#http/", "src-server/http/"],
  ["#programs/", "src-programs/"],
  ["#server/", "src-server/"],
  ["#client/", "src-client/"],
  ["#test/", "test/"],
];

/**
 * Something that only certain files may use. Bare globals (`console`, `fetch`, `process`) are left to Biome, which can
 * tell globals from variables; see the `overrides` in biome.json.
 */
export interface Reserved {
  readonly wall: string;
  /** Members, calls and constructions, spelled as in `facts.ts`; members of these count too. */
  readonly uses: readonly string[];
  /** Where it is forbidden. */
  readonly within: RegExp;
  /** Where it is allowed nevertheless. */
  readonly but?: RegExp;
  readonly why: string;
}

export const RESERVED: readonly Reserved[] = [
  {
    wall: "pure-rooms",
    uses: [
      "Date.now",
      "new Date()",
      "Date()",
      "Math.random",
      "performance.now",
      "crypto.randomUUID",
      "crypto.getRandomValues",
    ],
    within: /^src-server\/(contract|domain|people|tokens)\//,
    why: "time and chance come in as values",
  },
  {
    wall: "environment",
    uses: ["process.env"],
    within: /^src-/,
    but: /^(src-server\/config|src-main\/server-process|src-client\/environment|src-client\/frameworks\/emulator)\.ts$/,
    why: "only src-server/config.ts, src-main/server-process.ts for its child processes, and in tests src-client/environment.ts and src-client/frameworks/emulator.ts, read the environment",
  },
  {
    wall: "computed-regexes",
    uses: ["new RegExp", "RegExp()"],
    within: /^src-/,
    but: /^(src-server\/http\/answering\/ui|src-renderer\/ui\/code)\.tsx?$/,
    why: "test/walls/thorough/regexes.test.ts tries each expression that is written out; a computed one it cannot see",
  },
  {
    wall: "console",
    uses: ["console"],
    within: /^src-/,
    but: /^src-server\/cli\.ts$/,
    why: "only src-server/cli.ts talks to the terminal",
  },
  {
    wall: "network",
    uses: ["fetch", "new EventSource", "new XMLHttpRequest", "new WebSocket", "navigator.sendBeacon"],
    within: /^src-renderer\//,
    but: /^src-renderer\/api\//,
    why: "the UI asks the server through src-renderer/api only",
  },
  {
    wall: "programs",
    uses: ["spawn()", "spawnSync()", "execFile()", "execFileSync()", "execSync()", "fork()"],
    within: /^src-(server\/(?!commands\/)|programs\/)/,
    but: /^src-(server\/(plumbing\/open-browser|features\/devices\/delivery\/programs)|programs\/explore\/(run-program|processes))\.ts$/,
    why: "other programs are started in features/devices/delivery/programs.ts, a browser in plumbing/open-browser.ts, and the user's command in src-programs/explore/run-program.ts: without a shell, within a time",
  },
  {
    wall: "time-limits",
    uses: ["AbortSignal.any", "AbortSignal.timeout"],
    within: /^(src-(client|main|server|programs)|test|tools)\//,
    why: "Node 20 may never abort them, because it holds what they depend on weakly; joinSignals of src-client/signals.ts is certain",
  },
  {
    wall: "one-window-factory",
    uses: ["new BrowserWindow"],
    within: /^src-main\//,
    but: /^src-main\/window\.ts$/,
    why: "windows are made, and hardened, in src-main/window.ts",
  },
];

/** Where constants are shared by requests: everything but the commands, each of which is a process of its own. */
export const SHARING: RegExp = /^src-server\/(?!commands\/|plumbing\/|(cli|program)\.ts$)/;

/** What a module keeps on purpose while its process lives, as `path name`. */
export const KEPT: readonly string[] = ["src-server/store/disk/lock.ts held"];

/** The entry points of published modules, which re-export what is public. */
export const ENTRIES: readonly string[] = [
  "src-client/index.ts",
  "src-client/frameworks/playwright.ts",
  "src-client/frameworks/vitest.ts",
  "src-client/frameworks/jest.ts",
];

/** Which other features a feature may import; all others none. */
export const MAY_USE: Readonly<Record<string, readonly string[]>> = {
  // A bundle has the faults that its login met.
  history: ["failures"],
};

/** Files that a tool finds by their default export. */
export const CONFIG_FILES: RegExp = /\.config\.ts$|^src-client\/frameworks\/(vitest|jest)\.ts$/;

/** The desktop shell is thin: fewer lines than this in total. */
export const SHELL_LINES = 1_200;
