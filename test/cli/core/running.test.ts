/** The commands for a running emulator: status, logins, time, failures, requests. */
import { beforeAll, beforeEach, expect, test } from "vitest";
import { connect } from "#client/index.ts";
import { freshPath, run, type Started, send, sendCode, start } from "../support.ts";

const PHONE = "+12025550100";
let server: Started;
beforeAll(async () => {
  server = await start(["--json", "--data", freshPath()]);
});
beforeEach(() => connect(server.ready.consoleUrl).state.reset());

const said = (err: string) => expect.objectContaining({ status: 0, out: "", err });
const ask = (...args: string[]) => run([...args, "--url", server.ready.consoleUrl]);
const json = async (...args: string[]) => {
  const ended = await ask(...args, "--json");
  expect(ended).toMatchObject({ status: 0, err: "", out: expect.stringMatching(/^[^\n]+\n$/) });
  return JSON.parse(ended.out);
};

test("status and apps print what the control API returns", async () => {
  const { adminUrl, authUrl, consoleUrl, dataDir, pid } = server.ready;
  expect(await json("status")).toMatchObject({ pid, dataDir, urls: { admin: adminUrl, auth: authUrl } });
  const { status, out } = await ask("status");
  expect(status).toBe(0);
  for (const part of [adminUrl, authUrl, consoleUrl, dataDir ?? "", String(pid)]) expect(out).toContain(part);
  expect(await json("apps")).toEqual(await connect(consoleUrl).apps.list());
  expect((await ask("apps")).out).toMatch(/^demo-app {3}phone {2}secret sk_local_demo {2}12 profiles {2}Demo$/m);
});

