/** The timeline and rewinding. */
import { describe, expect, test } from "vitest";
import { LOGIN, snapshotCalls } from "#test/http/control/snapshot-calls.ts";
import { handClock, harness } from "#test/http/control/support.ts";

const clock = handClock();
const at = harness({ now: clock.now });
const { control, auth, app } = at;
const { state } = snapshotCalls(at);

const rewind = async (body: object) => await control("POST", "/rewind", body);
const timeline = async (query: string) => (await control("GET", `/timeline?${query}`)).json;
const markOf = async (appId: string): Promise<number> => (await control("POST", "/mark", { appId })).json.seq;
const ask = async (appId: string, phone: string) => await auth("POST", LOGIN, { appId, user: { phone } });
const enter = async (appId: string, phone: string, passcode: string) =>
  await auth("PUT", LOGIN, { appId, user: { phone }, passcode });
const codeOf = async (appId: string, phone: string): Promise<string> =>
  (await control("GET", `/passcodes/latest?appId=${appId}&to=${encodeURIComponent(phone)}`)).json.code;
const wrongFor = (code: string): string => (code === "000000" ? "111111" : "000000");
const idOf = (reply: { headers: Headers }): string => reply.headers.get("Emulator-Request-Id") ?? "";

/** Five wrong codes. @returns the requests, and the code. */
const locked = async () => {
  const { appId, profile, admin } = await app();
  const { phone, userId } = await profile({ name: "Ada" });
  await ask(appId, phone);
  const code = await codeOf(appId, phone);
  const tries: string[] = [];
  for (let n = 0; n < 5; n++) tries.push(idOf(await enter(appId, phone, wrongFor(code))));
  expect((await enter(appId, phone, code)).reason).toBe("passcode_exhausted");
  return { appId, phone, userId, code, tries, admin, profile };
};

describe("a login", () => {
  test("goes on from the moment before the third of five wrong codes", async () => {
    const { appId, phone, code, tries } = await locked();
    const before = await state(appId);
    const { status, json } = await rewind({ appId, before: tries[2] });
    expect([status, json.changed]).toEqual([200, { profiles: 0, passcodes: 1, sessions: 0, connections: 0 }]);
    expect((await control("GET", `/passcodes?appId=${appId}`)).json.items).toMatchObject([
      { attempts: 2, status: "active" },
    ]);
    // The predecessor in the timeline undoes it.
    const { items } = await timeline(`appId=${appId}`);
    expect(items[0]).toMatchObject({ seq: json.seq, requestId: null, what: `Rewound to change ${items[4].seq}` });
    expect((await rewind({ appId, to: items[1].seq })).status).toBe(200);
    expect(await state(appId)).toBe(before);
    expect((await rewind({ appId, before: tries[2] })).status).toBe(200);
    expect((await enter(appId, phone, code)).status).toBe(200);
  });

  test("is told in words, with what changed before and after, and the rows of the log", async () => {
    const { appId, phone, userId, tries } = await locked();
    const { items, total, oldestSeq } = await timeline(`appId=${appId}&userId=${userId}`);
    expect(items.map(({ what }: { what: string }) => what)).toEqual([
      "Wrong code: locked",
      ...[1, 2, 3, 4].map((left) => `Wrong code: ${left} attempt${left === 1 ? "" : "s"} left`),
      `Passcode sent to ${phone.replace(/^\+1(\d{3})(\d{3})/, "+1 $1 $2 ")}`,
      "Profile created: Ada",
    ]);
    expect(total).toBe(7);
    expect(oldestSeq).toBeLessThan(items[6].seq);
    expect(items.slice(0, 5).map(({ requestId }: { requestId: string }) => requestId)).toEqual(tries.toReversed());
    expect(items[1].changes).toMatchObject([
      { resource: "passcode", before: { attempts: 3, status: "active" }, after: { attempts: 4 } },
    ]);
    const profile = (await control("GET", `/profiles/${userId}?appId=${appId}`)).json;
    expect(items[6].changes).toEqual([{ resource: "profile", id: userId, before: null, after: profile }]);
    const page = await timeline(`appId=${appId}&before=${items[1].seq}&limit=2`);
    expect(page.items).toEqual(items.slice(2, 4));
    // No secret of an app.
    const whole = (await control("GET", `/timeline?appId=${appId}`)).text;
    expect(whole).not.toContain((await control("GET", `/apps/${appId}`)).json.secret);
  });

  test("is never locked with a fixed code, and the words do not say so", async () => {
    const { appId, profile } = await app();
    const { phone, userId } = await profile({ testPasscode: "424242" });
    await ask(appId, phone);
    await enter(appId, phone, "111111");
    expect((await timeline(`userId=${userId}&limit=1`)).items).toMatchObject([{ what: "Wrong code" }]);
  });

  test("with an expired code goes on once the clock is turned back, which can be undone", async () => {
    const { appId, profile } = await app();
    const { phone } = await profile();
    await ask(appId, phone);
    const code = await codeOf(appId, phone);
    const first = await enter(appId, phone, wrongFor(code));
    clock.tick(700_000);
    expect((await enter(appId, phone, code)).reason).toBe("passcode_expired");
    expect((await rewind({ appId, before: idOf(first) })).status).toBe(200);
    expect((await enter(appId, phone, code)).reason).toBe("passcode_expired");
    const before = await state(appId);
    const { json } = await rewind({ appId, before: idOf(first), clock: "then" });
    expect((await control("GET", `/clock?appId=${appId}`)).json.offsetSeconds).toBe(-700);
    expect((await rewind({ appId, to: json.seq - 1 })).status).toBe(200);
    expect(await state(appId)).toBe(before);
    await rewind({ appId, before: idOf(first), clock: "then" });
    expect((await enter(appId, phone, code)).status).toBe(200);
  });

  test("is named by its request alone, even once the request log is cleared", async () => {
    const { tries } = await locked();
    await control("DELETE", "/requests");
    expect((await rewind({ before: tries[2] })).json.changed.passcodes).toBe(1);
    expect(await rewind({ before: "nope" })).toMatchObject({ status: 404 });
  });

  test("of a request that changed nothing goes back to the moment before it", async () => {
    const { appId, profile, admin } = await app();
    const { userId } = await profile({ name: "Ada" });
    const refused = await enter(appId, "+13039999999", "123456");
    await admin("PUT", `/v1/profiles/${userId}`, { name: "Bob" });
    expect((await rewind({ appId, before: idOf(refused) })).json.changed.profiles).toBe(1);
    expect((await control("GET", `/profiles/${userId}`)).json.name).toBe("Ada");
  });
});

