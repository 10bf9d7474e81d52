/** `npm start` with the real server and the real window: beside a running one, and Ctrl+C. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CHECKOUT, LACK, useDesktop } from "./desktop.ts";

describe.skipIf(process.platform !== "linux" || LACK !== undefined)("npm start", () => {
  const desktop = useDesktop({ manager: true });
  const running: ChildProcess[] = [];
  let said = "";
  const npmStart = (...args: string[]): ChildProcess => {
    const ports = Object.fromEntries(["ADMIN", "AUTH", "CONSOLE"].map((name) => [`STAGEDOOR_${name}_PORT`, "0"]));
    // What CI sets for its own tests is no setting of the program.
    const own = Object.fromEntries(
      Object.entries(desktop.env).filter(([name]) => name !== "CI" && !name.startsWith("STAGEDOOR_")),
    );
    const env = { ...own, ...ports, STAGEDOOR_DATA: join(desktop.home, "data") };
    const child = spawn(process.execPath, [join(CHECKOUT, "tools/start.mjs"), ...args], {
      env,
      stdio: ["ignore", "ignore", "pipe"],
    });
    child.stderr?.on("data", (text) => (said += text));
    running.push(child);
    return child;
  };
  const windows = async (): Promise<string[]> =>
    (await desktop.run("wmctrl", "-l")).split("\n").flatMap((line) => line.split(" ")[0] || []);
  const state = async (): Promise<string> => desktop.run("xprop", "-id", (await windows())[0] ?? "", "WM_STATE");
  /** The processes that belong to this desktop, by its folder in their environment. */
  const processes = async (): Promise<string[]> => {
    const ids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
    const mine = await Promise.all(
      ids.map(async (id) => {
        const env = await readFile(`/proc/${id}/environ`, "utf8").catch(() => "");
        const command = await readFile(`/proc/${id}/cmdline`, "utf8").catch(() => "");
        return env.includes(`STAGEDOOR_DATA=${desktop.home}`) ? [`${id} ${command.replaceAll("\0", " ")}`] : [];
      }),
    );
    return mine.flat();
  };

  beforeEach(({ skip }) => {
    if (desktop.shell !== join(CHECKOUT, "dist/main")) skip("an ordinary user cannot read the checkout");
    said = "";
  });
  afterEach(async () => {
    for (const child of running.splice(0)) child.kill("SIGINT");
    await expect.poll(processes).toEqual([]);
  });

  const profiles = () => readdir(join(desktop.home, ".config/Stagedoor Window"));

  test("beside a running one brings its window back, or opens it, and ends with status 0; Ctrl+C ends all", async () => {
    const first = npmStart();
    await expect.poll(windows).toHaveLength(1);
    await desktop.run("xdotool", "windowminimize", (await windows())[0] ?? "");
    await expect.poll(state).toContain("Iconic");
    expect(await once(npmStart("--data", join(desktop.home, "data")), "exit")).toEqual([0, null]);
    expect(said).toMatch(/^Stagedoor is already running: showing its window, http:\/\/127\.0\.0\.1:\d+\n$/);
    await expect.poll(state).toContain("Normal");

    await desktop.run("wmctrl", "-i", "-c", (await windows())[0] ?? "");
    await expect.poll(windows).toEqual([]);
    const second = npmStart();
    await expect.poll(windows).toHaveLength(1);
    second.kill("SIGINT");
    expect(await once(second, "exit")).toEqual([0, null]);
    expect(first.exitCode).toBeNull();
    expect(await profiles()).toHaveLength(1);

    first.kill("SIGINT");
    expect(await once(first, "exit")).toEqual([0, null]);
    await expect.poll(processes).toEqual([]);
    // Its port was any free one.
    expect(await profiles()).toEqual([]);
  });

  test("a killed server leaves its window, whose menu starts it again", async () => {
    const first = npmStart();
    await expect.poll(windows).toHaveLength(1);
    const servers = async (): Promise<string[]> => (await processes()).filter((command) => command.includes("cli.js"));
    const [server = ""] = await servers();
    process.kill(Number.parseInt(server, 10), "SIGKILL");
    await expect.poll(servers).toEqual([]);
    const [window = ""] = await windows();
    await desktop.run("xdotool", "windowactivate", "--sync", window, "key", "ctrl+alt+r");
    await expect.poll(servers).toHaveLength(1);
    await expect.poll(windows).toHaveLength(1);
    first.kill("SIGINT");
    expect(await once(first, "exit")).toEqual([0, null]);
  });
});
