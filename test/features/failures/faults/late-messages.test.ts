/** Messages that a fault delays or doubles. */
import { describe, expect, test } from "vitest";
import { freshPhone, handClock, harness, until } from "#test/http/control/support.ts";
import { openEvents } from "#test/http/events/event-stream.ts";
import { faultCalls } from "./fault-calls.ts";

const clock = handClock();
const running = harness({ now: clock.now });
const { control, auth, app } = running;
const { set } = faultCalls(running);
const LOGIN = "/v1/users/session";
const HOUR = 3_600_000;

/** A user, and an app for them alone. */
const visitor = async (settings: object = {}) => {
  const { appId, profile } = await app({ settings });
  const { phone, userId } = await profile({ phone: freshPhone() });
  const query = `appId=${appId}&to=${encodeURIComponent(phone)}`;
  return {
    appId,
    userId,
    request: async (effect?: object): Promise<string | null> => {
      if (effect !== undefined) await set(effect, { appId, to: phone }, 1);
      const answer = await auth("POST", LOGIN, { appId, user: { phone } });
      expect(answer.status).toBe(202);
      return answer.headers.get("Emulator-Request-Id");
    },
    type: (passcode: string) => auth("PUT", LOGIN, { appId, user: { phone }, passcode }),
    latest: (more = "") => control("GET", `/passcodes/latest?${query}${more}`),
    all: async () => (await control("GET", `/passcodes?appId=${appId}`)).json.items,
    deliver: (id: string) => control("POST", `/passcodes/${id}/deliver`),
    met: async (): Promise<string[]> =>
      (await control("GET", `/coverage?appId=${appId}`)).json.items
        .filter(({ count }: { count: number }) => count > 0)
        .map(({ outcome }: { outcome: string }) => outcome),
  };
};

describe("deliverAfterMs", () => {
  test("the 202 comes at once; until it arrives only status=any sees the code, which signs in all the same", async () => {
    const { request, latest, type, all } = await visitor();
    const requestId = await request({ deliverAfterMs: HOUR });
    expect((await latest()).status).toBe(404);
    const { json } = await latest("&status=any");
    const arrivesAt = new Date(clock.now() + HOUR).toISOString();
    expect(json).toMatchObject({
      delivery: "pending",
      status: "active",
      arrivesAt,
      arrivals: 0,
      requestId,
    });
    expect(await all()).toMatchObject([{ delivery: "pending" }]);
    expect((await type(json.code)).status).toBe(200);
  });

  test("a client that waits gets the code when it arrives, by its own time or by deliver", async () => {
    const { request, latest } = await visitor();
    await request({ deliverAfterMs: 20 });
    expect((await latest("&wait=30000")).json).toMatchObject({ delivery: "sent", arrivals: 1 });
    await request({ deliverAfterMs: HOUR });
    const { id } = (await latest("&status=any")).json;
    const waiting = latest(`&wait=30000&after=${(await latest()).json?.id ?? 0}`);
    await control("POST", `/passcodes/${id}/deliver`);
    expect((await waiting).json).toMatchObject({ id, delivery: "sent" });
  });

  test("deliver: once; what is not pending stays as it is; an unknown one is not found", async () => {
    const { request, latest, deliver } = await visitor();
    await request({ deliverAfterMs: HOUR });
    const { id, seq } = (await latest("&status=any")).json;
    const delivered = await deliver(id);
    expect(delivered.json).toMatchObject({ id, seq, delivery: "sent", arrivals: 1 });
    expect(delivered.json.arrivedSeq).toBeGreaterThan(seq);
    expect((await deliver(id)).json).toEqual(delivered.json);
    await request({ undelivered: true });
    const lost = (await latest("&status=any")).json;
    expect((await deliver(lost.id)).json).toEqual(lost);
    expect((await deliver("6f1f2d0c-5a1e-4b0c-9a55-0c6b8f1d2e3a")).status).toBe(404);
  });

  test("an older code can arrive after a newer one, which replaced it", async () => {
    const { request, all, deliver, type } = await visitor();
    await request({ deliverAfterMs: HOUR });
    await request();
    const [newer, older] = await all();
    expect([newer, older]).toMatchObject([
      { delivery: "sent", status: "active" },
      { delivery: "pending", status: "replaced" },
    ]);
    const late = (await deliver(older.id)).json;
    expect(late).toMatchObject({ delivery: "sent", status: "replaced" });
    expect(late.arrivedSeq).toBeGreaterThan(newer.seq);
    expect((await type(older.code)).reason).toBe("passcode_replaced");
    expect((await type(newer.code)).status).toBe(200);
  });

  test("the events: pending, then sent, whose seq is arrivedSeq", async () => {
    const { request, latest, deliver } = await visitor();
    const stream = await openEvents(running.server.urls.console);
    await request({ deliverAfterMs: HOUR });
    const { id } = (await latest("&status=any")).json;
    await deliver(id);
    const puts = () => stream.events.filter(({ type, item }) => type === "passcode.put" && item?.id === id);
    await until(() => puts().length === 2, Boolean);
    expect(puts()).toMatchObject([{ item: { delivery: "pending" } }, { item: { delivery: "sent" } }]);
    expect(puts()[1]).toHaveProperty("item.arrivedSeq", puts()[1]?.seq);
    stream.close();
  });

  test("the terminal prints it when it arrives, not before; devices as well", async () => {
    const { request, latest, deliver, appId } = await visitor();
    const heard: string[] = [];
    const stop = running.server.onPasscode((item) => item.appId === appId && heard.push(item.delivery));
    await request({ deliverAfterMs: HOUR });
    expect(heard).toEqual([]);
    await deliver((await latest("&status=any")).json.id);
    await until(() => heard.length === 1, Boolean);
    expect(heard).toEqual(["sent"]);
    stop();
  });

  test("nothing arrives once its user is deleted, or the app rewound to before the request", async () => {
    const { appId, userId, request, all } = await visitor();
    const requestId = await request({ deliverAfterMs: 1 });
    expect((await control("POST", "/rewind", { appId, before: requestId })).status).toBe(200);
    expect(await all()).toEqual([]);
    await request({ deliverAfterMs: 1 });
    expect((await control("DELETE", `/profiles/${userId}?appId=${appId}`)).status).toBe(204);
    expect(await all()).toEqual([]);
    expect((await control("GET", "/status")).status).toBe(200);
  });
});

