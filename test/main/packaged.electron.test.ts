/**
 * The packaged app in real Electron: packed by electron-builder, then started, used and quit as an ordinary user
 * does. What the deb puts on a system is laid out by a stand-in for fpm, which electron-builder would download.
 */
import { type ChildProcess, execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readdir, readFile, readlink, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Client, connect } from "#client/index.ts";
import { CHECKOUT, DIST, LACK, patiently, useDesktop } from "./desktop.ts";

const run = promisify(execFile);
const CLI = join(CHECKOUT, "node_modules/electron-builder/cli.js");
/** Copies what belongs below /usr; the app itself stays where it was packed. */
const FPM = `#!/bin/sh
for each; do
  case "$each" in *=/usr/*) mkdir -p "$STAGE$(dirname "\${each#*=}")" && cp "\${each%%=*}" "$STAGE\${each#*=}" || exit 1;; esac
done
`;
const holder = z.object({ pid: z.int(), consoleUrl: z.url() });
const targets = z.array(z.looseObject({ url: z.string(), title: z.string() }));
const fixture = (name: string): string => {
  const app = { appId: "demo-app", name: "Demo", secret: "sk_local_demo", strategy: "phone", profiles: [{ name }] };
  return `// A comment, as fixture files may have.\n${JSON.stringify({ version: 1, apps: [app] })}`;
};

