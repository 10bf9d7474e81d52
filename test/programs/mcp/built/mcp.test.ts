/** `stagedoor mcp`, driven by the MCP client that agents' hosts are built with. */
import { readFile } from "node:fs/promises";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { connect } from "#client/index.ts";
import { freshPath, run, runAlone, type Started, send, start } from "#test/cli/support.ts";
import { afterFile } from "#test/support/cleanup.ts";
import { Agent } from "./mcp-support.ts";

const TO = "+12025550177";
const UNUSED = "http://127.0.0.1:9";
let server: Started;
let agents: Agent[] = [];
beforeAll(async () => {
  server = await start(["--json", "--data", freshPath()]);
});
afterEach(async () => {
  await Promise.all(agents.map((agent) => agent.close()));
  agents = [];
});

const open = async (...args: string[]): Promise<Agent> => {
  const agent = await new Agent().open(["--url", server.ready.consoleUrl, ...args]);
  agents.push(agent);
  return agent;
};
const apps = async (): Promise<string[]> =>
  (await connect(server.ready.consoleUrl).apps.list()).items.map(({ appId }) => appId);

const made = z.object({
  app: z.object({ appId: z.string() }),
  secret: z.string(),
  urls: z.object({ auth: z.string(), admin: z.string() }),
});
const anything = z.record(z.string(), z.unknown());
const failure = z.object({ reason: z.string(), why: z.string(), change: z.array(z.string()) });

