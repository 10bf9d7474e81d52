import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { fetchElectron, noWindow } from "../../tools/window.mjs";

const START = new URL("../../tools/start.mjs", import.meta.url).href;
const CHECKOUT = fileURLToPath(new URL("../..", import.meta.url)).replace(/.$/, "");
const URL_LINE = "http://127.0.0.1:4012";
const SERVER = `
import { writeSync } from "node:fs";
if (process.argv.includes("--fail")) process.exit(3);
process.on("SIGINT", () => { console.log("SIGINT"); setTimeout(() => process.exit(0), 200); });
process.on("SIGTERM", () => { console.log("SIGTERM"); setTimeout(() => process.exit(5), 200); });
console.log(JSON.stringify(process.argv.slice(2)));
if (process.argv[2] !== "start") process.exit(process.env.STAGEDOOR_READY_FD === undefined ? 4 : 1);
writeSync(Number(process.env.STAGEDOOR_READY_FD), JSON.stringify({
  event: "ready", consoleUrl: "${URL_LINE}", accessToken: process.env.TOKEN,
}) + "\\n");
setTimeout(() => process.exit(9), 60000);
`;

/** Another Stagedoor has the data. */
const IN_USE = `
import { writeSync } from "node:fs";
const holder = { pid: 7, consoleUrl: "${URL_LINE}" };
writeSync(3, JSON.stringify({ event: "failed", code: "data_in_use", message: "In use.", holder }) + "\\n");
console.error("In use.");
process.exitCode = 1;
`;

const folders: string[] = [];
const folderWith = async (files: Record<string, string>): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "stagedoor-start-"));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(folder, name, ".."), { recursive: true });
    await writeFile(join(folder, name), text);
    await chmod(join(folder, name), 0o755);
  }
  return folder;
};
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

interface Run {
  readonly out: () => string;
  readonly err: () => string;
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly status: Promise<number | null>;
}

/** Runs `start` with a stand-in server, and stand-ins for Electron and its installer if given. */
const run = async (
  args: readonly string[],
  {
    electron,
    installer = "process.exit(1)",
    env = {},
    server = SERVER,
  }: { electron?: string; installer?: string; env?: NodeJS.ProcessEnv; server?: string } = {},
): Promise<Run> => {
  const folder = await folderWith({
    "cli.mjs": server,
    "install.mjs": installer,
    "run.mjs": `
      import { start } from ${JSON.stringify(START)};
      const at = (name) => new URL(name, import.meta.url).pathname;
      process.exitCode = await start({
        args: process.argv.slice(2), cli: at("./cli.mjs"), installer: at("./install.mjs"), env: process.env,
      });`,
    ...(electron === undefined ? {} : { "electron/electron": `#!/usr/bin/env node\n${electron}` }),
  });
  const { CI: _, ...own } = process.env;
  const child = spawn(process.execPath, [join(folder, "run.mjs"), ...args], {
    env: {
      ...own,
      DISPLAY: ":9",
      ELECTRON_OVERRIDE_DIST_PATH: join(folder, "electron"),
      SEEN: join(folder, "seen"),
      ...env,
    },
  });
  let out = "";
  let err = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  return {
    out: () => out,
    err: () => err,
    kill: (signal) => child.kill(signal),
    status: new Promise((resolve) => child.on("close", resolve)),
  };
};

const until = async (condition: () => boolean): Promise<void> =>
  vi.waitUntil(condition, { timeout: 30_000, interval: 20 }).then();

