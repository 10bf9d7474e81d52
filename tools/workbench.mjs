/**
 * `node tools/workbench.mjs`: installs what tests, checks and packaging need, once. `npm ci` leaves it out (`workspaces=false`
 * in .npmrc), because a first start does not need it: it is more than half of all packages. It is the workspace
 * tools/workbench, whose packages are in package-lock.json and in the node_modules of the checkout like all others.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { withLock } from "./lock.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** Every `npm ci` removes it, with all of node_modules. */
const LINK = join(ROOT, "node_modules/stagedoor-workbench");

/** The options with which `npm ci` and `npm install` install it too. */
export const WHOLE = ["--workspaces", "--include-workspace-root"];

/** @returns {number} npm's exit status */
const install = () => {
  console.error("Installing what tests, checks and packaging need, once …");
  const options = [...WHOLE, "--no-save", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"];
  const cli = process.env["npm_execpath"];
  /** @type {import("node:child_process").StdioOptions} */
  const stdio = ["ignore", 2, 2];
  const { status } =
    cli === undefined
      ? spawnSync("npm", ["install", ...options], { cwd: ROOT, stdio, shell: process.platform === "win32" })
      : spawnSync(process.execPath, [cli, "install", ...options], { cwd: ROOT, stdio });
  return status ?? 1;
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href && !existsSync(LINK))
  process.exitCode = await withLock(join(ROOT, "node_modules/.workbench-lock"), async () =>
    existsSync(LINK) ? 0 : install(),
  );