describe("one user", () => {
  test("is rewound without touching another", async () => {
    const { appId, phone, userId, tries, profile } = await locked();
    const other = await profile();
    await ask(appId, other.phone);
    const others = (await control("GET", `/passcodes?appId=${appId}&userId=${other.userId}`)).json;
    const { json } = await rewind({ appId, before: tries[0], userId });
    expect(json.changed).toEqual({ profiles: 0, passcodes: 1, sessions: 0, connections: 0 });
    expect((await control("GET", `/passcodes?appId=${appId}&userId=${other.userId}`)).json).toEqual(others);
    expect((await control("GET", `/profiles/${other.userId}`)).status).toBe(200);
    expect((await enter(appId, phone, await codeOf(appId, phone))).status).toBe(200);
  });

  test("comes back after deletion, with sessions and codes", async () => {
    const { appId, profile, admin } = await app();
    const { phone, userId } = await profile();
    await ask(appId, phone);
    const { json: session } = await enter(appId, phone, await codeOf(appId, phone));
    const before = await state(appId);
    const gone = await admin("DELETE", `/v1/profiles/${userId}`);
    expect((await control("POST", "/sessions/introspect", { token: session.token })).json.active).toBe(false);
    expect((await rewind({ appId, userId, before: idOf(gone) })).status).toBe(200);
    expect(await state(appId)).toBe(before);
    expect((await control("POST", "/sessions/introspect", { token: session.token })).json.active).toBe(true);
  });

  test("whose username somebody else has taken stays gone: 409 names who, and nothing changes", async () => {
    const { appId, profile, admin } = await app();
    const { phone, userId } = await profile({ name: "Ada" });
    const mark = await markOf(appId);
    await admin("DELETE", `/v1/profiles/${userId}`);
    const thief = await profile({ phone, name: "Eve" });
    const before = await state(appId);
    const refused = await rewind({ appId, userId, to: mark });
    expect([refused.status, refused.reason]).toEqual([409, "username_taken_since"]);
    expect(refused.json.instruction).toContain(`"Eve" (${thief.userId})`);
    expect(await state(appId)).toBe(before);
    // The whole app as it was then has no Eve.
    expect((await rewind({ appId, to: mark })).json.changed.profiles).toBe(2);
  });

  test("whose email somebody else has taken stays gone where both are unique (D9)", async () => {
    const { appId, profile, admin } = await app({ settings: { profile: { unique: "both" } } });
    const { userId } = await profile({ name: "Ada", email: "ada@example.com" });
    const mark = await markOf(appId);
    await admin("PUT", `/v1/profiles/${userId}`, { email: "other@example.com" });
    const thief = await profile({ email: "ADA@example.com", name: "Eve" });
    const before = await state(appId);
    const refused = await rewind({ appId, userId, to: mark });
    expect([refused.status, refused.reason]).toEqual([409, "username_taken_since"]);
    expect(refused.json.instruction).toContain(`"Eve" (${thief.userId})`);
    expect(await state(appId)).toBe(before);
    expect((await rewind({ appId, to: mark })).json.changed.profiles).toBe(2);
  });

  test("comes back with an email that it has shared all the time", async () => {
    const { appId, profile, admin } = await app();
    const { userId } = await profile({ name: "Ada", email: "ada@example.com" });
    await profile({ name: "Eve", email: "ada@example.com" });
    await control("PATCH", `/apps/${appId}`, { settings: { profile: { unique: "both" } } });
    const mark = await markOf(appId);
    await admin("PUT", `/v1/profiles/${userId}`, { name: "Ada Lovelace" });
    expect((await rewind({ appId, userId, to: mark })).json.changed.profiles).toBe(1);
  });
});

