/** Measuring services that are slow, failing, rate-limited, or not Stagedoor. */
import { describe, expect, test } from "vitest";
import { driftOf } from "#programs/conform/measure/conform.ts";
import type { Leftovers } from "#programs/conform/measure/lab.ts";
import type { Send } from "#programs/conform/measure/service.ts";
import { harness, PHONE } from "#test/http/decisions/support.ts";
import { startForeignService } from "../foreign-service.ts";
import { MEASURED } from "../settings.ts";
import { leftIn, measure, measureAt, overHttp } from "../support.ts";

let monotonicMs = 0;
const house = harness({ monotonic: () => monotonicMs });
const SETTINGS = {
  "profile.required": ["email"],
  "metadata.merge": "deep",
  "list.order": "newest",
  "list.maxLimit": 40,
  "delete.again": 204,
  "authenticate.refusedStatus": 422,
  "errors.shape": "error",
} as const;
const EXPECTED = { ...SETTINGS, "profile.required": ["email"] };

const measured = async (settings: object = SETTINGS) => {
  const app = await house.app({ settings });
  await app.admin("POST", "/v1/profiles", { name: "Ada", phone: PHONE, email: "ada@example.com" });
  return app;
};

describe("finds the same settings", () => {
  test("when every tenth request loses its connection, before or after it was processed", async () => {
    const app = await measured();
    let sent = 0;
    const send: Send = async (request) => {
      sent++;
      if (sent % 20 === 10) throw new Error("socket hang up");
      const reply = await overHttp(request);
      if (sent % 20 === 0) throw new Error("socket hang up");
      return reply;
    };
    const { settings, rows, isTidy } = await measure(house, app, { username: PHONE, send });
    expect(settings).toEqual(EXPECTED);
    expect(rows.filter(({ verdict }) => verdict === "notObservable")).toEqual([]);
    expect([isTidy, await leftIn(house, app)]).toEqual([true, 0]);
  });

  test("when every tenth request returns 503", async () => {
    const app = await measured();
    let sent = 0;
    const send: Send = async (request) =>
      ++sent % 10 === 0 ? { status: 503, headers: {}, text: "<html>" } : await overHttp(request);
    expect((await measure(house, app, { username: PHONE, send })).settings).toEqual(EXPECTED);
  });

  test("when the service allows 10 requests per minute", async () => {
    const app = await measured({ ...SETTINGS, "limits.requestsPerMinute": 10, "limits.otpPerMinute": 2 });
    const { admin, auth } = house.server().urls;
    const urls = { adminUrl: admin, authUrl: auth, appId: app.appId, secret: app.secret };
    let waited = 0;
    const sleep = async (ms: number): Promise<void> => {
      waited += ms;
      monotonicMs += ms;
      house.clock.advance(ms / 1_000);
    };
    const readCode = async () => (await app.passcodes())[0].code;
    const { settings } = await measureAt(urls, sleep, { username: PHONE, readCode });
    expect(settings).toEqual(EXPECTED);
    expect(waited).toBeGreaterThan(60_000);
  });

  test("of sessions, tokens, codes and statuses", async () => {
    const own = {
      "session.ttlSeconds": 3_600,
      "token.algorithm": "RS256",
      "passcode.length": 8,
      "wire.authenticateStatus": 201,
      "profiles.invalidStatus": 400,
      "profiles.takenStatus": 409,
      "session.expiration": "ttl",
    };
    const app = await measured(own);
    expect((await measure(house, app, { username: PHONE })).settings).toEqual(own);
    const refused = await app.admin("POST", "/v1/profiles", { phone: PHONE });
    expect([refused.status, refused.json]).toEqual([
      409,
      { message: "Conflict", instruction: "phone has already been taken." },
    ]);
    expect((await app.admin("POST", "/v1/profiles", { phone: "12" })).status).toBe(400);
  });

  test("next to another app with its own settings", async () => {
    await measured({ list: { pageParameter: "offset" }, wire: { envelope: "session", appIdField: "clientId" } });
    expect((await measure(house, await measured(), { username: PHONE })).settings).toEqual(EXPECTED);
  });
});