describe("npm start, with a stand-in server", () => {
  beforeEach(({ skip }) => skip(process.platform === "win32", "Windows has no signals"));
  test("passes its options on, exits with the server's status, and opens nothing after a failed start", async () => {
    const started = await run(["--fail"], { electron: "" });
    expect(await started.status).toBe(3);
    expect(started.err()).toBe("");
  });

  test.each([
    ["--headless", ["start", "--headless"]],
    ["start --headless", ["start", "--headless"]],
  ])("%s starts the server", async (line, given) => {
    const started = await run(line.split(" "));
    await until(() => started.out() !== "");
    expect(JSON.parse(started.out())).toEqual(given);
    started.kill("SIGTERM");
    expect(await started.status).toBe(5);
  });

  test("another command runs as it is, without a window, and its status is ours", async () => {
    const stage = await run(["stage", "--no-open"], { electron: "" });
    expect(await stage.status).toBe(4);
    expect(JSON.parse(stage.out())).toEqual(["stage", "--no-open"]);
    expect(stage.err()).toBe("");
  });

  test("opens the window as a client of the server; closing it leaves the server running", async () => {
    const electron = `require("node:fs").writeFileSync(process.env.SEEN, process.argv.slice(2).join(" "))`;
    const started = await run(["--data", "x"], { electron });
    await until(() => started.err() !== "");
    expect(started.err()).toBe(
      `Window closed; Stagedoor keeps running, Ctrl+C stops it: open the console in your browser at ${URL_LINE}\n`,
    );
    const seen = await readFile(join(folders.at(-1) ?? "", "seen"), "utf8");
    expect(seen).toMatch(new RegExp(` --console-url=${URL_LINE} --can-restart$`));
    expect(started.out()).toBe('["start","--data","x"]\n');
    started.kill("SIGTERM");
    expect(await started.status).toBe(5);
  });

  test("A13: passes the token of an open console to the window by environment variable, not as an argument", async () => {
    const electron = `
      const { writeFileSync } = require("node:fs");
      writeFileSync(process.env.SEEN, JSON.stringify([process.argv, process.env.STAGEDOOR_ACCESS_TOKEN]));`;
    const started = await run([], { electron, env: { TOKEN: "the-token" } });
    await until(() => started.err() !== "");
    const [args, token] = JSON.parse(await readFile(join(folders.at(-1) ?? "", "seen"), "utf8"));
    expect(token).toBe("the-token");
    expect(args.join(" ")).toContain(`--console-url=${URL_LINE}`);
    expect(args.join(" ")).not.toContain("the-token");
    expect(started.err()).toContain(`${URL_LINE}/?access_token=the-token`);
    started.kill("SIGTERM");
    await started.status;
  });

  test("a server that fails leaves its window, from which it starts again", async () => {
    const server = `
      import { existsSync, writeFileSync, writeSync } from "node:fs";
      const isFirst = !existsSync(process.env.SEEN);
      writeFileSync(process.env.SEEN, "");
      writeSync(3, JSON.stringify({ event: "ready", consoleUrl: "${URL_LINE}" }) + "\\n");
      process.on("SIGTERM", () => process.exit(5));
      console.log(isFirst ? "first" : "second");
      setTimeout(() => process.exit(isFirst ? 7 : 0), isFirst ? 500 : 60000);`;
    const electron = `
      process.on("SIGTERM", () => process.exit(0));
      setTimeout(() => console.log(process.argv.includes("--can-restart") ? "restart" : ""), 2000);
      setTimeout(() => {}, 60000);`;
    const started = await run([], { electron, server });
    await until(() => started.out() === "first\nsecond\n");
    started.kill("SIGTERM");
    expect(await started.status).toBe(5);
  });

  test("beside a running one: shows its window, and ends with status 0", async () => {
    const electron = `require("node:fs").writeFileSync(process.env.SEEN, process.argv.slice(2).join(" "))`;
    const started = await run([], { electron, server: IN_USE });
    expect(await started.status).toBe(0);
    expect(started.err()).toBe(`Stagedoor is already running: showing its window, ${URL_LINE}\n`);
    expect(await readFile(join(folders.at(-1) ?? "", "seen"), "utf8")).toContain(` --console-url=${URL_LINE}`);
  });

  test.each<[string, string[], object]>([
    ["with options, which the running one does not have", ["--lan"], { electron: "" }],
    ["without a window", ["--headless"], { electron: "" }],
    ["without Electron", [], {}],
  ])("beside a running one, %s: fails as the server does", async (_case, args, options) => {
    const started = await run(args, { ...options, server: IN_USE });
    expect(await started.status).toBe(1);
    expect(started.err()).toBe("In use.\n");
  });

  test("runs where npm was called, and names its commands as they can be typed there", async () => {
    const folder = await folderWith({ "file.txt": "" });
    const server = `console.log(JSON.stringify([process.cwd(), process.env.STAGEDOOR_CALLED_AS]))`;
    const called = async (cwd: string) => {
      const started = await run(["exec"], { server, env: { INIT_CWD: cwd } });
      await started.status;
      return JSON.parse(started.out());
    };
    const there = await realpath(folder);
    expect(await called(there)).toEqual([there, `npm --prefix ${relative(there, CHECKOUT)} start --`]);
    expect(await called(join(CHECKOUT, "test"))).toEqual([join(CHECKOUT, "test"), "npm start --"]);
  });

  test("closes the window silently when the server ends", async () => {
    const electron = `
      require("node:fs").writeFileSync(process.env.SEEN, String(process.pid));
      setInterval(() => {}, 1000);`;
    const started = await run([], { electron });
    const seen = join(folders.at(-1) ?? "", "seen");
    await vi.waitUntil(() => readFile(seen, "utf8").catch(() => ""), { timeout: 30_000, interval: 20 });
    const pid = Number(await readFile(seen, "utf8"));
    started.kill("SIGINT");
    expect(await started.status).toBe(0);
    await until(() => {
      try {
        return !process.kill(pid, 0);
      } catch {
        return true;
      }
    });
    expect(started.err()).toBe("");
  });

  test("forwards one Ctrl+C to the server, although npm doubles it", async () => {
    const started = await run(["--headless"]);
    await until(() => started.out() !== "");
    started.kill("SIGINT");
    started.kill("SIGINT");
    expect(await started.status).toBe(0);
    expect(started.out().match(/SIGINT/g)).toHaveLength(1);
    expect(started.err()).toBe("");
  });

  test("prints one line for a window that cannot be opened", async () => {
    const started = await run([], {
      electron: `console.error("a detail\\nMissing X server or $DISPLAY"); process.exit(1)`,
    });
    await until(() => started.err() !== "");
    expect(started.err()).toBe(
      `No window (the display cannot be opened; check DISPLAY, or start Stagedoor in a terminal of the desktop): open the console in your browser at ${URL_LINE}\n`,
    );
    started.kill("SIGINT");
    expect(await started.status).toBe(0);
  });

  test("downloads Electron in the background, prints one line, then opens the window", async () => {
    const installer = `
      import { mkdirSync, writeFileSync } from "node:fs";
      const folder = process.env.ELECTRON_OVERRIDE_DIST_PATH;
      mkdirSync(folder, { recursive: true });
      writeFileSync(folder + "/electron", "#!/usr/bin/env node\\nprocess.exit(0)", { mode: 0o755 });`;
    const started = await run([], { installer });
    await until(() => started.err().includes("Window closed"));
    expect(started.err().split("\n")[0]).toBe(
      `Fetching Electron for the window, once, about 110 MB; until then, open the console in your browser at ${URL_LINE}`,
    );
    started.kill("SIGINT");
    expect(await started.status).toBe(0);
  });

  test("prints one line for a failed download, and the server keeps running", async () => {
    const started = await run([], { installer: `throw new TypeError("fetch failed")` });
    await until(() => started.err().includes("could not"));
    expect(started.err().split("\n")[1]).toBe(
      `Electron could not be fetched (TypeError: fetch failed): open the console in your browser at ${URL_LINE}`,
    );
    started.kill("SIGINT");
    expect(await started.status).toBe(0);
  });

  test("stops a hanging download with the server", async () => {
    const started = await run([], { installer: "setInterval(() => {}, 1000)" });
    await until(() => started.err().includes("Fetching"));
    started.kill("SIGTERM");
    expect(await started.status).toBe(5);
    expect(started.err().split("\n")).toHaveLength(2);
  });
});

