/** Every row of the table of limits: values within the limit are accepted, values beyond it rejected as the row says. */
import { readFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { BOUNDS, type BoundName } from "#contract/bounds.ts";
import { until } from "#test/http/control/support.ts";
import { harness, raw, SESSION } from "#test/http/decisions/support.ts";
import { send, sendBytes } from "#test/http/guards/raw.ts";
import { type Held, headOf, hold } from "../support.ts";

const { server, app, auth, control, as } = harness();
const held: Held[] = [];
afterEach(() => {
  for (const attackers of held.splice(0)) attackers.release();
});
const most = (name: BoundName): number => BOUNDS[name].most;
const url = () => server().urls.auth;
const toAdmin = async (body: object | string) => await as("sk_local_demo")("POST", "/v1/profiles", body);
const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 1]));
const statusesOf = async (...bodies: (object | string)[]) => {
  const statuses: number[] = [];
  for (const body of bodies) statuses.push((await toAdmin(body)).status);
  return statuses;
};
const rowOf = async (reply: { headers: Headers }) =>
  (await control("GET", `/requests/${reply.headers.get("Emulator-Request-Id")}`)).json;
const nested = (levels: number): object => (levels === 0 ? {} : { a: nested(levels - 1) });

/** A test, or where it is: file and title. */
type Trial = (() => Promise<void>) | { readonly file: string; readonly test: string };