describe("side effects", () => {
  test("sends codes and wrong attempts only for the given user; without one these points are not observed", async () => {
    const app = await measured();
    const { rows } = await measure(house, app);
    const unseen = rows.filter(({ verdict }) => verdict === "notObservable");
    expect(unseen.map(({ setting }) => setting)).toEqual([
      "authenticate.refusedStatus",
      "passcode.previous",
      "passcode.length",
      "wire.authenticateStatus",
    ]);
    for (const { note } of unseen) expect(note).toMatch(/--username|^no code/);
    expect(await app.passcodes()).toEqual([]);
  });

  test("uses fictional numbers and marked names, creates at most 30 users, and reports no secrets and no other users", async () => {
    const app = await measured();
    const bodies: string[] = [];
    const send: Send = (request) => {
      if (request.method === "POST" && request.body !== null) bodies.push(request.body);
      return overHttp(request);
    };
    const { evidence } = await measure(house, app, { username: PHONE, send });
    const made = bodies.filter((body) => body.includes("stagedoor-conform") && !body.includes(PHONE));
    expect(made.length).toBeLessThanOrEqual(30);
    for (const [phone] of bodies.join().matchAll(/\+\d+/g)) expect(phone).toMatch(/^\+120255501\d\d$/);
    const report = JSON.stringify(evidence);
    const codes = (await app.passcodes()).map(({ code }) => code);
    for (const hidden of [app.secret, "Ada", "ada@example.com", ...codes.map((code) => `"${code}"`), "eyJ"])
      expect(report).not.toContain(hidden);
    expect(report).toContain("/v1/profiles");
  });
});

test("after a kill at any moment, the next run removes everything that was left", async () => {
  const app = await measured();
  const { admin, auth } = house.server().urls;
  const urls = { adminUrl: admin, authUrl: auth, appId: app.appId, secret: app.secret };
  for (let moment = 2; moment < 90; moment += 4) {
    let sent = 0;
    let left: Leftovers | null = null;
    const send: Send = async (request) => {
      if (++sent > moment) throw new Error("killed");
      const reply = await overHttp(request);
      if (sent === moment) throw new Error("killed, and the answer is lost");
      return reply;
    };
    const keep = async (leftovers: Leftovers): Promise<void> => {
      if (sent < moment) left = leftovers;
    };
    const killed = measureAt(urls, async () => undefined, { send, keep, isEnded: () => sent >= moment });
    await killed.catch(() => undefined);
    let isBegun = false;
    const begin = (): void => {
      isBegun = true;
    };
    await measureAt(urls, async () => undefined, { leftovers: left, begin, isEnded: () => isBegun });
    expect(await leftIn(house, app), `killed at request ${moment}`).toBe(0);
  }
});

test("measures another service correctly and reports what no setting covers", async () => {
  const foreign = await startForeignService();
  try {
    const { rows, isTidy } = await measureAt(
      foreign.urls,
      async (ms) => void (await new Promise((r) => setTimeout(r, ms / 100))),
    );
    const found = Object.fromEntries(
      rows.map(({ setting, question, verdict, observed, note }) => [
        setting ?? question,
        observed ?? `${verdict}: ${note}`,
      ]),
    );
    expect(found).toMatchObject({
      "profile.required": ["email"],
      "profile.unique": "noSetting: neither phone nor email is unique",
      "update.null": "ignore",
      "update.touch": "always",
      "metadata.merge": "noSetting: metadata is replaced as a whole",
      "metadata.null": "keep",
      "Do snake_case keys come back in camelCase?": "noSetting: snake_case keys come back otherwise",
      validation: "lenient",
      unknownFields: "refuse",
      updateResponsePhone: "value",
      "Is an unknown id a 404?": "noSetting: status 410",
      "delete.again": "noSetting: status 410",
      "errors.shape": "noSetting: an object with type, title",
      "errors.fields": "noSetting: a missing username has status 400",
      "list.envelope": "noSetting: an object with profiles, next",
      "list.limitParameter": "pageSize",
      "list.pageParameter": "pageNumber",
      "list.maxLimit": "notObservable: there are too few profiles: 10 fit on one page",
      "list.order": "newest",
      unknownAppStatus: 404,
    });
    expect([isTidy, foreign.people]).toEqual([true, []]);
  } finally {
    await foreign.close();
  }
});

test("drift reports decision, expected and observed value; an unobserved point is not drift", async () => {
  const { rows } = await measure(house, await measured(), { username: PHONE });
  const expected = { list: { order: "oldest", maxLimit: 40 }, errors: { shape: "error" }, metadata: { merge: "deep" } };
  expect(driftOf(rows, { ...expected, delete: { again: 204 }, authenticate: { refusedStatus: 422 } })).toEqual([
    { decision: "D1", setting: "profile.required", expected: [], observed: ["email"] },
    { decision: "D12", setting: "list.order", expected: "oldest", observed: "newest" },
  ]);
  expect(MEASURED).toContain("list.order");
});