test("aborts the download when it stalls", async () => {
  const folder = await folderWith({ "hang.mjs": "setInterval(() => {}, 1000)" });
  const options = { say: () => {}, signal: new AbortController().signal, installer: join(folder, "hang.mjs") };
  expect(await fetchElectron({ ...options, patienceMs: 200, lookMs: 50 })).toBe("the download has stalled");
});

test("reports download progress every 25 MB", async () => {
  const text = `
    import { existsSync, truncateSync, writeFileSync } from "node:fs";
    const part = process.env.TMPDIR + "/part";
    writeFileSync(part, "");
    for (const lines of [1, 2]) {
      truncateSync(part, lines * 26_000_000);
      while (!existsSync(import.meta.dirname + "/said-" + lines)) await new Promise((again) => setTimeout(again, 5));
    }`;
  const folder = await folderWith({ "slow.mjs": text });
  const said: string[] = [];
  const say = (line: string): void => {
    said.push(line);
    writeFileSync(join(folder, `said-${said.length}`), "");
  };
  const options = { say, signal: new AbortController().signal };
  await fetchElectron({ ...options, installer: join(folder, "slow.mjs"), lookMs: 50 });
  expect(said).toEqual(["Electron: 26 MB fetched …", "Electron: 52 MB fetched …"]);
});

describe("a window opens", () => {
  const LINUX = { DISPLAY: ":0" };
  test.each([
    [["--headless"], LINUX, "linux", ""],
    [["--json"], LINUX, "linux", ""],
    [["--open"], LINUX, "linux", ""],
    [[], { ...LINUX, STAGEDOOR_HEADLESS: "1" }, "linux", ""],
    [[], { ...LINUX, CI: "true" }, "linux", "No window in CI"],
    [[], { CI: "1" }, "darwin", "No window in CI"],
    [[], {}, "linux", "No display for a desktop window"],
    [[], { DISPLAY: "", WAYLAND_DISPLAY: "" }, "linux", "No display for a desktop window"],
  ])("not with %j and %j on %s", (args, env, platform, reason) => expect(noWindow(args, env, platform)).toBe(reason));

  test.each([
    [LINUX, "linux"],
    [{ WAYLAND_DISPLAY: "wayland-0" }, "linux"],
    [{}, "darwin"],
    [{ CI: "false" }, "win32"],
  ])("with %j on %s", (env, platform) => expect(noWindow([], env, platform)).toBeUndefined());
});
