import { execFile, spawn } from "node:child_process";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseReadyLine } from "#test/support/ready.ts";

const CHECKOUT = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);
const isWindows = process.platform === "win32";
let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stagedoor-packed-"));
  // The tests have built it; --ignore-scripts does not build again.
  await run("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder], {
    cwd: CHECKOUT,
    shell: isWindows,
  });
  const [archive = ""] = await readdir(folder);
  await run("tar", ["-xzf", archive], { cwd: folder });
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

test("the published package starts in an empty folder, with nothing installed beside it", async () => {
  const cli = join(folder, "package/dist/server/cli.js");
  const ports = ["--admin-port", "0", "--auth-port", "0", "--console-port", "0"];
  const server = spawn(process.execPath, [cli, "start", "--headless", "--json", "--ephemeral", ...ports], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => server.on("exit", resolve));
  const line = await new Promise<string>((resolve) => createInterface({ input: server.stdout }).once("line", resolve));
  const ready = parseReadyLine(line);
  expect(ready?.pid).toBe(server.pid);
  const page = await fetch(ready?.consoleUrl ?? "");
  expect(page.status).toBe(200);
  expect(await page.text()).toContain("Stagedoor");
  server.kill("SIGTERM");
  await ended;
});

test("it holds the server, the console and the fixtures, and no sources or tests", async () => {
  const top = await readdir(join(folder, "package"));
  expect(top.filter((name) => /^(src-|test|tools|node_modules|bench)/.test(name))).toEqual([]);
  expect(top).toEqual(expect.arrayContaining(["LICENSE", "dist", "fixtures", "package.json"]));
  // npm always takes the file that "main" names, which Electron needs to be the shell's.
  expect(await readdir(join(folder, "package/dist"))).toEqual(["client", "main", "renderer", "server"]);
  expect((await stat(join(folder, "package/dist/server/cli.js"))).mode & 0o111).toBe(isWindows ? 0 : 0o111);
});
