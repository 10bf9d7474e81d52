/**
 * The shell with the real, built server: only Electron is a stand-in. Its utility process is a Node process that, like
 * Electron's, does not end by itself when there is nothing left to do.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ForkOptions, MenuItemConstructorOptions } from "electron";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { listen } from "#test/hosts/listen.ts";
import * as electron from "./electron-stand-in.ts";

vi.mock("electron", () => import("./electron-stand-in.ts"));
// Created once, before modules are reset, so that the shell gets the stand-in imported here.
await import("electron");

const built = (path: string): string => fileURLToPath(new URL(`../../dist/${path}`, import.meta.url));
const CLI = built("server/cli.js");
const LINGERS = ["--import", "data:text/javascript,setInterval(() => {}, 1e6)"];
const { answers, app, BrowserWindow, boxes, menus, questions } = electron;

let folder = "";
let env: NodeJS.ProcessEnv = {};
const running: ChildProcess[] = [];

class NodeProcess extends electron.UtilityProcessStandIn {
  readonly #child: ChildProcess;
  constructor(modulePath: string, args: readonly string[], options: ForkOptions) {
    super(modulePath, args, options);
    const child = spawn(process.execPath, [...LINGERS, built("main/command.js"), ...args], {
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child = child;
    running.push(child);
    child.stdout.pipe(this.stdout, { end: false });
    child.stderr.pipe(this.stderr, { end: false });
    child.on("exit", (code) => this.end(code ?? 137));
  }
  override kill(): boolean {
    return this.#child.kill();
  }
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "stagedoor-shell-"));
  electron.renew(folder);
  const ports = { STAGEDOOR_ADMIN_PORT: "0", STAGEDOOR_AUTH_PORT: "0", STAGEDOOR_CONSOLE_PORT: "0" };
  env = { ...process.env, ...ports, STAGEDOOR_DATA: join(folder, "data") };
  vi.spyOn(electron.utilityProcess, "fork").mockImplementation((...given) => new NodeProcess(...given));
});
afterEach(async () => {
  app.quit();
  for (const child of running.splice(0))
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
  // Otherwise its last output would reach the next test.
  await vi.waitFor(() => expect(app.calls.at(-1)).toBe("quit"), patience);
  await rm(folder, { recursive: true, force: true });
});

const patience = { timeout: 30_000, interval: 20 };
const launch = async (): Promise<void> => {
  vi.resetModules();
  vi.spyOn(process, "argv", "get").mockReturnValue(["electron", "."]);
  await import("../../src-main/index.ts");
};

/** Waits for this many windows. @returns the URL of the newest one, which is the console if it responds. */
const consoleOf = async (windows: number): Promise<string> => {
  await vi.waitFor(() => {
    const ended = running.map(({ exitCode, signalCode }) => exitCode ?? signalCode);
    expect(BrowserWindow.made, JSON.stringify({ questions, boxes, ended })).toHaveLength(windows);
  }, patience);
  const url = BrowserWindow.made.at(-1)?.loaded[0] ?? "";
  const answer = await fetch(new URL("/emulator/v1/status", url));
  expect(await answer.json()).toMatchObject({ name: "stagedoor" });
  return url;
};
const asked = (times: number) => vi.waitFor(() => expect(questions).toHaveLength(times), patience);

const click = (label: string): void => {
  const items = (menus.at(-1) ?? []).flatMap(({ submenu }) => (Array.isArray(submenu) ? submenu : []));
  const found: MenuItemConstructorOptions | undefined = items.find((item) => item.label === label);
  Reflect.apply(found?.click ?? expect.unreachable, undefined, []);
};

test("start, export, import, crash, restart, quit", async () => {
  await launch();
  await consoleOf(1);
  const file = join(folder, "state.json");
  answers.push(file);
  click("Export…");
  await vi.waitFor(async () => expect(await readFile(file, "utf8")).toMatch(/"demo-app".*\n}\n$/s), patience);
  answers.push(file);
  click("Import…");
  await vi.waitFor(() => expect(BrowserWindow.made[0]?.webContents.scripts.join()).toContain("state.json"), patience);

  answers.push("Restart");
  running[0]?.kill("SIGKILL");
  await asked(1);
  expect(questions[0]?.message).toBe("The Stagedoor server has ended");
  // On any free port again, so it is another window.
  const url = await consoleOf(2);
  expect(await (await fetch(new URL("/emulator/v1/state", url))).text()).toContain('"demo-app"');

  app.quit();
  await vi.waitFor(() => expect(app.calls.at(-1)).toBe("quit"), patience);
  expect(running[1]?.exitCode).toBe(0);
  expect(await readFile(join(folder, "data/stagedoor.json"), "utf8")).toContain('"demo-app"');
  expect(boxes).toEqual([]);
});

test("data in use: opens the running emulator, which outlives the shell", async () => {
  const other = spawn(process.execPath, [CLI, "start", "--json"], { env, stdio: ["ignore", "pipe", "inherit"] });
  running.push(other);
  await once(other.stdout, "data");
  answers.push("Open the Running One");
  await launch();
  await asked(1);
  await consoleOf(1);
  app.quit();
  expect(app.calls.at(-1)).toBe("quit");
  expect(other.exitCode).toBeNull();
});

test("port in use: uses free ports", async () => {
  const holder = createServer();
  env["STAGEDOOR_AUTH_PORT"] = String(await listen(holder));
  answers.push("Use Free Ports");
  await launch();
  await asked(1);
  await consoleOf(1);
  holder.close();
});

test("damaged data: repairs it", async () => {
  answers.push("Quit");
  await launch();
  const first = await consoleOf(1);
  const json = { "Content-Type": "application/json" };
  await fetch(new URL("/emulator/v1/clock/advance", first), { method: "POST", headers: json, body: '{"seconds":1}' });
  running[0]?.kill("SIGKILL");
  await asked(1);
  const journal = (await readdir(join(folder, "data"))).find((name) => name.endsWith(".ndjson")) ?? "";
  await appendFile(join(folder, "data", journal), "damage\n");
  answers.push("Open Data Folder", "Repair");
  await launch();
  await asked(3);
  expect(questions[1]?.detail).toContain(journal);
  expect(electron.opened).toEqual([`beside ${join(folder, "data", journal)}`]);
  await consoleOf(2);
});
