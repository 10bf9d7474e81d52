/**
 * electron-builder itself, run on this checkout with a stand-in for Electron's files: what it packs, and with which fuses.
 * The installers' own formats need tools that it would download, so they are not made here.
 */
import { execFile, spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseReadyLine } from "#test/support/ready.ts";
import { fakeBinary, fuseWire } from "./fake-electron.ts";

const run = promisify(execFile);
const CHECKOUT = fileURLToPath(new URL("../..", import.meta.url));
const inModules = (path: string): string => join(CHECKOUT, "node_modules", path);
const asar = (...args: string[]) => run(process.execPath, [inModules("@electron/asar/bin/asar.js"), ...args]);

let folder = "";
let packed = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stagedoor-package-"));
  const dist = join(folder, "electron");
  await mkdir(join(dist, "resources"), { recursive: true });
  for (const name of ["LICENSE", "LICENSES.chromium.html", "version", "chrome-sandbox"])
    await writeFile(join(dist, name), "45.4.1");
  await writeFile(join(dist, "electron"), fakeBinary(), { mode: 0o755 });
  const output = join(folder, "release");
  const overrides = [`-c.electronDist=${dist}`, `-c.directories.output=${output}`];
  const args = [
    "--config",
    "tools/config/electron-builder.config.ts",
    "--linux",
    "dir",
    "--x64",
    "--publish",
    "never",
    ...overrides,
  ];
  await run(process.execPath, [inModules("electron-builder/cli.js"), ...args], { cwd: CHECKOUT });
  packed = join(output, "linux-unpacked");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("the binary has the configured fuses", async () => {
  expect(fuseWire(await readFile(join(packed, "stagedoor")))).toBe("010011001");
});

test("the archive contains the shell, the server, the console, and no packages, sources or tests", async () => {
  const { stdout } = await asar("list", join(packed, "resources/app.asar"));
  const files = stdout.split("\n").map((line) => line.replaceAll("\\", "/"));
  const wanted = ["main/index.js", "main/command.js", "server/cli.js", "client/index.js", "renderer/index.html"];
  for (const file of [...wanted, "THIRD-PARTY-LICENSES.txt", "sbom.cdx.json"]) expect(files).toContain(`/dist/${file}`);
  expect([...new Set(files.map((file) => file.split("/")[1]))].sort()).toEqual(
    [undefined, "LICENSE", "dist", "package.json", "tools"].sort(),
  );
  expect(files.filter((file) => /node_modules|\.tsx?$|\.map$|\.svg$|stamp/.test(file))).toEqual(
    files.filter((file) => /^\/dist\/renderer\/assets\/.*\.svg$/.test(file)),
  );
});

test("its entry is the shell, which imports no packages", async () => {
  const app = join(folder, "manifest");
  await asar("extract", join(packed, "resources/app.asar"), app);
  const manifest = JSON.parse(await readFile(join(app, "package.json"), "utf8"));
  expect(manifest).toMatchObject({ name: "stagedoor", main: "dist/main/index.js", type: "module" });
  expect(manifest).not.toHaveProperty("dependencies");
});

test("the packed server starts and serves the console, in paths with spaces and other letters", async () => {
  const app = join(folder, "Jörgs Äpps – 数据 & 50%", "app");
  await asar("extract", join(packed, "resources/app.asar"), app);
  const data = join(folder, "Дані користувача");
  const ports = ["--admin-port=0", "--auth-port=0", "--console-port=0"];
  const args = [join(app, "dist/main/command.js"), "start", "--headless", "--json", `--data=${data}`, ...ports];
  const server = spawn(process.execPath, args, { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  try {
    const line = await new Promise<string>((resolve) => createInterface(server.stdout).once("line", resolve));
    expect(parseReadyLine(line)?.dataDir).toBe(data);
    const page = await fetch(parseReadyLine(line)?.consoleUrl ?? "", { headers: { accept: "text/html" } });
    expect(page.status).toBe(200);
    expect(await page.text()).toContain("<title>");
  } finally {
    server.kill("SIGKILL");
  }
});

test("the packed page loads nothing from elsewhere, and has no inline script or style", async () => {
  const app = join(folder, "page");
  await asar("extract", join(packed, "resources/app.asar"), app);
  const page = await readFile(join(app, "dist/renderer/index.html"), "utf8");
  for (const [tag] of page.matchAll(/<(?:script|style)\b[^>]*>/g)) expect(tag).toMatch(/^<script [^>]*src="/);
  expect(page).not.toMatch(/\s(?:src|href)="(?!\/(?!\/))/);
  expect(page).not.toMatch(/\son\w+="/);
  const assets = join(app, "dist/renderer/assets");
  for (const name of (await readdir(assets)).filter((asset) => /\.(?:js|css)$/.test(asset))) {
    const text = await readFile(join(assets, name), "utf8");
    expect(text, name).not.toMatch(/\bimport\(?\s*["'`](?:https?:)?\/\/|url\(\s*["']?(?:https?:)?\/\/|@import/);
  }
});