test("apps create makes an app, also one that takes a request, and refuses what it does not know", async () => {
  const { authUrl } = server.ready;
  expect(await ask("apps", "create", "acme", "--strategy", "email")).toMatchObject({
    ...{ status: 0, out: expect.stringMatching(/^Created acme, secret \S+\. Its users sign in by email\.\n$/) },
  });
  const body = { client_id: "acme-ios", phone: PHONE };
  const send = async () =>
    await fetch(`${authUrl}/v1/users/session`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  expect((await send()).status).toBe(422);
  const [{ id }] = (await json("requests")).items;
  expect(await json("apps", "create", "--like", id)).toMatchObject({ appId: "acme-ios", strategy: "phone" });
  expect((await send()).status).toBe(200);
  expect(await ask("apps", "make", "x")).toMatchObject({
    status: 2,
    err: expect.stringContaining("list, create, delete"),
  });
  expect(await ask("apps", "create", "acme-ios")).toMatchObject({ status: 1 });
  expect((await ask("apps", "list")).out).toBe((await ask("apps")).out);
  expect((await ask("apps", "delete", "acme-ios")).err).toMatch(
    /^Deleted acme-ios: 1 profile \(http:\S+, data in .+\)\.\n$/,
  );
  expect(await ask("apps", "delete", "acme-ios")).toMatchObject({
    status: 1,
    err: expect.stringMatching(/No app "acme-ios"/),
  });
});

test("commands have the names that people know from elsewhere", async () => {
  await sendCode(server.ready, PHONE);
  for (const name of ["otp", "code", "passcode"])
    expect(await ask(name, PHONE)).toMatchObject({ status: 0, out: expect.stringMatching(/^\d{6}\n$/) });
  expect((await json("logs")).items.length).toBeGreaterThan(0);
  expect((await ask("users")).out).toBe((await ask("export")).out);
  for (const name of ["import", "load"]) expect(await ask(name, "ghost.csv")).toMatchObject({ status: 1 });
  const env = { STAGEDOOR_CONSOLE_URL: server.ready.consoleUrl };
  for (const name of ["ui", "open"])
    expect(await run([name, "--headless"], { env })).toMatchObject({ status: 0, out: `${server.ready.consoleUrl}\n` });
});

test("signin prints an active token, and creates the user", async () => {
  const { out } = await ask("signin", PHONE, "--app", "demo-app");
  const client = connect(server.ready.consoleUrl);
  expect(await client.sessions.introspect(out.trim())).toMatchObject({ active: true });
  const made = await json("signin", "new.user@example.com", "--app", "demo-mail", "--ttl", "10m");
  expect(await client.profiles.get(made.userId, { appId: "demo-mail" })).toMatchObject({
    email: "new.user@example.com",
  });
  expect(Date.parse(made.session.expiresAt) - Date.parse(made.session.createdAt)).toBeLessThanOrEqual(601_000);
  expect(await ask("signin", PHONE, "--app", "ghost")).toMatchObject({ status: 1, out: "" });
});

test("clock moves the clock of all apps, or of one", async () => {
  expect(await json("clock", "advance", "10m")).toMatchObject({ offsetSeconds: 600, frozenAt: null });
  expect(await json("clock", "advance", "1h", "--app", "demo-app")).toMatchObject({ offsetSeconds: 4_200 });
  expect(await json("clock")).toMatchObject({ offsetSeconds: 600 });
  expect((await run(["clock", "advance", "--url", server.ready.consoleUrl, "--", "-20m"])).out).toContain("behind");
  expect(await json("clock", "freeze", "2026-01-31")).toMatchObject({ frozenAt: "2026-01-31T00:00:00.000Z" });
  expect((await ask("clock")).out).toBe("2026-01-31T00:00:00.000Z (frozen)\n");
  expect(await json("clock", "freeze", "2026-01-31T18:00Z")).toMatchObject({ frozenAt: "2026-01-31T18:00:00.000Z" });
  expect(await json("clock", "freeze", "2026-01-31T18Z")).toMatchObject({ frozenAt: "2026-01-31T18:00:00.000Z" });
  expect(await json("clock", "real")).toMatchObject({ offsetSeconds: 0, frozenAt: null });
  for (const week of ["1w", "+7d"]) expect((await json("clock", "advance", week)).offsetSeconds % 604_800).toBe(0);
  expect(await json("clock", "real")).toMatchObject({ offsetSeconds: 0 });
  for (const wrong of [["advance"], ["advance", "soon"], ["freeze", "tomorrow"], ["real", "now"], ["sideways"]])
    expect(await ask("clock", ...wrong)).toMatchObject({ status: 2, out: "" });
});

test("fault add, list and clear", async () => {
  const added = await json("fault", "add", "--app", "demo-app", "--status", "503", "--body", '{"a":1}', "--times", "1");
  expect(added).toMatchObject({ match: { appId: "demo-app" }, effect: { status: 503, body: { a: 1 } }, times: 1 });
  const met = await sendCode(server.ready);
  expect([met.status, await met.json()]).toEqual([503, { a: 1 }]);
  const page = ["--status", "502", "--header", "Content-Type: text/html", "--header", "X-Served-By: a:1"];
  const gateway = await json("fault", "add", ...page, "--times", "1");
  expect(gateway.effect.headers).toEqual({ "Content-Type": "text/html", "X-Served-By": "a:1" });
  expect((await sendCode(server.ready)).headers.get("Content-Type")).toBe("text/html");
  await json("fault", "clear", gateway.id);
  const slow = await json("fault", "add", "--delay", "5ms", "--method", "post", "--reason", "passcode_expired");
  expect(slow).toMatchObject({ match: { method: "POST" }, effect: { delayMs: 5, reason: "passcode_expired" } });
  const chance = ["--probability", "0.25", "--seed", "42", "--cycle", "10s/1m"];
  const rare = await json("fault", "add", "--deliver-after", "15s-1.5m", "--clock-off=-3m", ...chance);
  expect(rare).toMatchObject({
    effect: { deliverAfterMs: { from: 15_000, to: 90_000 }, clockOffMs: -180_000 },
    ...{ probability: 0.25, seed: "42", cycle: { everyMs: 60_000, forMs: 10_000 } },
  });
  expect((await ask("fault", "list")).out).toContain('probability 0.25, seed "42", cycle {"everyMs":60000');
  await json("fault", "clear", rare.id);
  expect((await ask("fault", "list")).out).toContain("used 1 of 1");
  await json("fault", "clear", slow.id);
  expect(await json("fault", "list")).toMatchObject({ total: 1 });
  expect((await ask("fault", "clear")).status).toBe(0);
  expect(await json("fault", "list")).toMatchObject({ total: 0 });
  for (const wrong of [
    [],
    ["--status", "9999"],
    ["--delay", "soon"],
    ["--drop", "--status", "500"],
    ["--listener", "x"],
    ["--header", "Retry-After: 1"],
    ["--drop", "--probability", "often"],
    ["--drop", "--cycle", "10s"],
    ["--delay", "4s-2s"],
    ["--status", "503", "--header", "Retry-After"],
  ])
    expect(await ask("fault", "add", ...wrong)).toMatchObject({ status: 2, out: "" });
  const { err } = await ask("fault", "add", "--status", "503", "--header", "Content-Length: 1");
  expect(err).toContain("--header Content-Length cannot be set by a fault");
});

test("weather sets, prints and ends it", async () => {
  const set = await json("weather", "rush-hour", "--app", "demo-app", "--seed", "42", "--for", "10m");
  expect(set.items).toMatchObject([{ name: "rush-hour", appId: "demo-app", seed: "42" }]);
  expect((await ask("fault", "list")).out).toContain("weather rush-hour  used 0");
  const { out } = await ask("weather");
  expect(out).toMatch(/^rush-hour, seed 42, demo-app, until \S+Z\n\n {2}tunnel {7}20% of .*\n {2}rush-hour /);
  expect(await ask("weather", "calm")).toMatchObject({ status: 0, out: "calm\n", err: "" });
  expect((await ask("weather")).out).toMatch(/^calm\n/);
  expect(await ask("weather", "tunel")).toMatchObject({
    status: 1,
    err: 'Unknown weather "tunel". Did you mean "tunnel"?\n',
  });
  for (const wrong of [
    ["--seed", "4"],
    ["tunnel", "--for", "soon"],
    ["tunnel", "--for", "0s"],
  ])
    expect(await ask("weather", ...wrong)).toMatchObject({ status: 2, out: "" });
});

test("requests lists them, newest first; --why adds how to fix them", async () => {
  await sendCode(server.ready);
  const body = { appId: "demo-app", user: { phone: PHONE }, passcode: "wrong" };
  await send("PUT", `${server.ready.authUrl}/v1/users/session`, body);
  expect((await json("requests", "--app", "demo-app", "--limit", "2")).items).toMatchObject([
    { method: "PUT", status: 401, reason: "passcode_mismatch" },
    { method: "POST", status: 202 },
  ]);
  const { out } = await ask("requests", "--status", "401", "--limit", "1", "--why");
  expect(out).toMatch(
    /^\S+ {2}PUT .* 401 {2}passcode_mismatch .*\n {4}Fix: Received wrong, expected \d{6}\. .* Send \d{6}\.\n {4}Reason: .*differs.*\n/,
  );
  expect(await ask("requests", "--limit", "some")).toMatchObject({ status: 2, out: "" });
});

test("times are those of the machine's zone, as in the console on the same machine", async () => {
  await sendCode(server.ready, PHONE);
  const [row] = (await json("requests", "--limit", "1")).items;
  for (const timeZone of ["Asia/Kolkata", "America/New_York"]) {
    const shown = new Date(row.at).toLocaleTimeString("en-GB", { timeZone });
    const { out } = await run(["requests", "--limit", "1", "--url", server.ready.consoleUrl], {
      env: { TZ: timeZone },
    });
    expect(out.startsWith(`${shown}  POST`), out).toBe(true);
  }
});

test("every command with output has --json", async () => {
  const client = connect(server.ready.consoleUrl);
  await sendCode(server.ready);
  expect(await json("passcode", PHONE)).toEqual(await client.passcodes.latest({ to: PHONE }));
  expect(await json("wait")).toEqual({ consoleUrl: server.ready.consoleUrl });
  expect(await json("seed", "--generate", "2", "--app", "demo-app")).toMatchObject({ profiles: 2, dryRun: false });
  const file = freshPath("world.json");
  expect(await json("export", file)).toEqual({ file, apps: 2 });
  expect(await json("reset", "--app", "demo-app")).toMatchObject({ reset: "demo-app", counts: { profiles: 12 } });
});

test("requests and fault list say that there is nothing", async () => {
  expect(await ask("requests", "--path", "/nowhere")).toEqual(said("No request matches.\n"));
  expect(await ask("requests", "--trace", "4bf92f3577b34da6")).toEqual(said("No request matches.\n"));
  await connect(server.ready.consoleUrl).requests.clear();
  expect(await ask("requests")).toEqual(said("No requests yet.\n"));
  expect(await ask("fault", "list")).toEqual(said("No faults.\n"));
});

test("requests --limit outside 1 to 1,000 is wrong usage", async () => {
  for (const limit of ["0", "1001", "x", "1.5"])
    expect(await ask("requests", "--limit", limit)).toMatchObject({
      status: 2,
      out: "",
      err: expect.stringContaining(`--limit must be a whole number from 1 to 1000, not "${limit}".`),
    });
});

test("fault clear and reset count what they did", async () => {
  await json("fault", "add", "--status", "503", "--app", "demo-app");
  const { id } = await json("fault", "add", "--status", "503", "--app", "demo-mail");
  expect(await json("fault", "clear", "--app", "demo-app")).toEqual({ cleared: null, appId: "demo-app", removed: 1 });
  expect(await json("fault", "clear", id)).toEqual({ cleared: id, appId: null, removed: 1 });
  expect(await json("fault", "clear")).toEqual({ cleared: null, appId: null, removed: 0 });
  expect(await json("reset")).toMatchObject({ reset: null, counts: { apps: 2, sessions: 0 } });
  expect(await json("reset", "--app", "demo-mail")).toMatchObject({ reset: "demo-mail", counts: { sessions: 0 } });
});

test("export --json on standard output is one line, and without it many", async () => {
  expect(await json("export")).toMatchObject({ apps: [{ appId: "demo-app" }, { appId: "demo-mail" }] });
  expect((await ask("export")).out.split("\n").length).toBeGreaterThan(10);
});

test("signin of somebody new with several apps names --app and the apps", async () => {
  expect(await ask("signin", "+12025550177")).toMatchObject({
    status: 1,
    err: expect.stringContaining("--app is required. Apps: demo-app, demo-mail"),
  });
});

test("timeline lists what happened, and rewind goes back to before a request, which can be undone", async () => {
  const sent = await sendCode(server.ready);
  const request = sent.headers.get("Emulator-Request-Id") ?? "";
  const { items } = await json("timeline", "--app", "demo-app", "--limit", "1");
  expect(items).toMatchObject([{ requestId: request, what: "Passcode sent to +1 202 555 0100" }]);
  expect((await ask("timeline")).out).toContain(`  Passcode sent to +1 202 555 0100  ${request}\n`);
  const back = await ask("rewind", "--before", request);
  expect(back).toMatchObject({ status: 0, err: "" });
  const [, undo] =
    /^Rewound: 1 passcode \(http:.*, data in .*\)\. Undo: stagedoor rewind --undo (\d+)\n$/.exec(back.out) ?? [];
  expect(await ask("passcode", PHONE, "--app", "demo-app")).toMatchObject({ status: 1, out: "" });
  expect(await json("rewind", "--undo", undo ?? "", "--app", "demo-app")).toMatchObject({ changed: { passcodes: 1 } });
  expect(await json("passcode", PHONE)).toMatchObject({ to: PHONE });
  const [{ seq }] = (await json("timeline", "--limit", "1")).items;
  expect((await ask("rewind", "--to", String(seq), "--app", "demo-app")).out).toBe("Rewound: nothing was different.\n");
  expect(await ask("rewind", "--to", "0", "--app", "demo-app")).toMatchObject({ status: 1, out: "" });
  for (const wrong of [[], ["--to", "x"], ["--to", "1", "--before", "y"], ["--to", "1", "--clock", "now"]])
    expect(await ask("rewind", ...wrong)).toMatchObject({ status: 2, out: "" });
  expect((await ask("rewind", "--to", "1")).err).toContain("--app");
});
