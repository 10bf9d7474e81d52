/** What tools that wait, browsers, proxies and event-source libraries ask. */
import { expect, test } from "vitest";
import { readConfig } from "#server/config.ts";
import { NO_FILE } from "#server/config-file.ts";
import { caller } from "#test/hosts/client.ts";
import { freshPhone, harness, until } from "../control/support.ts";
import { type EventStream, openEvents } from "../events/event-stream.ts";
import { send } from "./raw.ts";

const at = harness();
const { control, auth, admin, app } = at;

test.each(["admin", "auth"] as const)(
  "GET / on %s says what it is, as JSON, as a page and to HEAD",
  async (listener) => {
    await control("DELETE", "/requests");
    const call = caller(() => at.server.urls[listener]);
    const { status, json, headers } = await call("GET", "/");
    expect([status, json]).toEqual([
      200,
      { name: "stagedoor", version: "0.0.0-test", interface: listener, console: at.server.urls.console, ready: true },
    ]);
    expect(headers.get("Emulator")).toBe("stagedoor/0.0.0-test");
    const page = await call("GET", "/?from=setup", undefined, {
      Accept: "text/html,application/xhtml+xml,*/*;q=0.8",
    });
    expect([page.status, page.headers.get("Content-Type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(page.text).toContain(`href="${at.server.urls.console}/setup"`);
    expect(page.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
    const head = await call("HEAD", "/");
    expect([head.status, head.text]).toEqual([200, ""]);
    const posted = await call("POST", "/", {});
    expect(posted).toMatchObject({ status: 405, reason: "method_not_allowed" });
    expect(posted.headers.get("Allow")).toBe("GET, HEAD");
    expect(posted.json.instruction).toContain("/v1/");
    // The POST alone is a request of somebody.
    const { items } = (await control("GET", "/requests")).json;
    expect(items.map(({ method }: { method: string }) => method)).toEqual(["POST"]);
  },
);

test("a page that asks admin is told that admin has no CORS, and why", async () => {
  const Origin = "http://localhost:3000";
  const preflight = { Origin, "Access-Control-Request-Method": "GET" };
  const refused = await admin("OPTIONS", "/v1/profiles", undefined, preflight);
  expect([refused.status, refused.reason]).toEqual([405, "method_not_allowed"]);
  expect(refused.json.instruction).toContain("Admin has no CORS: it takes the app's secret");
  const asked = await admin("GET", "/v1/profiles", undefined, { Origin });
  expect(asked.status).toBe(200);
  expect(asked.headers.get("Emulator-Instruction")).toContain("Admin has no CORS");
  expect((await admin("GET", "/v1/profiles")).headers.get("Emulator-Instruction")).toBeNull();
});

test.each([
  ["application/json; version=1", 200],
  ['application/json;charset=utf-8; profile="https://x/y;z"', 200],
  ['application/vnd.api+json; profile="https://x/y"; charset=UTF-8', 200],
  ["application/json; charset=us-ascii", 200],
  ["application/json;odata.metadata=none;charset=utf8;", 200],
  ["application/json; version=1; charset=latin1", 415],
  ['application/json; charset="utf-16"', 415],
  ["application/json; charset=", 415],
  ["application/json; x", 415],
  ["application/jsonp; version=1", 415],
] as const)("a body of type %s returns %i", async (type, status) => {
  const sent = await auth(
    "POST",
    "/v1/users/session",
    { appId: "demo-app", user: { phone: freshPhone() } },
    { "Content-Type": type },
  );
  expect(sent.status).toBe(status);
});

test("a head over the limit is 431 with a body that says so; other refusals of the parser have one, too", async () => {
  for (const url of Object.values(at.server.urls).filter((one) => typeof one === "string")) {
    const { status, head, body } = await send(url, ["GET /livez HTTP/1.1", "Host: x", `Cookie: ${"x".repeat(17_000)}`]);
    expect([status, JSON.parse(body)]).toEqual([
      431,
      { message: "Request Header Fields Too Large", instruction: expect.stringContaining("16384 bytes") },
    ]);
    expect(head).toContain("Content-Type: application/json");
    expect(await send(url, ["GET / HTTP/1.1", "Host: x", "No colon"])).toMatchObject({
      status: 400,
      body: expect.stringMatching(/^\{"message":"Bad Request","instruction":/),
    });
  }
});

test.each([6000, 10080, 6667, 5060, 1])("port %i, which browsers refuse, is refused at the start by name", (port) => {
  const host = { platform: "linux", home: "/home/x", cwd: "/" } as const;
  const read = readConfig({ consolePort: port, authPort: 0 }, {}, host, NO_FILE);
  expect("errors" in read && read.errors).toEqual([
    `--console-port must be another port: browsers and fetch refuse to call port ${port}`,
  ]);
  expect("config" in readConfig({ consolePort: 6001 }, {}, host, NO_FILE)).toBe(true);
});

test("events resumes from lastEventId, and appId filters: libraries send no header", async () => {
  const open: EventStream[] = [];
  const listen = async (query: string): Promise<EventStream> => {
    const stream = await openEvents(at.server.urls.console, {}, query);
    open.push(stream);
    return stream;
  };
  const [mine, other] = [await app(), await app()];
  const first = await listen(`?appId=${mine.appId}`);
  expect(first.status).toBe(200);
  await other.profile();
  await mine.profile({ name: "Mine" });
  const heard = await first.next(({ type }) => type === "profile.put");
  expect(heard).toMatchObject({ appId: mine.appId, item: { name: "Mine" } });
  expect(first.events.every(({ appId }) => appId === mine.appId)).toBe(true);
  // Two apps in one burst of requests: each reader gets the rows of its own.
  const phone = freshPhone();
  await mine.ask(phone);
  await other.ask(phone);
  const row = await first.next(({ type }) => type === "request.put");
  expect(row.appId).toBe(mine.appId);
  await mine.profile({ name: "Missed" });
  const again = await listen(`?lastEventId=${heard.id}&appId=${mine.appId}`);
  await again.next(({ item }) => item?.name === "Missed");
  const lost = await listen("?lastEventId=another-1");
  await lost.next(({ type }) => type === "resync");
  for (const stream of open) stream.close();
  const unknown = await until(
    () => control("GET", "/events?appId=ghost"),
    ({ status }) => status !== 429,
  );
  expect(unknown.status).toBe(404);
  expect((await control("GET", "/events?lastEventID=1")).status).toBe(422);
});
