/** Which instance a command, a client and a helper means: by folder, by what runs, by environment and options. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test, vi } from "vitest";
import { connect } from "#client/index.ts";
import { findInstance, type Whereabouts } from "#server/plumbing/find-instance.ts";
import { freshPath } from "./support.ts";

const DEFAULT = "http://127.0.0.1:4012/";
const OWN = "http://127.0.0.1:5012/";

/** A Stagedoor that has a data folder open. */
const lock = (dataDir: string, consoleUrl: string): void => {
  mkdirSync(dataDir, { recursive: true });
  const holder = { pid: process.pid, instance: "0".repeat(24), consoleUrl: consoleUrl.slice(0, -1), renewals: 1 };
  writeFileSync(join(dataDir, "lock.json"), JSON.stringify(holder));
};

/** Which file the project has, and what runs. */
interface Case {
  readonly file?: object | string;
  /** Where the command runs, below the project. */
  readonly in?: string;
  readonly runs?: readonly ("default" | "own data")[];
  readonly env?: Readonly<Record<string, string>>;
  readonly where?: Whereabouts;
}

/** A home folder with a project, and where in it the command runs. */
interface Place {
  readonly home: string;
  readonly cwd: string;
}

const prepare = ({ file, in: inner = "", runs = [] }: Case): Place => {
  const home = freshPath("home");
  const project = join(home, "project");
  mkdirSync(join(project, "sub", "deep"), { recursive: true });
  mkdirSync(join(project, "worktree"), { recursive: true });
  mkdirSync(join(project, ".git"));
  writeFileSync(join(project, "worktree", ".git"), "gitdir: elsewhere");
  // Above the repository: never read.
  writeFileSync(join(home, "stagedoor.config.json"), JSON.stringify({ consolePort: 9999 }));
  const own = typeof file === "string" ? file : file && JSON.stringify(file);
  if (own !== undefined) writeFileSync(join(project, "stagedoor.config.json"), own);
  if (runs.includes("default")) lock(join(home, ".local/share/stagedoor"), DEFAULT);
  if (runs.includes("own data")) lock(join(project, "data"), OWN);
  return { home, cwd: join(project, inner) };
};

/** @returns the URL that a command uses, or its error. */
const ofCommand = ({ home, cwd }: Place, { env = {}, where = {} }: Case): string => {
  try {
    return findInstance(where, env, { platform: "linux", home, cwd })[0].replace(/\/?$/, "/");
  } catch (error) {
    return String(error).replace(home, "HOME");
  }
};

/** @returns the same of a client; a call tells where there is none. */
const ofClient = async ({ home, cwd }: Place, { env = {} }: Case): Promise<string> => {
  vi.spyOn(process, "cwd").mockReturnValue(cwd);
  for (const [name, value] of Object.entries({ STAGEDOOR_CONSOLE_URL: "", HOME: home, ...env }))
    vi.stubEnv(name, value);
  vi.stubGlobal("fetch", () => Promise.reject(new Error("connection refused")));
  const client = connect();
  const refused = await client.status().catch(String);
  return `${client.consoleUrl}/ ${refused}`.replaceAll(home, "HOME");
};
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

const PORTS = { adminPort: 5010, authPort: 5011, consolePort: 5012 };
const DATA = { data: "./data" };
const url = "http://127.0.0.1:7000/";

const CASES: readonly (readonly [what: string, given: Case, meant: string | RegExp])[] = [
  ["no file, none runs: the default port", {}, DEFAULT],
  ["no file, another runs", { runs: ["default"] }, DEFAULT],
  ["ports of its own", { file: PORTS, runs: ["default"] }, OWN],
  ["ports of its own, from a subfolder", { file: PORTS, in: "sub/deep", runs: ["default"] }, OWN],
  ["data of its own", { file: DATA, runs: ["default", "own data"] }, OWN],
  ["data of its own, from a subfolder", { file: DATA, in: "sub", runs: ["default", "own data"] }, OWN],
  [
    "data of its own that nobody has open, while another runs",
    { file: DATA, in: "sub", runs: ["default"] },
    /No running Stagedoor uses HOME\/project\/data \(\.\.\/stagedoor\.config\.json:1:9\)/,
  ],
  ["data and ports, none runs: the port of the file", { file: { ...PORTS, ...DATA }, runs: ["default"] }, OWN],
  [
    "a file with comments and trailing commas",
    { file: '{\n  // Not "consolePort": 1\n  "consolePort": 5012, /* "data": "x" */\n}', in: "sub", runs: ["default"] },
    OWN,
  ],
  ["a worktree in the folder has a root of its own", { file: PORTS, in: "worktree", runs: ["default"] }, DEFAULT],
  ["the environment", { file: PORTS, env: { STAGEDOOR_CONSOLE_URL: url }, runs: ["default"] }, url],
  ["--url", { file: PORTS, where: { url }, env: { STAGEDOOR_CONSOLE_URL: OWN } }, url],
  ["--data that nobody has open", { where: { data: "/nowhere" }, runs: ["default"] }, /uses \/nowhere\. Start/],
];

