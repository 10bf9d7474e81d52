/**
 * The single executable in a root that holds the C library and nothing else: no shell, no Node, no /proc, nothing that may be
 * written. Reports how long a new user waits for the first code: from the start of the server to the printed passcode.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync } from "node:fs";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { buildSingle } from "../../tools/single.mjs";

const NOBODY = "65534:65534";
/** What the wait may be, in milliseconds. */
const MOST_MS = 5_000;

/** @param {string} program @param {string} root receives it and the libraries that it names */
const fill = (program, root) => {
  const libraries = execFileSync("ldd", [program], { encoding: "utf8" }).match(/\/\S+/g) ?? [];
  for (const file of libraries) {
    mkdirSync(join(root, dirname(file)), { recursive: true });
    copyFileSync(file, join(root, file));
  }
  copyFileSync(program, join(root, "stagedoor"));
  chmodSync(root, 0o555);
};

/**
 * @param {string} folder for the root
 * @returns {Promise<import("./table.mjs").End>}
 */
export const checkEmptyRoot = async (folder) => {
  if (process.platform !== "linux") return { missing: "only on Linux" };
  const root = mkdtempSync(join(folder, "root-"));
  fill(await buildSingle(), root);
  const enter =
    process.getuid?.() === 0
      ? ["chroot", `--userspec=${NOBODY}`, root, "/stagedoor"]
      : ["unshare", "--map-root-user", "chroot", root, "/stagedoor"];
  /** @param {string[]} args */
  const begin = (...args) =>
    spawn(enter[0] ?? "", [...enter.slice(1), ...args], { env: { PATH: process.env["PATH"] } });
  const before = performance.now();
  const server = begin("start", "--ephemeral", "--json", "--admin-port=0", "--auth-port=0", "--console-port=0");
  try {
    const said = await Promise.race([once(server.stdout, "data"), text(server.stderr)]);
    if (typeof said === "string") {
      if (/^(chroot|unshare):/.test(said)) return { missing: `no root can be entered: ${said.trim()}` };
      return { passed: 0, failed: 1, skipped: 0, problems: [said] };
    }
    const { authUrl, consoleUrl } = JSON.parse(String(said[0]));
    const body = JSON.stringify({ appId: "demo-app", user: { phone: "+12025550100" } });
    await fetch(`${authUrl}/v1/users/session`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body,
    });
    const code = await text(begin("passcode", "+12025550100", "--wait=4s", "--url", consoleUrl).stdout);
    const ms = Math.round(performance.now() - before);
    console.log(`  first code after ${ms} ms: ${code.trim()}`);
    const isGood = /^\d{6}\n$/.test(code) && ms < MOST_MS;
    return {
      passed: isGood ? 1 : 0,
      failed: isGood ? 0 : 1,
      skipped: 0,
      problems: isGood ? [] : [`${code} after ${ms} ms`],
    };
  } finally {
    server.kill("SIGKILL");
  }
};
