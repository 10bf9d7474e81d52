import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { beforeAll, describe, expect, test } from "vitest";
import { clean, freshPath, PROGRAM, run, SCRIPT, type Started, start } from "#test/cli/support.ts";
import { listen } from "#test/hosts/listen.ts";

let server: Started;
let env = { STAGEDOOR_APP_SECRET: "sk_local_demo", XDG_DATA_HOME: "" };
beforeAll(async () => {
  server = await start(["--json", "--ephemeral"]);
  env = { ...env, XDG_DATA_HOME: freshPath("share") };
});
const target = () => [
  "--admin-url",
  server.ready.adminUrl,
  "--auth-url",
  `${server.ready.authUrl}/`,
  "--app-id",
  "demo-app",
];
const user = () => ["--username", "+12025550100", "--codes-from", server.ready.consoleUrl];
const conform = (args: string[], input?: string) =>
  run(["conform", ...args], { env, ...(input === undefined ? {} : { input }) });

describe("conform", () => {
  test("measures a Stagedoor, writes the differences, and detects drift", async () => {
    const change = { settings: { "list.order": "newest", "metadata.merge": "deep" } };
    await fetch(`${server.ready.consoleUrl}/emulator/v1/apps/demo-app`, {
      method: "PATCH",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(change),
    });
    const [out, report] = [freshPath("settings.json"), freshPath("report.json")];
    const fast = [...target(), "--rate", "10000", "--yes"];
    const expected = freshPath("expected.json");
    await writeFile(expected, JSON.stringify({ "list.order": "oldest", "metadata.merge": "deep" }));
    const ended = await conform([...fast, ...user(), "--out", out, "--report", report, "--expect", expected]);
    expect([ended.status, ended.err], ended.out).toEqual([1, ""]);
    expect(ended.out).toContain("drift  D12 list.order: expected oldest, observed newest");
    expect(ended.out).toContain("Order of the list: this service newest, Stagedoor oldest → `list.order`  D12\n");
    expect(ended.out).toContain("Status of a failed sign-in: 401, as Stagedoor does  D25\n");
    expect(ended.out).toContain(`${out} has the settings: put them under "settings" of your app`);
    expect(ended.out).toContain("37 as Stagedoor does, 2 differ with a setting that follows");
    expect(JSON.parse(await readFile(out, "utf8"))).toEqual({ metadata: { merge: "deep" }, list: { order: "newest" } });
    expect(await readFile(report, "utf8")).not.toContain("sk_local_demo");
    const same = await conform([...fast, "--expect", out, "--json"]);
    expect([same.status, JSON.parse(same.out).drift]).toEqual([0, []]);
  });

  test("does nothing until the host is typed", async () => {
    const typed = await conform([...target()], "example.com\n");
    expect(typed).toMatchObject({ status: 1, out: "" });
    expect(typed.err).toContain("This creates and deletes profiles at 127.0.0.1. Type the host to continue: ");
    expect((await conform([...target()], "")).err).toContain("Nothing was changed");
  });

  test("says which URL and option cannot be reached", async () => {
    const gone = ["--admin-url", "http://127.0.0.1:9", "--auth-url", "http://127.0.0.1:9", "--app-id", "a", "--yes"];
    const ended = await conform([...gone, "--rate", "10000"]);
    expect([ended.status, ended.out]).toEqual([1, ""]);
    expect(ended.err).toMatch(/GET http:\/\/127\.0\.0\.1:9\/v1\/profiles \(--admin-url\): .+/);
  });

  test("signs up a user who does not exist yet, asks again for the code, and deletes the user", async () => {
    const args = ["--username", "+12025550177", "--codes-from", server.ready.consoleUrl, "--rate", "10000", "--yes"];
    const ended = await conform([...target(), ...args]);
    expect([ended.status, ended.err], ended.out).toEqual([0, ""]);
    expect(ended.out).toContain("Older codes: replaced, as Stagedoor does  D24\n");
    const found = await fetch(`${server.ready.consoleUrl}/emulator/v1/profiles?q=%2B12025550177`);
    expect(await found.json()).toMatchObject({ total: 0 });
  });

  test("SIGTERM while the service hangs: deletes what was created, and says that it was interrupted", async () => {
    const people = new Map<string, string>();
    let kill = (): void => undefined;
    const service = createServer(async (req, res) => {
      const [id = "", body] = [req.url?.split("/")[3], await text(req)];
      // The third creation is never answered.
      if (req.method === "POST" && people.size === 2) kill();
      else if (req.method === "POST") {
        people.set(String(people.size + 1), body);
        res.writeHead(201).end(JSON.stringify({ id: people.size }));
      } else if (req.method === "DELETE") res.writeHead(people.delete(id) ? 204 : 404).end();
      else res.writeHead(200).end(people.get(id) ?? "[]");
    });
    const url = `http://127.0.0.1:${await listen(service)}`;
    const args = ["--admin-url", url, "--auth-url", url, "--app-id", "a", "--yes", "--rate", "10000"];
    const child = spawn(PROGRAM, [...SCRIPT, "conform", ...args], { env: clean(env) });
    kill = () => void child.kill("SIGTERM");
    const [err, [status]] = await Promise.all([text(child.stderr), once(child, "exit")]);
    service.closeAllConnections();
    service.close();
    expect([status, [...people.keys()]], err).toEqual([1, []]);
    expect(err).toContain("Interrupted.");
    expect(err).toContain(`${url}/v1/profiles, unknown id, with`);
  });

  test("--dry-run lists the questions and sends nothing", async () => {
    const { status, out } = await conform(["--dry-run"]);
    expect([status, out]).toEqual([0, expect.stringContaining("Which profile comes first?")]);
  });

  test.each([
    [["--auth-url", "http://x", "--app-id", "a"], "--admin-url is required."],
    [["--admin-url", "x", "--auth-url", "http://x", "--app-id", "a"], "--admin-url must be a URL"],
    [["--admin-url", "http://x", "--auth-url", "http://x"], "--app-id is required."],
    [["--admin-url", "http://x", "--auth-url", "http://x", "--app-id", "a", "--rate", "0"], "--rate must be a number"],
    [
      ["--admin-url", "http://x", "--auth-url", "http://x", "--app-id", "a", "--secret-env", "NO_SUCH_NAME"],
      "NO_SUCH_NAME",
    ],
    [
      ["--admin-url", "http://x", "--auth-url", "http://x", "--app-id", "a", "--expect", "/nonexistent.json"],
      "/nonexistent.json cannot be read",
    ],
  ])("%j exits with 2", async (args, text) => {
    const ended = await conform(args);
    expect([ended.status, ended.err]).toEqual([2, expect.stringContaining(text)]);
  });

  test("an unknown setting gets the nearest name; a wrong secret and no response exit with 1", async () => {
    const file = freshPath("expected.json");
    await writeFile(file, JSON.stringify({ list: { oder: "newest" } }));
    const misspelt = await conform([...target(), "--yes", "--expect", file]);
    expect([misspelt.status, misspelt.err]).toEqual([2, expect.stringContaining('did you mean "order"?')]);
    const refused = await run(["conform", ...target(), "--yes"], { env: { ...env, STAGEDOOR_APP_SECRET: "wrong" } });
    expect([refused.status, refused.err]).toEqual([1, expect.stringContaining("status 401")]);
  });
});