describe.skipIf(process.platform !== "linux" || LACK !== undefined)("the packaged app", () => {
  const desktop = useDesktop({ manager: true });
  let packed = "";
  /** The entries of the .desktop file. */
  let entry: ReadonlyMap<string, string>;
  let entryFile = "";

  beforeAll(async () => {
    const release = join(desktop.home, "release");
    const stage = join(desktop.home, "stage");
    const fpm = join(desktop.home, "fpm");
    await writeFile(fpm, FPM, { mode: 0o755 });
    const version = (await readFile(join(DIST, "version"), "utf8")).trim().replace(/^v/, "");
    const options = [`electronDist=${DIST}`, `electronVersion=${version}`, `directories.output=${release}`];
    const args = ["--config", "tools/config/electron-builder.config.ts", "--linux", "dir", "deb", "--x64"];
    const overrides = options.map((option) => `-c.${option}`);
    await run(process.execPath, [CLI, ...args, "--publish", "never", ...overrides], {
      cwd: CHECKOUT,
      env: { ...process.env, CUSTOM_FPM_PATH: fpm, STAGE: stage },
    });
    packed = join(release, "linux-unpacked");
    await run("chmod", ["-R", "a+rX", release]);
    const applications = join(stage, "usr/share/applications");
    entryFile = (await readdir(applications)).join();
    const lines = (await readFile(join(applications, entryFile), "utf8"))
      .split("\n")
      .filter((line) => line.includes("="));
    entry = new Map(lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]));
  });

  let app: ChildProcess;
  let words = "";
  let browser: Browser | undefined;
  /** The command of the .desktop file, with what a file manager puts into it. */
  const command = (...opened: string[]): [string, ...string[]] => {
    const [program = "", ...rest] = (entry.get("Exec") ?? "").split(" ");
    const args = rest.flatMap((word) => (word === "%U" ? opened : [word]));
    return [program.replace(/^\/opt\/Stagedoor/, packed), ...args];
  };
  const start = (...opened: string[]): void => {
    const ports = ["ADMIN", "AUTH", "CONSOLE"].map((name) => `STAGEDOOR_${name}_PORT=0`);
    app = desktop.start("env", ...ports, ...command(...opened), "--remote-debugging-port=0");
    words = "";
    for (const stream of [app.stdout, app.stderr]) stream?.on("data", (text) => (words += text));
  };
  const lock = (): string => join(desktop.home, ".data/stagedoor/lock.json");
  const consoleUrl = () => patiently(async () => holder.parse(JSON.parse(await readFile(lock(), "utf8"))).consoleUrl);
  /** The page in the window, once it is the console's: Playwright waits in vain for one that is on its way there. */
  const pageIn = async (): Promise<Page> => {
    const url = await consoleUrl();
    const debug = await patiently(
      () => /DevTools listening on ws:\/\/([^/]+)/.exec(words)?.[1] ?? expect.unreachable(words),
    );
    await patiently(async () => {
      const all = targets.parse(await (await fetch(`http://${debug}/json/list`)).json());
      expect(all.some((target) => target.url.startsWith(url) && target.title.endsWith("Stagedoor"))).toBe(true);
    });
    browser = await chromium.connectOverCDP(`http://${debug}`);
    return browser.contexts()[0]?.pages()[0] ?? expect.unreachable("there is a page");
  };
  /** The processes that run the packed program. */
  const processes = async (): Promise<string[]> => {
    const ids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
    const programs = await Promise.all(ids.map((id) => readlink(`/proc/${id}/exe`).catch(() => "")));
    return programs.filter((program) => program.startsWith(packed));
  };
  const windows = async (): Promise<string[]> =>
    (await desktop.run("wmctrl", "-l")).split("\n").flatMap((line) => line.split(" ")[0] || []);
  /** Presses Enter in the dialog that belongs to the window and has the focus. */
  const agree = async (): Promise<void> => {
    await expect.poll(async () => (await windows()).length).toBe(2);
    const active = async () => {
      const id = (await desktop.run("xdotool", "getactivewindow")).trim();
      return await desktop.run("xprop", "-id", id, "WM_TRANSIENT_FOR");
    };
    await expect.poll(active).toContain("window id");
    await desktop.run("xdotool", "key", "Return");
  };
  const names = async (client: Client): Promise<string[]> =>
    (await client.profiles.list({ appId: "demo-app", limit: 100 })).items.flatMap(({ name }) => name ?? []);

  beforeEach(async () => {
    await rm(join(desktop.home, ".data/stagedoor"), { recursive: true, force: true });
  });
  afterEach(async () => {
    await browser?.close();
    browser = undefined;
    app.kill();
    await expect.poll(processes).toEqual([]);
  });

  test("started as an ordinary user, it issues a code, shows it, and quits without leaving anything", async () => {
    start();
    const client = connect(await consoleUrl());
    const page = await pageIn();
    await page.waitForSelector("text=Send code");
    const { urls } = await client.status();
    const answer = await fetch(`${urls.auth}/v1/users/session`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ appId: "demo-app", user: { phone: "+12025550100" } }),
    });
    expect(answer.status).toBe(202);
    const { code } = await client.passcodes.latest({ to: "+12025550100" });
    await expect.poll(() => page.textContent("main")).toContain(code);

    const [window = ""] = await windows();
    const [, name, wmClass] =
      /= "([^"]*)", "([^"]*)"/.exec(await desktop.run("xprop", "-id", window, "WM_CLASS")) ?? [];
    expect([entry.get("Name"), entry.get("StartupWMClass"), entryFile, wmClass, name]).toEqual([
      ...["Stagedoor", "Stagedoor", "Stagedoor.desktop", "Stagedoor", "stagedoor"],
    ]);
    expect(entry.get("MimeType")).toContain("x-scheme-handler/stagedoor;");

    const ended = once(app, "exit");
    await desktop.run("xdotool", "windowactivate", "--sync", window, "key", "ctrl+q");
    expect(await ended).toEqual([0, null]);
    await expect.poll(processes).toEqual([]);
    expect(existsSync(lock())).toBe(false);
  });

  test("it opens fixture files by their URIs, at the first and at a second start", async () => {
    const file = async (name: string): Promise<string> => {
      const path = join(desktop.home, `${name}.stagedoor.json`);
      await writeFile(path, fixture(name));
      return pathToFileURL(path).href;
    };
    start(await file("Ångström Öz"));
    const client = connect(await consoleUrl());
    const page = await pageIn();
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await expect.poll(() => names(client)).toContain("Ångström Öz");
    const [program, ...args] = command(await file("Second"));
    await desktop.run(program, ...args);
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await expect.poll(() => names(client)).toContain("Second");
    expect(await windows()).toHaveLength(1);
  });

  test("it speaks in its own words: no command of a terminal, also when its server ends", async () => {
    start();
    const url = await consoleUrl();
    const page = await pageIn();
    await page.goto(`${url}/setup?show=phone`);
    await expect.poll(() => page.textContent("main")).toContain("Turns off when Stagedoor restarts");
    const { pid } = holder.parse(JSON.parse(await readFile(lock(), "utf8")));
    process.kill(pid, "SIGKILL");
    await expect.poll(() => page.getByRole("alert").allTextContents()).toHaveLength(1);
    const said = `${await page.getByRole("alert").textContent()} ${await page.textContent("main")}`;
    expect(said).toContain("Stagedoor is not running");
    expect(said).not.toMatch(/npm|--[a-z]|stagedoor start/);
    await agree();
    await expect.poll(async () => holder.safeParse(JSON.parse(await readFile(lock(), "utf8"))).data?.pid).not.toBe(pid);
    await connect(await consoleUrl()).status();
  });
});