describe("the tools", () => {
  test("have their documented names, effects and result schemas, in few words", async () => {
    const { client, stderr } = await open();
    const { tools } = await client.listTools();
    const reads = [
      "where_to_connect",
      "list_users",
      "wait_for_code",
      "wrong_token",
      "explain_failure",
      "list_requests",
      "timeline",
      "login_coverage",
    ];
    const others = [
      "make_app",
      "make_users",
      "sign_in_as",
      "set_fault",
      "clear_faults",
      "advance_clock",
      "checkpoint",
      "provoke_outcome",
    ];
    expect(tools.map(({ name }) => name).sort()).toEqual([...reads, ...others].sort());
    for (const { name, title, description, outputSchema, annotations } of tools) {
      expect(annotations).toMatchObject({ readOnlyHint: reads.includes(name), openWorldHint: false });
      expect([title, description, outputSchema]).not.toContain(undefined);
    }
    const destructive = tools.filter(({ annotations }) => annotations?.destructiveHint === true);
    expect(destructive.map(({ name }) => name).toSorted()).toEqual(["checkpoint", "clear_faults", "provoke_outcome"]);
    expect(client.getServerVersion()).toMatchObject({ name: "stagedoor" });
    expect(client.getInstructions()).toContain("make_app");
    // Every agent session pays for them.
    expect(JSON.stringify(tools).length).toBeLessThan(26_500);
    expect(stderr).toBe("");
  });

  test("are the same in the 2026 protocol, which a client can require", async () => {
    const agent = new Agent({ mode: { pin: "2026-07-28" } });
    agents.push(await agent.open(["--url", server.ready.consoleUrl]));
    expect(agent.client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
    expect((await agent.client.listTools()).tools).toHaveLength(16);
    expect((await agent.call("make_app")).isError).toBe(false);
  });

  test("docs/agents.md lists them with their effects", async () => {
    const { tools } = await (await open()).client.listTools();
    const page = await readFile(new URL("../../../../docs/agents.md", import.meta.url), "utf8");
    const effects = tools.map(({ name, annotations }) => {
      const { readOnlyHint, destructiveHint } = annotations ?? {};
      return [name, readOnlyHint ? "reads" : destructiveHint ? "destroys" : "adds"];
    });
    const listed = [...page.matchAll(/^\| `(\w+)` +\| (\w+) +\|/gm)].map(([, name, effect]) => [name, effect]);
    expect(listed.sort()).toEqual(effects.sort());
  });

  test("start from each host's configuration in docs/agents.md", async () => {
    const page = await readFile(new URL("../../../../docs/agents.md", import.meta.url), "utf8");
    const blocks = [...page.matchAll(/^```(json|toml)\n(.*?)^```$/gms)];
    expect(blocks.length).toBeGreaterThan(5);
    for (const [, kind, text = ""] of blocks) {
      const args = /\bargs"?\s*[:=]\s*(\[[^\]]*\])/.exec(text)?.[1] ?? "";
      if (kind === "json") expect(() => JSON.parse(text), text).not.toThrow();
      expect(text).toMatch(/"?command"?\s*[:=]\s*"npx"/);
      const words = z.array(z.string()).parse(JSON.parse(args));
      const [command, ...more] = words.slice(words.indexOf("stagedoor") + 1);
      expect(command).toBe("mcp");
      expect(await run(["mcp", ...more, "--help"])).toMatchObject({ status: 0, err: "" });
    }
  });

  test("reject an unknown argument by name", async () => {
    expect(await (await open()).fail("list_users", { app: "demo-app" })).toContain('Unknown: "app". Known: appId');
  });
});

describe("a login", () => {
  test("covers app, user, code, wrong attempt, clock, checkpoint and wrong token, and removes the app", async () => {
    const agent = await open();
    const { app, secret, urls } = await agent.ask(made, "make_app", { settings: { "passcode.length": 8 } });
    const { appId } = app;
    expect(urls).toEqual({ ...urls, auth: server.ready.authUrl, admin: server.ready.adminUrl });
    const lease = (await connect(server.ready.consoleUrl).apps.get(appId)).lease;
    expect(lease).toMatchObject({ ttlSeconds: 600 });
    const listed = await fetch(`${urls.admin}/v1/profiles`, { headers: { Authorization: `Bearer ${secret}` } });
    expect(listed.status).toBe(200);
    const session = `${urls.auth}/v1/users/session`;
    const login = { appId, user: { phone: TO } };

    // The first request signs up, the second sends a code.
    expect((await send("POST", session, login)).status).toBe(200);
    const waiting = agent.ask(z.object({ code: z.string(), seq: z.int() }), "wait_for_code", { to: TO });
    expect((await send("POST", session, login)).status).toBe(202);
    const { code, seq } = await waiting;
    expect(code).toMatch(/^\d{8}$/);

    const wrong = code.startsWith("1") ? "2" : "1";
    await send("PUT", session, { ...login, passcode: `${wrong}${code.slice(1)}` });
    expect(await agent.ask(failure, "explain_failure")).toMatchObject({
      reason: "passcode_mismatch",
      change: [expect.stringContaining(`expected ${code}`)],
    });

    await agent.ask(anything, "checkpoint", { action: "save", name: "sent" });
    expect(await agent.ask(anything, "advance_clock", { seconds: 601 })).toMatchObject({ offsetSeconds: 601 });
    expect((await send("PUT", session, { ...login, passcode: code })).status).toBe(401);
    expect(await agent.ask(failure, "explain_failure")).toMatchObject({ reason: "passcode_expired" });
    expect(await agent.ask(anything, "checkpoint", { action: "restore", name: "sent" })).toMatchObject({
      checkpoints: [{ name: "sent" }],
    });
    const past = z.object({ items: z.array(z.object({ seq: z.int(), what: z.string() })) });
    const { items } = await agent.ask(past, "timeline", { limit: 2 });
    const signedIn = await send("PUT", session, { ...login, passcode: code });
    expect(signedIn.status).toBe(200);
    expect(await agent.ask(past, "timeline", { limit: 1 })).toMatchObject({ items: [{ what: "Signed in" }] });
    const { seq: before = 0 } = items[0] ?? {};
    expect(await agent.ask(anything, "checkpoint", { action: "restore", seq: before })).toMatchObject({ changes: 2 });
    expect((await send("PUT", session, { ...login, passcode: code })).status).toBe(200);
    expect(await agent.fail("wait_for_code", { to: TO, after: seq, timeoutSeconds: 0 })).toMatch(
      /^no_passcode: No pass/,
    );

    const { sessionId } = await agent.ask(z.object({ sessionId: z.string() }), "sign_in_as", { to: TO });
    const bad = z.object({ token: z.string(), mustRefuse: z.literal(true) });
    const { token } = await agent.ask(bad, "wrong_token", { sessionId, defect: "expired" });
    const told = await connect(server.ready.consoleUrl).sessions.introspect(token);
    expect(told).toMatchObject({ active: false, reason: "expired" });

    const { text } = await agent.call("where_to_connect");
    expect(text).toContain(`App ${appId}`);
    expect(text).not.toContain(secret);
    await agent.close();
    await expect.poll(apps).not.toContain(appId);
    expect(await apps()).toContain("demo-app");
  });

  test("covers users, faults and requests, in words that suffice if a host drops the data", async () => {
    const agent = await open();
    const { app, urls } = await agent.ask(made, "make_app", { strategy: "email" });
    const users = [{ email: "ada@example.com", name: "Ada", testPasscode: "123456" }];
    await agent.ask(anything, "make_users", { users, generate: { count: 2, seed: "qa" } });
    expect(await agent.ask(anything, "make_users", { users })).toMatchObject({ users: [{ name: "Ada" }], total: 3 });
    expect((await agent.call("list_users", { q: "ada@" })).text).toMatch(/^1 user\.\n[0-9a-f-]{36} {2}Ada {2}ada@/);
    expect(await agent.fail("make_users", { users: [{ email: "x" }] })).toMatch(/^invalid_fields: .*email/);

    const effect = { status: 503, headers: { "Retry-After": "60" } };
    await agent.ask(anything, "set_fault", { match: { to: "ada@example.com" }, effect, times: 1 });
    const body = { appId: app.appId, user: { email: "ada@example.com" } };
    const refused = await send("POST", `${urls.auth}/v1/users/session`, body);
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([503, "60"]);
    expect(await agent.ask(anything, "explain_failure")).toMatchObject({
      why: "Simulated fault",
      change: [expect.stringMatching(/^Fault \S+ simulates this; clear_faults \{"id": "\S+"\} turns it off\.$/)],
    });
    const { id } = await agent.ask(z.object({ id: z.string() }), "set_fault", { effect: { drop: true } });
    await agent.ask(anything, "set_fault", { effect: { reset: true } });
    expect(await agent.ask(anything, "clear_faults", { listOnly: true })).toMatchObject({
      cleared: 0,
      faults: [{ effect }, { id, effect: { drop: true } }, { effect: { reset: true } }],
    });
    expect(await agent.ask(anything, "clear_faults", { id })).toEqual({ cleared: 1 });
    expect(await agent.fail("clear_faults", { id })).toMatch(/^unknown_fault: /);
    expect(await agent.ask(anything, "clear_faults")).toEqual({ cleared: 2 });
    const covered = await agent.ask(anything, "login_coverage");
    expect(covered).toMatchObject({ met: 1, total: 27 });
    expect((await agent.call("login_coverage")).text).toMatch(
      /^1 of 27 login outcomes covered\.\nsignedUp 0: .*\nserverError 1: /s,
    );
    expect((await agent.call("login_coverage", { notMet: true })).text).not.toContain("serverError");
    expect(await agent.ask(anything, "provoke_outcome", { outcome: "rateLimited", to: "ada@example.com" })).toEqual({
      next: "Request a code as ada@example.com.",
    });
    expect(await agent.fail("provoke_outcome", { outcome: "late" })).toMatch(/^unknown_outcome: /);
    expect((await send("POST", `${urls.auth}/v1/users/session`, body)).status).toBe(429);
    expect(await agent.ask(anything, "login_coverage")).toMatchObject({ met: 2 });
    expect((await send("POST", `${urls.auth}/v1/users/session`, { ...body, appId: "ghost" })).status).toBe(401);
    expect((await agent.call("explain_failure")).text).toMatch(
      new RegExp(`No app "ghost"\\.\n(.*\n)?Apps: ${app.appId}\\.`),
    );
    const locked = [{ email: "ada@example.com", scenario: "locked" }];
    expect((await agent.call("make_users", { users: locked })).text).toContain('fixed code 123456  scenario "locked"');
    const unlocked = [{ email: "ada@example.com", scenario: null }];
    expect(await agent.ask(anything, "make_users", { users: unlocked })).toMatchObject({ users: [{ scenario: null }] });
    expect((await agent.call("list_requests")).text).toMatch(
      /POST \/v1\/users\/session 401 unknown_app\n.* 429 rate_limited\n.* 503 /,
    );
  });
});

describe("the session", () => {
  test("cannot use another app with any tool", async () => {
    await sendTo("ghost");
    const agent = await open();
    expect(await agent.fail("list_users")).toBe("no_app: There is no app yet. Call make_app first.");
    await agent.ask(made, "make_app");
    const client = connect(server.ready.consoleUrl);
    const { session } = await client.signInAs({ appId: "demo-app", phone: "+12025550100" });
    const { requestId } = await sendTo("demo-app");
    const before = await client.state.export({ appId: "demo-app", volatile: true });
    const needs: Record<string, Record<string, unknown>> = {
      make_users: { users: [{ phone: TO }] },
      sign_in_as: { to: TO },
      wait_for_code: { to: "+12025550100" },
      wrong_token: { sessionId: session.id, defect: "expired" },
      set_fault: { effect: { status: 500 } },
      advance_clock: { seconds: 60 },
      checkpoint: { action: "save" },
      provoke_outcome: { outcome: "locked" },
    };
    const { tools } = await agent.client.listTools();
    for (const { name, inputSchema } of tools.filter((tool) => "appId" in (tool.inputSchema.properties ?? {}))) {
      expect(inputSchema.properties).toHaveProperty("appId");
      expect(await agent.fail(name, { ...needs[name], appId: "demo-app" }), name).toMatch(/^not_your_app: /);
    }
    // Nor by the id of another app's record.
    expect(await agent.fail("wrong_token", needs["wrong_token"])).toMatch(/^not_your_app: /);
    expect(await agent.fail("explain_failure", { requestId })).toMatch(/^not_your_app: /);
    // Requests without a known app from before this session belong to somebody else, too.
    expect((await agent.call("list_requests")).text).toMatch(/^No requests\./);
    expect(await client.state.export({ appId: "demo-app", volatile: true })).toEqual(before);
    expect((await client.faults.list()).total).toBe(0);
    expect((await client.clock.read({ appId: "demo-app" })).offsetSeconds).toBe(0);
  });

  test("learns of no other app from the advice on a mistyped id", async () => {
    const agent = await open();
    const { app } = await agent.ask(made, "make_app");
    for (const appId of ["Demo-App", "demo-ap", "demo-maill", app.appId.toUpperCase()]) {
      await send("POST", `${server.ready.authUrl}/v1/users/session`, { appId, user: { phone: TO } });
      const { text, data } = await agent.call("explain_failure");
      expect(text).toContain(app.appId);
      expect(text + JSON.stringify(data)).not.toMatch(/demo-app|demo-mail\b/);
    }
    expect((await agent.call("explain_failure")).text).toContain(`Did you mean “${app.appId}”?`);
  });

  test("is limited to one app with --app, and can use every app with --all", async () => {
    const one = await open("--app", "demo-mail");
    expect(await one.ask(anything, "list_users", { limit: 1 })).toMatchObject({ users: [expect.anything()] });
    expect(await one.fail("list_users", { appId: "demo-app" })).toContain("Use demo-mail.");
    expect(await one.fail("make_app")).toContain("confined to demo-mail");
    const all = await open("--all");
    expect(await all.fail("list_users")).toMatch(/^app_required: Pass appId\. Apps: demo-app, demo-mail\.$/);
    expect((await all.call("list_users", { appId: "demo-app" })).isError).toBe(false);
    expect(await all.fail("list_users", { appId: "ghost" })).toMatch(/^unknown_record: No app "ghost"\. Apps: /);
    expect(await run(["mcp", "--all", "--app", "x"])).toMatchObject({ status: 2, out: "" });
  });

  test("continues after a wait is cancelled", async () => {
    const agent = await open("--app", "demo-app");
    const cancelled = new AbortController();
    const args = { to: "+12025550100", after: 1_000_000, timeoutSeconds: 300 };
    const waiting = agent.client.callTool({ name: "wait_for_code", arguments: args }, { signal: cancelled.signal });
    const refused = expect(waiting).rejects.toThrow();
    cancelled.abort();
    await refused;
    expect((await agent.call("list_users")).isError).toBe(false);
  });

  test("says in every tool how to start an emulator if there is none", async () => {
    const agent = await new Agent().open(["--url", UNUSED]);
    agents.push(agent);
    expect(await agent.fail("make_app")).toMatch(/^unreachable: Stagedoor does not respond at .*`stagedoor start`/);
  });

  test("writes only the protocol to standard output, and exits cleanly", async () => {
    expect(await runAlone(["mcp", "--url", UNUSED])).toEqual({ status: 0, signal: null, out: "", err: "" });
    const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}\nno json\n';
    const { status, out, err } = await runAlone(["mcp", "--url", UNUSED], { input: ping });
    expect({ status, err }).toEqual({ status: 0, err: "" });
    for (const line of out.split("\n").filter(Boolean)) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
  });
});