describe("deliverTwice", () => {
  test("the message arrives twice, in two events", async () => {
    const { request, latest } = await visitor();
    const stream = await openEvents(running.server.urls.console);
    await request({ deliverTwice: true });
    const { id } = (await latest()).json;
    const puts = () => stream.events.filter(({ type, item }) => type === "passcode.put" && item?.id === id);
    await until(() => puts().length === 2, Boolean);
    expect(puts()).toMatchObject([
      { item: { delivery: "sent", arrivals: 1 } },
      { item: { delivery: "sent", arrivals: 2 } },
    ]);
    expect((await latest()).json).toMatchObject({ arrivals: 2, attempts: 0 });
    stream.close();
  });

  test("goes with deliverAfterMs: both copies come late", async () => {
    const { request, latest, deliver } = await visitor();
    await request({ deliverAfterMs: HOUR, deliverTwice: true });
    const { id } = (await latest("&status=any")).json;
    expect((await deliver(id)).json).toMatchObject({ delivery: "sent", arrivals: 1 });
    await until(async () => (await latest()).json.arrivals === 2, Boolean);
  });
});

test.each([
  [{ deliverAfterMs: 1, undelivered: true }, "effect.deliverAfterMs"],
  [{ deliverTwice: true, status: 503 }, "effect.deliverTwice"],
  [{ deliverAfterMs: HOUR + 1 }, "effect.deliverAfterMs"],
  [{ deliverAfterMs: 0 }, "effect.deliverAfterMs"],
  [{ deliverTwice: false }, "effect.deliverTwice"],
])("%j is refused", async (effect, field) => {
  const refused = await control("POST", "/faults", { effect });
  expect([refused.status, Object.keys(refused.json)]).toEqual([422, [field]]);
});

describe("coverage", () => {
  test.each([
    [10_001, true],
    [10_000, false],
  ])("codeLate: a message that arrives %i ms after the 202: %s", async (ms, isLate) => {
    const { request, latest, deliver, met } = await visitor();
    await request({ deliverAfterMs: HOUR });
    clock.tick(ms);
    await deliver((await latest("&status=any")).json.id);
    expect(await met()).toEqual(["codeSent", ...(isLate ? ["codeLate"] : [])]);
  });

  test("codeLate: also when the request log was cleared meanwhile", async () => {
    const { appId, request, latest, deliver, met } = await visitor();
    const id = await request({ deliverAfterMs: HOUR });
    await control("DELETE", "/requests");
    clock.tick(10_001);
    await deliver((await latest("&status=any")).json.id);
    expect(await met()).toEqual(["codeSent", "codeLate"]);
    expect((await control("GET", `/coverage?appId=${appId}`)).json.items).toContainEqual(
      expect.objectContaining({ outcome: "codeLate", lastRequestId: id }),
    );
  });

  test("codeTwice: once the second copy is there", async () => {
    const { request, met } = await visitor();
    await request({ deliverTwice: true });
    await until(async () => (await met()).includes("codeTwice"), Boolean);
  });

  test("in a deterministic app, too, and by the service clock", async () => {
    const { appId, request, latest, met } = await visitor({ deterministic: { seed: 1 } });
    await request({ deliverTwice: true });
    await until(async () => (await met()).includes("codeTwice"), Boolean);
    expect((await latest()).json.arrivals).toBe(2);
    await control("PUT", "/clock", { frozenAt: "2030-01-01T00:00:00.000Z" });
    await control("DELETE", `/coverage?appId=${appId}`);
    await request({ deliverTwice: true });
    await until(async () => (await met()).includes("codeTwice"), Boolean);
    const { items } = (await control("GET", `/coverage?appId=${appId}`)).json;
    const times = items.flatMap(({ firstAt }: { firstAt: string | null }) => firstAt ?? []);
    expect(new Set(times)).toEqual(new Set(["2030-01-01T00:00:00.000Z"]));
    await control("PUT", "/clock", {});
  });

  test("codeTwice: two codes, of which one comes late, are not one that comes twice", async () => {
    const { request, latest, deliver, met } = await visitor();
    await request({ deliverAfterMs: HOUR });
    const { id } = (await latest("&status=any")).json;
    await request();
    await deliver(id);
    await deliver(id);
    expect(await met()).toEqual(["codeSent", "codeResent"]);
  });

  test.each(["codeLate", "codeTwice"])("%s can be provoked", async (outcome) => {
    const { appId, request, latest, deliver, met } = await visitor();
    expect((await control("POST", "/coverage/provoke", { appId, outcome })).status).toBe(200);
    await request();
    clock.tick(15_000);
    await deliver((await latest("&status=any")).json.id);
    await until(async () => (await met()).includes(outcome), Boolean);
  });
});
