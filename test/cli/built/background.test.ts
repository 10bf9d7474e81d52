/** `start --detach` and `stop`. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { connect } from "#client/index.ts";
import { listen } from "#test/hosts/listen.ts";
import { afterFile } from "#test/support/cleanup.ts";
import { FREE_PORTS, freshPath, run, runAlone, start } from "../support.ts";

const runs = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test("stop waits until the process has exited with 0 and saved everything; a second stop finds nothing", async () => {
  const data = freshPath();
  const server = await start(["--data", data]);
  await connect(server.ready.consoleUrl).apps.create({ appId: "kept" });
  const looking = new AbortController();
  const stream = await fetch(`${server.ready.consoleUrl}/emulator/v1/events`, { signal: looking.signal });
  expect(stream.status).toBe(200);
  const stopped = await run(["stop", "--data", data, "--json"]);
  expect(stopped).toMatchObject({ status: 0, err: "" });
  expect(JSON.parse(stopped.out)).toMatchObject({ pid: server.ready.pid, counts: { apps: 3 } });
  await expect.poll(() => server.child.exitCode).toBe(0);
  expect(existsSync(join(data, "lock.json"))).toBe(false);
  looking.abort();
  expect(await run(["stop", "--data", data])).toMatchObject({ status: 1, out: "" });
  const again = await start(["--data", data]);
  expect(await connect(again.ready.consoleUrl).apps.get("kept")).toMatchObject({ appId: "kept" });
  await again.stop();
});

test("start --detach returns once it is ready, and its process runs until stop", async () => {
  const data = freshPath();
  const started = await runAlone(["start", "--detach", "--json", "--data", data, ...FREE_PORTS]);
  expect(started).toMatchObject({ status: 0, err: "" });
  const ready = JSON.parse(started.out);
  afterFile(() => {
    if (runs(ready.pid)) process.kill(ready.pid, "SIGKILL");
  });
  expect(ready).toMatchObject({ event: "ready", dataDir: data });
  expect(await connect(ready.consoleUrl).status()).toMatchObject({ pid: ready.pid });
  // Its output goes to a file that others cannot read.
  expect(ready.logFile).toBe(join(data, "stagedoor.log"));
  expect(statSync(ready.logFile).mode & 0o077).toBe(process.platform === "win32" ? 0o066 : 0);
  const body = JSON.stringify({ appId: "demo-app", user: { phone: "+12025550100" } });
  const send = () =>
    fetch(`${ready.authUrl}/v1/users/session`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body,
    });
  for (let n = 0; n < 3; n++) expect((await send()).status).toBe(202);
  const inUse = await runAlone(["start", "--detach", "--data", data, ...FREE_PORTS]);
  expect(inUse).toMatchObject({ status: 1, out: "", err: expect.stringContaining(String(ready.pid)) });
  expect(await run(["stop", "--url", ready.consoleUrl])).toMatchObject({ status: 0, err: "" });
  await expect.poll(() => runs(ready.pid)).toBe(false);
});

test("a start in the background logs codes and warnings, from its beginning", async () => {
  const data = freshPath();
  const background = async () => {
    const env = { STAGEDOOR_CONSOLE_PORT: "tcp://10.0.0.1:4012", STAGEDOOR_AUTH_PROT: "1" };
    const started = await runAlone(["start", "--detach", "--data", data, ...FREE_PORTS], { env });
    expect(started).toMatchObject({ status: 0, err: expect.stringMatching(/STAGEDOOR_AUTH_PORT\?\)\nIgnored.*\n$/) });
    const [file = "", authUrl = "", consoleUrl = ""] = [/Log +(\S.*)/, /Auth +(\S+)/, /Console +(\S+)/].map(
      (pattern) => pattern.exec(started.out)?.[1],
    );
    const body = JSON.stringify({ appId: "demo-app", user: { phone: "+12025550100" } });
    await fetch(`${authUrl}/v1/users/session`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body,
    });
    const { code } = await connect(consoleUrl).passcodes.latest({ to: "+12025550100" });
    await expect.poll(() => readFileSync(file, "utf8")).toContain(code);
    expect(await run(["stop", "--url", consoleUrl])).toMatchObject({ status: 0 });
    return { file, code };
  };
  const first = await background();
  const second = await background();
  expect(second.file).toBe(first.file);
  expect(readFileSync(second.file, "utf8").match(/^Stagedoor /gm)).toHaveLength(1);
});

test("a failed start in the background exits with its status and output", async () => {
  const other = createServer();
  const port = String(await listen(other));
  afterFile(() => void other.close());
  const taken = ["--ephemeral", ...FREE_PORTS, "--auth-port", port];
  const failed = await runAlone(["start", "--detach", "--json", ...taken]);
  expect(failed).toMatchObject({ status: 1, err: expect.stringContaining(port) });
  expect(JSON.parse(failed.out)).toMatchObject({ event: "failed", code: "port_in_use" });
  const wrong = await runAlone(["start", "--detach", "--auth-port", "70000"]);
  expect(wrong).toMatchObject({ status: 2, out: "", err: expect.stringContaining("--auth-port") });
});
