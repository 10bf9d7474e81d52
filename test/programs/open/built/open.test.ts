/** `start --open`: what the system's opener gets; `stagedoor open`: a login that failed elsewhere. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { clean, freshPath, PROGRAM, runAlone, SCRIPT, send, start } from "#test/cli/support.ts";
import { afterFile } from "#test/support/cleanup.ts";

/** Runs `open FILE`. @returns where it is shown, its process, and the end of that. */
const opened = async (file: string) => {
  const child = spawn(PROGRAM, [...SCRIPT, "open", file, "--headless", "--json"], {
    env: clean(),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  afterFile(() => void child.kill("SIGKILL"));
  const [line] = await once(child.stdout, "data");
  const shown: { url: string; consoleUrl: string } = JSON.parse(String(line));
  return { shown, child, ended };
};

/** A stand-in for the opener of a Linux desktop. @returns its directory, and the arguments it got. */
const opener = async () => {
  const [bin, opened] = [freshPath("bin"), freshPath("opened")];
  await mkdir(bin);
  const script = `#!/bin/sh\necho "$@" > '${opened}.part' && mv '${opened}.part' '${opened}'\n`;
  await writeFile(join(bin, "xdg-open"), script);
  await chmod(join(bin, "xdg-open"), 0o755);
  const words = async (): Promise<string> => {
    await expect.poll(() => readFile(opened, "utf8").catch(() => "")).not.toBe("");
    return (await readFile(opened, "utf8")).trim();
  };
  return { PATH: `${bin}:${process.env["PATH"]}`, words };
};

test("A13: --open passes a one-time code to the browser's opener, not the access token", async ({ skip }) => {
  skip(process.platform !== "linux", "the stand-in is Linux's xdg-open");
  const { PATH, words } = await opener();
  const server = await start(["--open", "--console-host", "127.0.0.1", "--ephemeral", "--json"], { PATH });
  const { accessToken = "none", consoleUrl } = server.ready;
  const address = await words();
  expect(address.startsWith(`${consoleUrl}/?access_code=`)).toBe(true);
  expect(address).not.toContain(accessToken);
  const cmdline = await readFile(`/proc/${server.ready.pid}/cmdline`, "utf8");
  expect(cmdline).not.toContain(accessToken);
  const first = await fetch(address, { redirect: "manual" });
  const [pair = ""] = (first.headers.get("Set-Cookie") ?? "").split(";");
  expect((await fetch(`${consoleUrl}/emulator/v1/status`, { headers: { Cookie: pair } })).status).toBe(200);
  expect((await fetch(address, { redirect: "manual" })).status).toBe(401);
  await server.stop();
});

test("--open opens the console; a browser that cannot be opened is reported in a line", async ({ skip }) => {
  skip(process.platform !== "linux", "the stand-in is Linux's xdg-open");
  const { PATH, words } = await opener();
  const server = await start(["--open", "--data", freshPath()], { PATH });
  expect(await words()).toBe(server.ready.consoleUrl);
  await server.stop();
  const without = await start(["--open", "--json", "--data", freshPath()], { PATH: freshPath("nowhere") });
  await expect.poll(() => without.err()).toContain("Could not open a browser");
  await without.stop();
});

test("stagedoor open shows a login that failed elsewhere, with its clock frozen, until it is stopped", async () => {
  const there = await start(["--ephemeral", "--json"]);
  const { authUrl, consoleUrl } = there.ready;
  const user = { phone: "+12025550100" };
  await send("POST", `${authUrl}/v1/users/session`, { appId: "demo-app", user });
  const failed = await send("PUT", `${authUrl}/v1/users/session`, { appId: "demo-app", user, passcode: "1" });
  const id = failed.headers.get("Emulator-Request-Id");
  const text = await (await fetch(`${consoleUrl}/emulator/v1/requests/${id}/bundle`)).text();
  expect(text).not.toContain("sk_local_demo");
  const file = freshPath("login.json");
  await writeFile(file, text);
  await there.stop();

  const { shown, child, ended } = await opened(file);
  expect(shown.url).toBe(`${shown.consoleUrl}/codes/${id}?app=demo-app`);
  expect((await fetch(shown.url)).status).toBe(200);
  const row = await (await fetch(`${shown.consoleUrl}/emulator/v1/requests/${id}`)).json();
  expect(row).toMatchObject({ id, status: 401, reason: "passcode_mismatch" });
  const clock = await (await fetch(`${shown.consoleUrl}/emulator/v1/clock?appId=demo-app`)).json();
  const bundle = JSON.parse(text);
  expect(clock.frozenAt).toBe(bundle.clock.now);
  const past = await (await fetch(`${shown.consoleUrl}/emulator/v1/timeline?appId=demo-app`)).json();
  expect(past).toMatchObject({ items: bundle.timeline, total: 2 });
  // The film of elsewhere cannot be rewound.
  expect(past.oldestSeq).toBeGreaterThan(bundle.timeline[0].seq);
  child.kill("SIGTERM");
  expect((await ended)[0]).toBe(0);
});

test("stagedoor open shows an exploration", async () => {
  const file = freshPath("exploration.json");
  const run = { step: "PUT session #1", kind: "lost", result: "failed", known: false, exitCode: 1, ms: 9, repeat: "" };
  const more = { after: { requests: 0, lastStatus: null }, left: { usedCodes: 1, lostSessions: 1 }, film: { a: [1] } };
  const exploration = { version: 1, steps: ["PUT session #1"], kinds: ["lost"], runs: [{ ...run, ...more }] };
  await writeFile(file, JSON.stringify(exploration));
  const { shown, child, ended } = await opened(file);
  expect(shown.url).toBe(`${shown.consoleUrl}/requests/exploration`);
  const answer = await fetch(`${shown.consoleUrl}/emulator/v1/exploration`);
  expect(await answer.json()).toEqual({ exploration });
  expect((await fetch(`${shown.consoleUrl}/coverage/PUT%20session%20%231%3Alost`)).status).toBe(200);
  child.kill("SIGTERM");
  expect((await ended)[0]).toBe(0);
});

test("stagedoor open says why a file is invalid", async () => {
  const file = freshPath("other.json");
  await writeFile(file, '{"kind":"something"}');
  expect(await runAlone(["open", file, "--headless"])).toMatchObject({
    status: 1,
    err: expect.stringContaining('is not a downloaded login: kind must be "stagedoor-login"'),
  });
  await writeFile(file, "{,}");
  expect((await runAlone(["open", file])).err).toContain("line 1");
  expect(await runAlone(["open", freshPath("gone.json")])).toMatchObject({ status: 1, out: "" });
});
