/**
 * The single executable: each command, as a plain user in an empty folder that nobody may write to, without
 * Node on the PATH and without HOME. `npm run everywhere -- single` runs all tests of the command line with it.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { findStartLine } from "#contract/control/ready.ts";
import { listen } from "#test/hosts/listen.ts";
import { afterFile } from "#test/support/cleanup.ts";
import { buildSingle } from "../../../tools/single.mjs";

const FREE_PORTS = ["--admin-port", "0", "--auth-port", "0", "--console-port", "0"];
const USER = { phone: "+12025550100" };
const isWindows = process.platform === "win32";
/** Whom root becomes for these tests. */
const plain = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
/** Windows needs its own folder for sockets. */
const bare = isWindows ? { SystemRoot: process.env["SystemRoot"] ?? "" } : {};

let folder = "";
let file = "";
/** What a server that the file started serves, for all tests. */
let ready = { consoleUrl: "", authUrl: "", adminUrl: "" };

const begin = (args: readonly string[]) => {
  const child = spawn(file, args, { cwd: folder, env: { ...bare, STAGEDOOR_CONSOLE_URL: ready.consoleUrl }, ...plain });
  afterFile(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  });
  return child;
};

/** Runs a command to its end. */
const run = async (args: readonly string[], input = "") => {
  const child = begin(args);
  child.stdin.end(input);
  const [out, err, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { status, out, err };
};

const announced = z.looseObject({ url: z.url() });

/** Runs a command until its first line, and stops it. @returns the line, and the answer of its `url`. */
const show = async (args: readonly string[]) => {
  const child = begin(args);
  const [line] = await once(child.stdout, "data");
  const { url } = announced.parse(JSON.parse(String(line)));
  const { status } = await fetch(url);
  child.kill("SIGTERM");
  const [exit] = await once(child, "exit");
  return { status, exit };
};

const send = async (method: string, url: string, body: object) =>
  await fetch(url, { method, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

beforeAll(async () => {
  const built = await buildSingle();
  folder = mkdtempSync(join(tmpdir(), "stagedoor-single-"));
  afterFile(() => {
    chmodSync(folder, 0o755);
    rmSync(folder, { recursive: true, force: true });
  });
  file = join(folder, isWindows ? "stagedoor.exe" : "stagedoor");
  // Not by this process: what another thread starts meanwhile would have the file open for writing, and it could not run.
  if (isWindows) copyFileSync(built, file);
  else execFileSync("cp", [built, file]);
  mkdirSync(join(folder, "data"));
  chmodSync(join(folder, "data"), 0o777);
  chmodSync(folder, 0o555);
  const child = begin(["start", "--headless", "--json", "--data", "data", ...FREE_PORTS]);
  const [line] = await once(child.stdout, "data");
  const said = findStartLine(String(line));
  if (said?.event !== "ready") throw new Error(String(line));
  ready = said;
});

test("--version names the file and its Node", async () => {
  const { out, err } = await run(["--version"]);
  expect(out).toBe(`0.1.0 (single file, Node ${process.versions.node})\n`);
  expect(err).toBe("");
});

test("the console and the demo app are inside, with the UI compressed once", async () => {
  const page = await fetch(`${ready.consoleUrl}/`);
  expect(page.headers.get("content-security-policy")).toContain("nonce-");
  const [, script = ""] = /src="(\/assets\/[^"]+)"/.exec(await page.text()) ?? [];
  const ask = (encoding: string) => fetch(ready.consoleUrl + script, { headers: { "Accept-Encoding": encoding } });
  const [packed, other] = [await ask("br, gzip"), await ask("identity")];
  expect([packed.headers.get("content-encoding"), other.headers.get("content-encoding")]).toEqual(["gzip", null]);
  expect(await other.text()).toBe(await packed.text());
  expect((await fetch(`${ready.authUrl}/emulator/demo/`)).headers.get("content-type")).toContain("text/html");
  expect((await fetch(`${ready.authUrl}/emulator/demo/demo.js`)).status).toBe(200);
});

test("licences prints those of the packages and of Node; --sbom lists both", async () => {
  const { out } = await run(["licences"]);
  for (const name of ["MIT License", "\nexpress ", `\nnode ${process.versions.node} (MIT)`, "OpenSSL"])
    expect(out).toContain(name);
  const { components } = JSON.parse((await run(["licences", "--sbom"])).out);
  const names = components.map(({ name }: { name: string }) => name);
  expect(names).toEqual(expect.arrayContaining(["express", "react", "node"]));
});

describe("with a running server", () => {
  test("a login: passcode reads its code", async () => {
    expect((await send("POST", `${ready.authUrl}/v1/users/session`, { appId: "demo-app", user: USER })).status).toBe(
      202,
    );
    const { out } = await run(["passcode", USER.phone]);
    const login = { appId: "demo-app", user: USER, passcode: out.trim() };
    expect((await send("PUT", `${ready.authUrl}/v1/users/session`, login)).status).toBe(200);
  });

  test("status, seed from its own fixtures, completion", async () => {
    expect(JSON.parse((await run(["status", "--json"])).out)).toMatchObject({ urls: { auth: ready.authUrl } });
    expect(await run(["seed", join(file, "fixtures", "team.jsonc")])).toMatchObject({ status: 0 });
    expect(await run(["seed", "-", "--format", "json"], '{"apps":[]}')).toMatchObject({ status: 0 });
    expect((await run(["completion", "bash"])).out).toContain("complete");
  });

  test("doctor finds its ports", async () => {
    const args = ["doctor", "--data", "data", ...FREE_PORTS];
    expect((await run(args)).out).toContain(`Node ${process.version}`);
  });

  test("token-check and conform measure a service", async () => {
    const backend = createServer((_, answer) => void answer.end("{}"));
    afterFile(() => backend.close());
    const checked = await run(["token-check", `http://127.0.0.1:${await listen(backend)}/`]);
    expect(checked, checked.err).toMatchObject({ status: 1, out: expect.stringContaining("accepted") });
    const urls = ["--admin-url", ready.adminUrl, "--auth-url", ready.authUrl, "--app-id", "demo-app"];
    expect(await run(["conform", ...urls, "--dry-run"])).toMatchObject({ status: 0 });
  });

  test("mcp answers an agent", async () => {
    const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };
    const line = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: hello });
    const child = begin(["mcp"]);
    child.stdin.write(`${line}\n`);
    const [answer] = await once(child.stdout, "data");
    expect(JSON.parse(String(answer)).result.serverInfo.name).toBe("stagedoor");
    child.stdin.end();
    await once(child, "exit");
  });

  test("open shows a download", async () => {
    const wrong = await send("PUT", `${ready.authUrl}/v1/users/session`, {
      appId: "demo-app",
      user: USER,
      passcode: "1",
    });
    const id = wrong.headers.get("Emulator-Request-Id");
    const bundle = await (await fetch(`${ready.consoleUrl}/emulator/v1/requests/${id}/bundle`)).text();
    const saved = join(folder, "data", "login.json");
    writeFileSync(saved, bundle, { mode: 0o644 });
    expect(await show(["open", saved, "--headless", "--json"])).toEqual({ status: 200, exit: isWindows ? null : 0 });
  });
});

test("stage shows the people that come with it", async () => {
  expect(await show(["stage", "--no-open", "--json"])).toEqual({ status: 200, exit: isWindows ? null : 0 });
});

test("exec gives a command an emulator of its own", async () => {
  const { status, out } = await run(["exec", "--", file, "status", "--json"]);
  expect(status).toBe(0);
  expect(JSON.parse(out).consoleUrl).not.toBe(ready.consoleUrl);
});

test("start --detach starts this file, which stop ends", async () => {
  const started = await run([
    "start",
    "--detach",
    "--headless",
    "--json",
    "--data",
    join("data", "own"),
    ...FREE_PORTS,
  ]);
  expect(started, started.err).toMatchObject({ status: 0 });
  const { consoleUrl } = JSON.parse(started.out);
  expect((await fetch(`${consoleUrl}/livez`)).status).toBe(200);
  expect(await run(["stop", "--url", consoleUrl])).toMatchObject({ status: 0 });
});