/** A failing request to an app. @returns the id of its row. */
const sendTo = async (appId: string): Promise<{ requestId: string }> => {
  const body = { appId, user: { phone: "+12025550100" }, passcode: "000000" };
  const { headers } = await send("PUT", `${server.ready.authUrl}/v1/users/session`, body);
  return { requestId: headers.get("Emulator-Request-Id") ?? "" };
};

test("can use only its own new app with a join token", async () => {
  const token = "join-token-of-the-team";
  const shared = await start(["--json", "--data", freshPath(), "--console-host", "127.0.0.1"], {
    STAGEDOOR_JOIN_TOKEN: token,
  });
  const agent = await new Agent().open(["--url", shared.ready.consoleUrl], { STAGEDOOR_ACCESS_TOKEN: token });
  agents.push(agent);
  afterFile(() => shared.stop("SIGKILL"));
  const { app } = await agent.ask(made.omit({ urls: true }), "make_app", { settings: { "passcode.length": 4 } });
  await agent.ask(anything, "make_users", { users: [{ phone: TO }] });
  const login = { appId: app.appId, user: { phone: TO } };
  expect((await send("POST", `${shared.ready.authUrl}/v1/users/session`, login)).status).toBe(202);
  const { code } = await agent.ask(z.object({ code: z.string() }), "wait_for_code", { to: TO });
  await send("PUT", `${shared.ready.authUrl}/v1/users/session`, { ...login, passcode: `${code}0` });
  expect((await agent.ask(failure, "explain_failure")).change[0]).toContain("Codes of this app have 4 digits");
  await agent.ask(anything, "checkpoint", { action: "save" });
  await agent.ask(anything, "advance_clock", { seconds: 1 });
  expect(await agent.ask(anything, "where_to_connect")).toMatchObject({ urls: null, app: { appId: app.appId } });
});
