/** Which instance a command means: by folder, by what runs, by environment and options. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
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
  readonly file?: object;
  /** Where the command runs, below the project. */
  readonly in?: string;
  readonly runs?: readonly ("default" | "own data")[];
  readonly env?: Readonly<Record<string, string>>;
  readonly where?: Whereabouts;
}

const meantBy = ({ file, in: inner = "", runs = [], env = {}, where = {} }: Case): string => {
  const home = freshPath("home");
  const project = join(home, "project");
  mkdirSync(join(project, "sub", "deep"), { recursive: true });
  mkdirSync(join(project, "worktree"), { recursive: true });
  mkdirSync(join(project, ".git"));
  writeFileSync(join(project, "worktree", ".git"), "gitdir: elsewhere");
  // Above the repository: never read.
  writeFileSync(join(home, "stagedoor.config.json"), JSON.stringify({ consolePort: 9999 }));
  if (file !== undefined) writeFileSync(join(project, "stagedoor.config.json"), JSON.stringify(file));
  if (runs.includes("default")) lock(join(home, ".local/share/stagedoor"), DEFAULT);
  if (runs.includes("own data")) lock(join(project, "data"), OWN);
  try {
    const at = { platform: "linux", home, cwd: join(project, inner) } as const;
    return findInstance(where, env, at)[0].replace(/\/?$/, "/");
  } catch (error) {
    return String(error).replace(home, "HOME");
  }
};

const PORTS = { adminPort: 5010, authPort: 5011, consolePort: 5012 };
const DATA = { data: "./data" };
const url = "http://127.0.0.1:7000/";

test.each<readonly [what: string, given: Case, meant: string | RegExp]>([
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
  ["a worktree in the folder has a root of its own", { file: PORTS, in: "worktree", runs: ["default"] }, DEFAULT],
  ["the environment", { file: PORTS, env: { STAGEDOOR_CONSOLE_URL: url }, runs: ["default"] }, url],
  ["--url", { file: PORTS, where: { url }, env: { STAGEDOOR_CONSOLE_URL: OWN } }, url],
  ["--data that nobody has open", { where: { data: "/nowhere" }, runs: ["default"] }, /uses \/nowhere\. Start/],
])("%s", (_what, given, meant) => {
  if (typeof meant === "string") expect(meantBy(given)).toBe(meant);
  else expect(meantBy(given)).toMatch(meant);
});
