/** How `stagedoor explore` runs a command: one after the other or not, until it is interrupted, and without leftovers. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { clean, freshPath, PROGRAM, runAlone, SCRIPT } from "#test/cli/support.ts";
import { CHECKOUT } from "#test/client/installed.ts";
import { freePort } from "#test/support/ports.ts";

const SHORT = join(CHECKOUT, "test/programs/explore/short.mjs");
/** @returns the words of a program that does so, and what its runs have logged. */
const program = (how: string) => {
  const log = freshPath("log");
  const logged = async (): Promise<{ auth: string; pid: number }[]> =>
    (await readFile(log, "utf8").catch(() => ""))
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  return { words: ["--", process.execPath, SHORT, log, how], logged };
};
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe("Ctrl+C", () => {
  test("prints and writes what is known, and ends all that the command has started", { timeout: 120_000 }, async ({
    skip,
  }) => {
    skip(process.platform === "win32", "Windows has no signals");
    const { words, logged } = program("third");
    const json = freshPath("known.json");
    const args = [...SCRIPT, "explore", "--kinds", "lost,503", "--json", json, ...words];
    const child = spawn(PROGRAM, args, { env: clean(), stdio: ["ignore", "pipe", "pipe"] });
    const [ended, out, err] = [once(child, "exit"), text(child.stdout), text(child.stderr)];
    await expect.poll(async () => (await logged()).length, { timeout: 60_000 }).toBe(3);
    child.kill("SIGINT");
    expect((await ended)[0]).toBe(130);
    expect(await out).toContain("                 lost  503\nPOST session #1  ·\n");
    expect(await out).toContain("1 of 1 run passed\n");
    expect(await err).toContain("1 of 2  · POST session #1, lost (");
    expect(JSON.parse(await readFile(json, "utf8")).runs).toMatchObject([{ kind: "lost", result: "passed" }]);
    for (const { pid } of await logged()) await expect.poll(() => isAlive(pid)).toBe(false);
  });
});

test("a run whose step does not come is said to have tested nothing", { timeout: 120_000 }, async () => {
  const { words } = program("less");
  const { status, err } = await runAlone(["explore", "--kinds", "503", ...words]);
  expect(status).toBe(0);
  expect(err).toContain("In 1 run the step did not come, so nothing was tested: POST session #2, 503.");
});

test("what a command leaves running is ended with it", { timeout: 120_000 }, async ({ skip }) => {
  skip(process.platform === "win32", "Windows has no process groups");
  const { words, logged } = program("leaves");
  expect((await runAlone(["explore", "--kinds", "lost", ...words])).status).toBe(0);
  const pids = (await logged()).map(({ pid }) => pid);
  expect(pids).toHaveLength(2);
  for (const pid of pids) await expect.poll(() => isAlive(pid)).toBe(false);
});

test("a command that never ends has failed after --timeout", { timeout: 120_000 }, async () => {
  const { words } = program("stuck");
  const { status, out } = await runAlone(["explore", "--kinds", "503,late", "--timeout", "8s", ...words]);
  expect([status, out]).toEqual([1, expect.stringMatching(/\nPOST session #1 {2}⏱ {4}·\n/)]);
  expect(out).toContain("⏱ POST session #1, 503 (503, not carried out): sent nothing more, timed out\n");
});

test("with fixed ports one run goes after the other", { timeout: 120_000 }, async () => {
  const { words, logged } = program("once");
  const port = await freePort();
  const { status, err } = await runAlone([
    "explore",
    "--kinds",
    "lost,503",
    "--jobs",
    "2",
    "--auth-port",
    String(port),
    ...words,
  ]);
  expect([status, err]).toEqual([
    0,
    expect.stringContaining("One run at a time: the ports are given.\n2 runs, about "),
  ]);
  expect((await logged()).map(({ auth }) => new URL(auth).port)).toEqual([port, port, port].map(String));
});

test("--minutes takes what fits, the most telling first", { timeout: 120_000 }, async () => {
  const { words } = program("once");
  const json = freshPath("few.json");
  const { status, err } = await runAlone(["explore", "--minutes", "0.01", "--json", json, ...words]);
  expect([status, err]).toEqual([0, expect.stringMatching(/^1 run, about \d s with 1 job; 5 do not fit\.\n/)]);
  expect(JSON.parse(await readFile(json, "utf8")).kinds).toEqual(["lost"]);
});

test("--only shows the command's output, and what became of it", { timeout: 120_000 }, async () => {
  const { words } = program("once");
  const { status, out, err } = await runAlone(["explore", "--only", "POST session #1:503", ...words]);
  expect([status, out]).toEqual([0, "signed up: false\n"]);
  expect(err).toBe("· POST session #1, 503 (503, not carried out)\n");
  expect((await runAlone(["explore", "--only", "PUT session #1:lost", ...words])).err).toContain(
    "the step did not come",
  );
});

test("on a terminal the matrix fills in place", { timeout: 120_000 }, async ({ skip }) => {
  skip(process.platform !== "linux", "the command script of Linux gives it a terminal");
  if (spawnSync("script", ["--version"]).status !== 0) return skip("there is no command script");
  const { words } = program("once");
  const quoted = [PROGRAM, ...SCRIPT, "explore", "--kinds", "lost,503", ...words].map((word) => `'${word}'`).join(" ");
  const child = spawn("script", ["-qec", quoted, "/dev/null"], { env: clean(), stdio: ["ignore", "pipe", "inherit"] });
  const [out] = await Promise.all([text(child.stdout), once(child, "exit")]);
  // The three lines are replaced: up by two, from the first column.
  expect(out).toContain("\u001B[2A");
  const lines = out.replaceAll("\r", "").replaceAll("\u001B[K", "");
  expect(lines).toMatch(/POST session #1 {2}·\n1 of 2, about \d+ s left/);
  expect(lines).toMatch(/\n {17}lost {2}503\nPOST session #1 {2}· {5}·\n\n2 of 2 runs passed\n$/);
});
