/** How `stagedoor explore` runs a command: one after the other or not, until it is interrupted, and without leftovers. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { clean, freshPath, PROGRAM, runAlone, SCRIPT } from "#test/cli/support.ts";
import { CHECKOUT } from "#test/client/installed.ts";
import { freePort } from "#test/support/ports.ts";

const SHORT = join(CHECKOUT, "test/programs/explore/short.mjs");
/** @returns the words of a program that does so, and what its runs have logged. */
const program = (how: string, port = 0) => {
  const log = freshPath("log");
  const logged = async (): Promise<{ auth: string; pid: number }[]> =>
    (await readFile(log, "utf8").catch(() => ""))
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  return { words: ["--", process.execPath, SHORT, log, how, String(port)], logged };
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

describe("a run whose request does not come", () => {
  test("has neither passed nor failed", { timeout: 120_000 }, async () => {
    const { words } = program("less");
    const { status, out } = await runAlone(["explore", "--kinds", "503", ...words]);
    expect([status, out]).toEqual([0, expect.stringMatching(/#1 {2}·\nPOST session #2 {2}–\n/)]);
    expect(out).toContain("1 of 1 run passed, in 1 the request did not come (–)\n");
  });

  test("makes the status 2 where none came", { timeout: 120_000 }, async () => {
    const { words } = program("cached");
    const { status, out, err } = await runAlone(["explore", "--kinds", "503,lost", ...words]);
    expect([status, out]).toEqual([
      2,
      expect.stringContaining("0 of 0 runs passed, in 2 the request did not come (–)"),
    ]);
    expect(err).toContain("No run tested anything");
    expect((await runAlone(["explore", "--only", "PUT session #9:lost", ...program("once").words])).status).toBe(2);
  });
});

describe("a server in a session of its own", () => {
  const explore = async (port: number, ...more: readonly string[]) => {
    const { words, logged } = program("serves", port);
    const args = [...SCRIPT, "explore", "--kinds", "503", ...more, ...words];
    const child = spawn(PROGRAM, args, { env: clean(), stdio: ["ignore", "pipe", "pipe"] });
    return { child, logged, ended: once(child, "exit"), out: text(child.stdout) };
  };
  const isGone = async (logged: () => Promise<{ pid: number }[]>): Promise<void> => {
    for (const { pid } of await logged()) await expect.poll(() => isAlive(pid), { timeout: 20_000 }).toBe(false);
  };

  test("is ended at the time limit", { timeout: 120_000 }, async ({ skip }) => {
    skip(process.platform === "win32", "Windows has no sessions");
    const { logged, ended, out } = await explore(await freePort(), "--timeout", "8s");
    expect([(await ended)[0], await out]).toEqual([1, expect.stringContaining("0 of 1 run passed")]);
    expect(await logged()).toHaveLength(2);
    await isGone(logged);
  });

  test.each(["SIGINT", "SIGKILL"] as const)("is ended after %s to explore", { timeout: 120_000 }, async (signal) => {
    if (process.platform === "win32") return;
    const { child, logged, ended } = await explore(await freePort());
    await expect.poll(async () => (await logged()).length, { timeout: 60_000 }).toBe(2);
    child.kill(signal);
    await ended;
    await isGone(logged);
  });

  test("whose port somebody else takes stops the exploration", { timeout: 120_000 }, async ({ skip }) => {
    skip(process.platform !== "linux", "looked at once a second there");
    const port = await freePort();
    const { words, logged } = program("hands", port);
    const running = runAlone(["explore", "--kinds", "503,lost", ...words]);
    await expect.poll(async () => (await logged()).length, { timeout: 60_000 }).toBe(1);
    let other: Server | undefined;
    const listen = async (): Promise<boolean> =>
      await new Promise((done) => {
        const server = createServer();
        server
          .once("error", () => done(false))
          .listen(port, "127.0.0.1", () => {
            other = server;
            done(true);
          });
      });
    await expect.poll(listen, { timeout: 20_000 }).toBe(true);
    const { status, err } = await running;
    other?.close();
    expect([status, err]).toEqual([1, expect.stringContaining(`has listened on port ${port}, which process `)]);
    expect(await logged()).toHaveLength(1);
  });
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
  expect(out).toContain(
    "⏱ POST session #1, 503 (503, not carried out): the app did not try again; timed out, the user was not signed in\n",
  );
});

test("--repeat shows how many of its runs passed, and takes a mixture for a failure", {
  timeout: 120_000,
}, async () => {
  const { words } = program("odd");
  const json = freshPath("odd.json");
  const { status, out } = await runAlone(["explore", "--kinds", "lost", "--repeat", "3", "--json", json, ...words]);
  expect([status, out]).toEqual([1, expect.stringContaining("\nPOST session #1  1/3\n")]);
  expect(JSON.parse(await readFile(json, "utf8")).runs).toMatchObject([
    { result: "failed", tries: { passed: 1, of: 3 } },
  ]);
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
    "the request did not come",
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