describe("an app", () => {
  test("keeps its settings, faults and clock, and returns after it was deleted", async () => {
    const { appId, profile } = await app({ name: "Before" });
    const { userId } = await profile();
    const mark = await markOf(appId);
    await control("PATCH", `/apps/${appId}`, { name: "After" });
    await control("PUT", `/clock?appId=${appId}`, { offsetSeconds: 60 });
    await control("DELETE", `/profiles/${userId}?appId=${appId}`);
    await rewind({ appId, to: mark });
    expect((await control("GET", `/apps/${appId}`)).json).toMatchObject({ name: "After", counts: { profiles: 1 } });
    expect((await control("GET", `/clock?appId=${appId}`)).json.offsetSeconds).toBe(60);
    const before = await state(appId);
    const again = await markOf(appId);
    await control("DELETE", `/apps/${appId}`);
    expect((await rewind({ appId, to: again })).status).toBe(200);
    expect(await state(appId)).toBe(before);
  });

  test("publishes its own event", async () => {
    const { appId, profile } = await app();
    const mark = await markOf(appId);
    await profile();
    const controller = new AbortController();
    const { body } = await fetch(`${at.server.urls.console}/emulator/v1/events`, controller);
    const texts = body?.pipeThrough(new TextDecoderStream()).getReader();
    const { json } = await rewind({ appId, to: mark });
    let seen = "";
    for (let part = await texts?.read(); part?.value !== undefined; part = await texts?.read()) {
      seen += part.value;
      if (seen.includes('"rewind"')) break;
    }
    controller.abort();
    expect(seen).toContain('"profile.remove"');
    expect(seen).toContain(JSON.stringify({ appId, userId: null, to: mark, ...json }));
  });

  test("of a deterministic kind gives the same codes again", async () => {
    const { appId, profile } = await app({ settings: { deterministic: { seed: 7 } } });
    const { phone } = await profile();
    const mark = await markOf(appId);
    await ask(appId, phone);
    const code = await codeOf(appId, phone);
    await rewind({ appId, to: mark });
    await ask(appId, phone);
    expect(await codeOf(appId, phone)).toBe(code);
  });
});

describe("what cannot be", () => {
  test.each([
    [{}, { to: ["must be given, or `before` or `undo`, only one of them"] }],
    [{ to: 1, before: "x" }, { to: ["must be given, or `before` or `undo`, only one of them"] }],
    [{ to: 1_000_000 }, { to: [expect.stringMatching(/^must be at most \d+, the newest change$/)] }],
    [{ to: -1 }, { to: [expect.any(String)] }],
    [{ to: 1, clock: "now" }, { clock: [expect.any(String)] }],
  ])("is a 422 for %j", async (body, errors) => {
    const { appId } = await app();
    const refused = await rewind({ appId, ...body });
    expect([refused.status, refused.json]).toEqual([422, errors]);
  });

  test("is a 404 for an unknown app, user or request, and for another app's request", async () => {
    const { appId } = await app();
    const mark = await markOf(appId);
    const { tries } = await locked();
    for (const body of [
      { appId: "ghost", to: mark },
      // Even if the timeline does not reach back so far.
      { appId: "ghost", to: 0 },
      { appId, to: mark, userId: "00000000-0000-4000-8000-000000000000" },
      { appId, before: "ghost" },
      { appId, before: tries[0] },
      // Before it was created.
      { appId, to: mark - 1 },
    ])
      expect((await rewind(body)).status, JSON.stringify(body)).toBe(404);
    expect((await control("POST", "/mark", { appId: "ghost" })).status).toBe(404);
    expect((await control("GET", "/timeline?appId=ghost")).status).toBe(404);
  });

  test("is a 410 with the earliest moment for what is no longer kept", async () => {
    const { appId } = await app();
    const { oldestSeq } = await timeline(`appId=${appId}`);
    expect(oldestSeq).toBeGreaterThan(0);
    const refused = await rewind({ appId, to: oldestSeq - 1 });
    expect([refused.status, refused.reason, refused.json.oldestSeq]).toEqual([410, "rewound_too_far", oldestSeq]);
  });
});