const TRIALS: Readonly<Record<BoundName, Trial>> = {
  headBytes: async () => {
    const status = async (length: number) =>
      (await send(url(), ["GET /livez HTTP/1.1", "Host: localhost", `X-Long: ${"x".repeat(length)}`])).status;
    expect([await status(most("headBytes") - 200), await status(most("headBytes"))]).toEqual([200, 431]);
  },
  hostLength: async () => {
    const status = async (length: number) =>
      (await send(url(), ["GET /.well-known/jwks.json HTTP/1.1", `Host: ${"a".repeat(length)}`])).status;
    expect([await status(most("hostLength")), await status(most("hostLength") + 1)]).toEqual([200, 400]);
  },
  mediaTypeLength: async () => {
    const status = async (length: number) => {
      const type = `application/json;${" ".repeat(length - 30)}charset=utf-8`;
      return (await raw(url() + SESSION, { headers: ["Content-Type", type], body: "{}" })).status;
    };
    expect([await status(most("mediaTypeLength")), await status(most("mediaTypeLength") + 1)]).toEqual([422, 415]);
  },
  bodyBytes: { file: "test/http/decisions/bodies.test.ts", test: "for one byte more than 1 MiB, not for 1 MiB" },
  bodyDepth: { file: "test/http/decisions/bodies.test.ts", test: "not for depth 32 or brackets in strings" },
  bodyEntries: async () => {
    const list = (length: number) =>
      `{"a":[${Array.from({ length }, (_, i) => (i % 2 === 0 ? "{ }" : '"],"')).join()}]}`;
    // The key, its list, and the content; then an equal number of keys and values.
    expect(await statusesOf(list(most("bodyEntries") - 2), keys(most("bodyEntries") / 2))).toEqual([201, 201]);
    for (const body of [list(most("bodyEntries") - 1), keys(most("bodyEntries") / 2 + 1)]) {
      const reply = await toAdmin(body);
      expect([reply.status, reply.reason]).toEqual([400, "body_too_complex"]);
      expect((await auth("POST", SESSION, body)).reason).toBe("body_too_complex");
    }
    // Before parsing: this is not JSON. The console's own calls are not counted.
    expect((await toAdmin(`{${",".repeat(most("bodyEntries") + 1)}`)).reason).toBe("body_too_complex");
    expect((await control("POST", "/apps", keys(most("bodyEntries")))).status).toBe(422);
  },
  bodyPieces: async () => {
    const reason = async (pieces: number) => {
      const head = headOf(`POST ${SESSION}`, {
        "Content-Type": "application/json",
        "Transfer-Encoding": "chunked",
        Connection: "close",
      });
      const bytes = `${head}${"1\r\n \r\n".repeat(pieces)}2\r\n{}\r\n0\r\n\r\n`;
      const { head: answer } = await sendBytes(url(), bytes, 30_000);
      return /Emulator-Reason: (\w+)/.exec(answer)?.[1];
    };
    const count = most("bodyPieces");
    const refused = "body_too_complex";
    expect([await reason(count - 1), await reason(2 * count)]).toEqual(["invalid_fields", refused]);
    // The response arrives although most of the body is never read.
    expect(await reason(170_000)).toBe(refused);
  },
  bodiesBytes: async () => {
    const size = 1_048_576;
    const head = headOf(`POST ${SESSION}`, { "Content-Type": "application/json", "Content-Length": size });
    const attackers = await hold(url(), 70, head + " ".repeat(size - 1));
    held.push(attackers);
    const left = most("bodiesBytes") / size;
    await until(
      () => attackers.open(),
      (open) => open <= left,
    );
    expect(attackers.open()).toBeGreaterThanOrEqual(left - 1);
    const row = (await control("GET", "/requests?reason=too_many_bodies&limit=1")).json;
    expect(row).toMatchObject({ total: expect.any(Number), items: [{ status: 0 }] });
  },
  bodySparedBytes: async () => {
    const head = (size: number) =>
      headOf(`POST ${SESSION}`, { "Content-Type": "application/json", "Content-Length": size });
    const small = await hold(url(), 10, head(most("bodySparedBytes")) + " ".repeat(most("bodySparedBytes") - 1_024));
    const large = await hold(url(), 70, head(1_048_576) + " ".repeat(1_048_575));
    held.push(small, large);
    await until(
      () => large.open(),
      (open) => open < most("bodiesBytes") / 1_048_576,
    );
    expect(small.open()).toBe(10);
  },
  nameLength: async () => {
    const name = (length: number) => ({ name: "🌸".repeat(length) });
    expect(await statusesOf(name(most("nameLength")), name(most("nameLength") + 1))).toEqual([201, 422]);
    expect((await toAdmin({ name: "x".repeat(1_000_000) })).json).toEqual({
      name: ["is too long (at most 255 characters)"],
    });
  },
  emailLength: async () => {
    const email = (length: number) => ({ email: `${"a".repeat(length - 10)}@mail.test` });
    expect(await statusesOf(email(most("emailLength")), email(most("emailLength") + 1))).toEqual([201, 422]);
  },
  metadataKeys: { file: "test/http/decisions/d4-metadata.test.ts", test: "D5: 50 keys after merging" },
  metadataBytes: async () => {
    const large = (bytes: number) => ({ metadata: { a: "x".repeat(bytes - 8) } });
    expect(await statusesOf(large(most("metadataBytes")), large(most("metadataBytes") + 1))).toEqual([201, 422]);
    expect((await toAdmin({ metadata: { [`a${"_a".repeat(400_000)}`]: 1 } })).json).toEqual({
      metadata: ["is too large (at most 16384 bytes as JSON)"],
    });
  },
  metadataDepth: async () => {
    const deep = (levels: number) => ({ metadata: nested(levels - 1) });
    expect(await statusesOf(deep(most("metadataDepth")), deep(most("metadataDepth") + 1))).toEqual([201, 422]);
  },
  passcodeLength: async () => {
    const { start, authenticate, passcodes, admin } = await app();
    const user = { phone: "+12025550177" };
    await admin("POST", "/v1/profiles", user);
    await start(user);
    const [{ code }] = await passcodes();
    const typed = code + "x".repeat(1_000_000);
    expect((await authenticate(user, typed)).reason).toBe("passcode_mismatch");
    expect((await passcodes())[0].tried).toEqual([typed.slice(0, most("passcodeLength"))]);
  },
  passcodeTries: async () => {
    const { start, authenticate, passcodes, appId } = await app();
    const user = { phone: "+12025550178" };
    await control("POST", "/profiles", { appId, ...user, testPasscode: "123456" });
    await start(user);
    for (let n = 0; n <= most("passcodeTries"); n++) await authenticate(user, `wrong ${n}`);
    const [{ tried, attempts }] = await passcodes();
    expect([tried.length, tried[0], attempts]).toEqual([most("passcodeTries"), "wrong 1", most("passcodeTries") + 1]);
  },
  heavyRequests: {
    file: "test/http/guards/heavy-queue.test.ts",
    test: "two run at a time, one of each app, in turn by app",
  },
  heavyWaitMs: {
    file: "test/http/guards/heavy-queue.test.ts",
    test: "after 30 s it is too late, and a client that left has no place",
  },
  heavyStallMs: {
    file: "test/http/guards/heavy-queue.test.ts",
    test: "is closed if its client reads nothing for 10 s",
  },
  waitingBytes: {
    file: "test/http/guards/heavy-queue.test.ts",
    test: "waits with at most 1 MiB and a piece for its client",
  },
  activePasscodes: async () => {
    const { appId, start } = await app();
    const profiles = Array.from({ length: most("activePasscodes") }, (_, i) => ({
      phone: `+1202${2_000_000 + i}`,
      passcode: "123456",
    }));
    profiles[0] = { phone: "+12025550100", passcode: "123456" };
    const state = { apps: [{ appId, profiles }] };
    expect((await control("PUT", `/state?appId=${appId}`, { mode: "merge", state })).status).toBe(200);
    await control("POST", "/profiles", { appId, phone: "+12025550101" });
    const full = await start({ phone: "+12025550101" });
    expect([full.status, full.reason]).toEqual([429, "too_many_passcodes"]);
    // It replaces one.
    expect((await start({ phone: "+12025550100" })).status).toBe(202);
  },
  headersMs: { file: "test/http/guards/limits.test.ts", test: "times out slow headers" },
  requestMs: { file: "test/http/guards/limits.test.ts", test: "times out a body that does not arrive" },
  drainMs: {
    file: "test/http/decisions/bodies.test.ts",
    test: "and disconnects a client that does not stop sending within a second",
  },
  connections: { file: "test/http/guards/limits.test.ts", test: "closes the one idle longest and serves the new one" },
  pipelined: async () => {
    const answers = async (count: number) => {
      const last = headOf("GET /livez", { Connection: "close" });
      const { text } = await sendBytes(url(), headOf("GET /livez").repeat(count - 1) + last);
      return text.split("HTTP/1.1 200").length - 1;
    };
    expect(await answers(most("pipelined"))).toBe(most("pipelined"));
    expect(await answers(most("pipelined") + 1)).toBeLessThan(most("pipelined"));
  },
  logRows: { file: "test/http/traffic/requests.test.ts", test: "keeps the newest 1,000" },
  logBytes: async () => {
    await control("DELETE", "/requests");
    // Names, headers and path count like the body: if one did not, all rows would stay.
    const path = `${SESSION}?${"p".repeat(7_500)}`;
    const header = { "X-Long": "h".repeat(7_500) };
    const names = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`${i}${"n".repeat(300)}`, 1]));
    const body = { appId: "demo-app", user: { phone: "+12025550100" }, ...names };
    const count = 900;
    for (let sent = 0; sent < count; sent += 30)
      await Promise.all(Array.from({ length: 30 }, () => auth("POST", path, body, header)));
    const { total } = (await control("GET", "/requests?limit=1")).json;
    expect(total).toBeLessThan(count);
    expect(total).toBeGreaterThan(count / 2);
  },
  othersLogBytes: { file: "test/http/sharing/shares.test.ts", test: "what others send to an app" },
  logBodyBytes: { file: "test/http/traffic/requests.test.ts", test: "keeps 16 KiB of the request and response bodies" },
  logNames: async () => {
    const { ignoredFields } = await rowOf(await toAdmin(keys(60)));
    expect(ignoredFields).toHaveLength(most("logNames") + 1);
    expect(ignoredFields.at(-1)).toBe("and 10 more");
    const twins = Object.fromEntries(keysThatMeet(60).map((key) => [key, 1]));
    const { warnings } = await rowOf(await toAdmin({ metadata: { a: { b: twins } } }));
    expect([warnings.length, warnings.at(-1)]).toEqual([most("logNames") + 1, "and 10 more"]);
  },
  logNameLength: async () => {
    const { ignoredFields } = await rowOf(await toAdmin({ ["x".repeat(1_000_000)]: 1, short: 1 }));
    expect(ignoredFields).toEqual([`${"x".repeat(most("logNameLength"))}…`, "short"]);
  },
  logLoginLength: {
    file: "test/http/traffic/logins.test.ts",
    test: "the beginning of a username and a code that are too long to keep",
  },
  logWarningLength: async () => {
    const long = "x".repeat(500);
    const { warnings } = await rowOf(await toAdmin({ metadata: { [`a_${long}`]: 1, [`aX${long.slice(1)}`]: 1 } }));
    expect(warnings).toEqual([`metadata.aX${long}`.slice(0, most("logWarningLength")).concat("…")]);
  },
  logAdviceLength: { file: "test/http/traffic/advice.test.ts", test: "a text of it is cut" },
  deviceLength: async () => {
    const { appId } = await app();
    const agent = { "User-Agent": "u".repeat(10_000) };
    const session = await auth("POST", SESSION, { appId, user: { phone: "+12025550179" } }, agent);
    expect(session.status).toBe(200);
    const [{ device }] = (await control("GET", `/sessions?appId=${appId}`)).json.items;
    expect(device).toBe("u".repeat(most("deviceLength")));
  },
  timelineTransactions: { file: "test/store/history.test.ts", test: "keeps the newest 10,000 transactions of an app" },
  timelineBytes: { file: "test/store/history.test.ts", test: "keeps at most 64 MiB of an app" },
  timelineAllTransactions: {
    file: "test/store/history.test.ts",
    test: "the oldest of the app with the most are dropped",
  },
  timelineAllBytes: { file: "test/store/history.test.ts", test: "the oldest of the app with the most are dropped" },
  appFaults: { file: "test/features/failures/faults/fair-faults.test.ts", test: "the number of faults of an app" },
  appFaultBytes: { file: "test/features/failures/faults/fair-faults.test.ts", test: "the bytes of an app's faults" },
  faults: {
    file: "test/features/failures/faults/fair-faults.test.ts",
    test: "what the owner has set, in number and bytes",
  },
  faultBytes: {
    file: "test/features/failures/faults/fair-faults.test.ts",
    test: "what the owner has set, in number and bytes",
  },
  pageBytes: { file: "test/features/failures/faults/fair-faults.test.ts", test: "is paged by number and by bytes" },
  weatherBytes: async () => {
    const { appId } = await app();
    const status = async (bytes: number) => {
      const weather = { office: [{ effect: { status: 503, body: "x".repeat(bytes) } }] };
      const state = { apps: [{ appId, weather }] };
      return (await control("PUT", `/state?appId=${appId}`, { mode: "merge", state })).status;
    };
    expect([await status(most("weatherBytes") - 200), await status(most("weatherBytes"))]).toEqual([200, 422]);
  },
  clients: { file: "test/http/control/clients.test.ts", test: "keeps the newest 200" },
  leases: { file: "test/http/control/leases.test.ts", test: "at most 1,000 apps are leased at a time" },
  boundSnapshots: { file: "test/http/sharing/bound-tokens.test.ts", test: "saves at most 5 snapshots of its app" },
  eventBytes: { file: "test/http/events/events.test.ts", test: "keeps at most 16 MiB of events" },
  tokenCheckMs: {
    file: "test/features/keys/token-check/time-limits.test.ts",
    test: "holds a token check only until the limit of a call, or until its client is gone",
  },
  timelineLeftBytes: {
    file: "test/store/history.test.ts",
    test: "keeps little of apps of the join token that are gone",
  },
  sharedApps: {
    file: "test/http/sharing/shares.test.ts",
    test: "apps of the join token, at a time; the owner's do not count",
  },
  appStreams: { file: "test/http/sharing/shares.test.ts", test: "event streams, of which the owner has its own" },
  appWaits: { file: "test/http/sharing/shares.test.ts", test: "requests that wait for a passcode" },
  eventStreams: { file: "test/http/events/events.test.ts", test: "allows 100 streams and rejects the next" },
};

/** Pairs of keys that are equal in camelCase. */
const keysThatMeet = (pairs: number): string[] => Array.from({ length: pairs }, (_, i) => [`a_b${i}`, `aB${i}`]).flat();

describe("the limit", () => {
  test.each(Object.entries(TRIALS))("%s", async (name, trial) => {
    if (typeof trial === "function") await trial();
    else expect(readFileSync(new URL(`../../../${trial.file}`, import.meta.url), "utf8"), name).toContain(trial.test);
  });
});