test.each(CASES)("%s", (_what, given, meant) => {
  const found = ofCommand(prepare(given), given);
  if (typeof meant === "string") expect(found).toBe(meant);
  else expect(found).toMatch(meant);
});

/** Clients and helpers have no options; their URL is given, or set in the environment. */
const WITHOUT_OPTIONS = CASES.filter(([, { where }]) => where === undefined);
/** What they say of a project whose instance does not run. */
const NOT_RUNNING = /project\/stagedoor\.config\.json[\s\S]*`stagedoor start`/;

test.each(WITHOUT_OPTIONS)("client: %s", async (_what, given, meant) => {
  const found = await ofClient(prepare(given), given);
  if (typeof meant === "string") expect(found.split(" ")[0]).toBe(meant);
  else expect(found).toContain("is not running");
  const isOfFile = given.file !== undefined && given.in !== "worktree" && given.env === undefined;
  if (isOfFile) expect(found).toMatch(NOT_RUNNING);
  else expect(found).not.toContain("stagedoor.config.json");
});

/** Runs each helper where it is: a line of its language for all places, and what it answers, a line each. */
const HELPERS: Readonly<Record<string, readonly [program: string, option: string, text: string]>> = {
  "stagedoor_pytest.py": [
    "python3",
    "-c",
    `import os, sys; sys.path.insert(0, sys.argv[1]); sys.modules["pytest"] = type("Pytest", (), {"hookimpl": lambda **_: lambda f: f, "fixture": lambda f: f})
import stagedoor_pytest
for cwd, home in zip(sys.argv[2::2], sys.argv[3::2]):
    os.chdir(cwd); os.environ["HOME"] = home
    try: print(stagedoor_pytest.console())
    except stagedoor_pytest.StagedoorError as error: print(error)`,
  ],
  "stagedoor_helper.rb": [
    "ruby",
    "-e",
    `module RSpec; def self.configure; end; end
load File.join(ARGV.shift, "stagedoor_helper.rb")
ARGV.each_slice(2) { |cwd, home| Dir.chdir(cwd); ENV["HOME"] = home; puts begin; Stagedoor.allocate.send(:project_console); rescue Stagedoor::Error => e; e.message; end }`,
  ],
  "StagedoorTestCase.php": [
    "php",
    "-r",
    `eval("namespace PHPUnit\\\\Framework; class TestCase {}"); require $argv[1] . "/StagedoorTestCase.php";
foreach (array_chunk(array_slice($argv, 2), 2) as [$cwd, $home]) {
    chdir($cwd); putenv("HOME=$home"); $helper = (new ReflectionClass("Stagedoor"))->newInstanceWithoutConstructor();
    $console = new ReflectionMethod($helper, "console"); $console->setAccessible(true);
    try { echo $console->invoke($helper), "\n"; } catch (RuntimeException $error) { echo $error->getMessage(), "\n"; }
}`,
  ],
};
const isHere = (program: string): boolean => {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

test.each(Object.entries(HELPERS))("helper: %s", (_file, [program, option, text]) => {
  const files = fileURLToPath(new URL("../../src-programs/helper/files", import.meta.url));
  if (!isHere(program)) return expect(process.env["CI"]).toBeFalsy();
  const cases = WITHOUT_OPTIONS.filter(([, { env }]) => env === undefined);
  const places = cases.map(([, given]) => prepare(given));
  const args = places.flatMap(({ cwd, home }) => [cwd, home]);
  const env = { PATH: process.env["PATH"], PYTHONDONTWRITEBYTECODE: "1" };
  const separator = program === "php" ? ["--"] : [];
  const out = execFileSync(program, [option, text, ...separator, files, ...args], { env, encoding: "utf8" });
  const found = out.trim().split("\n");
  for (const [n, [what, , meant]] of cases.entries())
    expect([what, found[n]]).toEqual([
      what,
      typeof meant === "string" ? meant.slice(0, -1) : expect.stringMatching(NOT_RUNNING),
    ]);
});
