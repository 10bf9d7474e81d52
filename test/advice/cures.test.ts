/** Advice on rejected requests beyond the table of slips: codes, the past, ids, and how much is said. */
import { describe, expect, test, vi } from "vitest";
import type { Advice } from "#contract/control/requests.ts";
import { KeptHistory } from "#store/history.ts";
import type { Reply } from "#test/hosts/client.ts";
import { harness, NOBODY, OTHER_PHONE, PHONE, SESSION } from "../http/decisions/support.ts";

const { app: newApp, auth, admin: anyAdmin, control, clock } = harness();
const PROFILES = "/v1/profiles";

const withUser = async (settings: object = {}) => {
  const app = await newApp({ settings });
  const { userId } = (await app.admin("POST", PROFILES, { name: "Ada", phone: PHONE })).json;
  const adviceOn = async (reply: Reply): Promise<readonly Advice[]> => (await app.logged(reply)).advice;
  return { ...app, userId, adviceOn };
};

describe("codes", () => {
  test("a replaced code: when, and the newest to send", async () => {
    const { sentCode, authenticate, adviceOn } = await withUser();
    const old = await sentCode({ phone: PHONE });
    clock.advance(6);
    const code = await sentCode({ phone: PHONE });
    clock.advance(4);
    const [first] = await adviceOn(await authenticate({ phone: PHONE }, old));
    expect(first).toMatchObject({
      text: `The code ${old} was replaced 4 s before this request. The newest is ${code}.`,
      send: code,
      at: "body.passcode",
    });
    expect((await authenticate({ phone: PHONE }, first?.send)).status).toBe(200);
  });

  test("two swapped digits, and the code of another user", async () => {
    const { sentCode, authenticate, adviceOn, start } = await withUser({ "passcode.fixed": "482917" });
    await sentCode({ phone: PHONE });
    const [swapped] = await adviceOn(await authenticate({ phone: PHONE }, "482971"));
    expect(swapped).toMatchObject({ text: expect.stringContaining("Two digits are swapped."), send: "482917" });
    await start({ phone: OTHER_PHONE });
    const [none] = await adviceOn(await authenticate({ phone: OTHER_PHONE }, "482917"));
    expect(none?.text).toBe(
      "No code was sent to +1 202 555 0143. 482917 was sent to +1 202 555 0142. Request a code with a POST first.",
    );
    expect(none?.send).toBeUndefined();
  });

  test("a locked code: the right one is not offered", async () => {
    const { sentCode, authenticate, adviceOn } = await withUser({
      "passcode.maxAttempts": 1,
      "passcode.fixed": "482917",
    });
    await sentCode({ phone: PHONE });
    const [last] = await adviceOn(await authenticate({ phone: PHONE }, "111111"));
    expect(last).toMatchObject({ code: "passcode_mismatch", text: expect.stringContaining("expected 482917") });
    expect(last?.send).toBeUndefined();
    const [locked] = await adviceOn(await authenticate({ phone: PHONE }, "482917"));
    expect(locked?.text).toContain("locked after 1 wrong attempt");
  });
});

describe("unknown_user knows the past", () => {
  test("deleted: when, and by which request", async () => {
    const { admin, userId, authenticate, adviceOn } = await withUser();
    await admin("DELETE", `${PROFILES}/${userId}`);
    const [first, second] = await adviceOn(await authenticate({ phone: PHONE }, "111111"));
    expect(first?.text).toMatch(
      new RegExp(
        `^Ada \\(\\+1 202 555 0142\\) was deleted at \\d\\d:\\d\\d:\\d\\d UTC by DELETE ${PROFILES}/${userId}\\.$`,
      ),
    );
    expect(second?.code).toBe("unknown_user");
    // The same of an id in a path.
    const [gone] = await adviceOn(await admin("GET", `${PROFILES}/${userId}`));
    expect(gone?.text).toContain("Ada was deleted at ");
  });

  test("changed: since when, and to what", async () => {
    const { admin, userId, sentCode, authenticate, adviceOn } = await withUser();
    const code = await sentCode({ phone: PHONE });
    await admin("PUT", `${PROFILES}/${userId}`, { phone: "+14155550199" });
    const [first] = await adviceOn(await authenticate({ phone: PHONE }, code));
    expect(first?.text).toMatch(
      /The phone of Ada has been \+1 415 555 0199, no longer \+1 202 555 0142, since .* by PUT/,
    );
    expect(first).toMatchObject({ send: "+14155550199", at: "body.user.phone" });
    expect((await authenticate({ phone: first?.send }, code)).status).toBe(200);
  });

  test("the newest change counts, and a refusal reads what is new in the timeline only", async () => {
    const { admin, userId, authenticate, adviceOn } = await withUser();
    for (const phone of [OTHER_PHONE, PHONE, "+14155550199"]) await admin("PUT", `${PROFILES}/${userId}`, { phone });
    const ask = () => authenticate({ phone: OTHER_PHONE }, "111111");
    const words = /^The phone of Ada has been \+1 415 555 0199, no longer/;
    expect((await adviceOn(await ask()))[0]?.text).toMatch(words);
    const whole = vi.spyOn(KeptHistory.prototype, "items", "get");
    const after = vi.spyOn(KeptHistory.prototype, "after");
    await admin("PUT", `${PROFILES}/${userId}`, { name: "Ada King" });
    expect((await adviceOn(await ask()))[0]?.text).toMatch(words);
    expect(whole).not.toHaveBeenCalled();
    expect(after.mock.results.map(({ value }) => value.length)).toEqual([1]);
    vi.restoreAllMocks();
  });
});

describe("secrets and ids of others", () => {
  test("a former secret; none is shown", async () => {
    const { appId, secret, adviceOn } = await withUser();
    await control("POST", `/apps/${appId}/secret`);
    const [first] = await adviceOn(await anyAdmin("GET", PROFILES, undefined, { Authorization: `Bearer ${secret}` }));
    expect(first?.text).toContain(`It is the former secret of the app “${appId}”`);
    expect(JSON.stringify(first)).not.toContain(secret);
  });

  test("a user of another app", async () => {
    const { userId } = await withUser();
    const { admin, appId, adviceOn } = await withUser();
    const [first] = await adviceOn(await admin("GET", `${PROFILES}/${userId}`));
    expect(first?.text).toContain(`but the secret is of “${appId}”`);
  });

  test("the id of a session", async () => {
    const { admin, userId, appId, adviceOn } = await withUser();
    const { id } = (await control("POST", "/sessions", { appId, userId })).json;
    const [first] = await adviceOn(await admin("GET", `${PROFILES}/${id}`));
    expect(first).toMatchObject({
      text: expect.stringContaining("is the id of a session"),
      send: `${PROFILES}/${userId}`,
    });
    expect((await adviceOn(await admin("GET", `${PROFILES}/${NOBODY}`)))[0]?.send).toBeUndefined();
  });
});

describe("several slips in one request", () => {
  test("are named in order, and the first has the whole body to send", async () => {
    const { appId, logged } = await withUser();
    const reply = await auth("POST", SESSION, { data: { app_id: appId, user: { phoneNumber: "+1 (202) 555-0142" } } });
    const { advice } = await logged(reply);
    expect(advice.map(({ code }: Advice) => code)).toEqual(["misplaced_id", "renamed_field", "more_than_digits"]);
    expect(advice[0]).toMatchObject({ at: "body", send: JSON.stringify({ appId, user: { phone: PHONE } }) });
    expect((await auth("POST", SESSION, advice[0].send, { "Content-Type": "application/json" })).status).toBe(202);
  });

  test("what is cured first, and what then is left", async () => {
    const { appId, logged } = await withUser();
    const reply = await auth("PUT", SESSION, { appId, user: { Phone: PHONE }, otp: "111111" });
    const { advice } = await logged(reply);
    expect(advice.map(({ code }: Advice) => code)).toEqual(["renamed_field", "renamed_passcode", "passcode_not_sent"]);
    expect(advice.some(({ send }: Advice) => send !== undefined)).toBe(false);
  });

  test("nothing is tried for good", async () => {
    const { appId, passcodes, admin } = await withUser();
    const before = (await control("GET", "/status")).json.seq;
    await auth("POST", SESSION, { app_id: appId, user: { phone: PHONE } });
    await auth("POST", SESSION, { appId, user: { Phone: OTHER_PHONE } });
    expect(await passcodes()).toEqual([]);
    expect((await admin("GET", PROFILES)).json).toHaveLength(1);
    expect((await control("GET", "/status")).json.seq).toBe(before);
  });
});

describe("what is no app id", () => {
  test.each(["undefined", "null", "{{appId}}", "[object Object]"])("%s is made into no app", async (appId) => {
    await auth("POST", SESSION, { appId, user: { phone: PHONE } });
    const [row] = (await control("GET", "/requests?listener=auth&limit=1")).json.items;
    expect(row.advice.map(({ code }: Advice) => code)).not.toContain("create_app");
    expect((await control("POST", "/apps", { like: row.id })).status).toBe(422);
  });

  test.each(["my-app", "my-project", "my-user-service", "your-app-1", "todo"])("%s is an id", async (appId) => {
    await auth("POST", SESSION, { appId, user: { phone: PHONE } });
    const [row] = (await control("GET", "/requests?listener=auth&limit=1")).json.items;
    expect(row.advice.slice(0, 2)).toMatchObject([{ text: `No app "${appId}".` }, { code: "create_app" }]);
    expect((await control("POST", "/apps", { like: row.id })).status).toBe(201);
  });

  test("nor is the secret of an app", async () => {
    const { secret } = await withUser();
    await auth("POST", SESSION, { appId: secret, user: { phone: PHONE } });
    const [row] = (await control("GET", "/requests?listener=auth&limit=1")).json.items;
    expect(row.advice[0].text).toContain("is the app’s secret, not its id");
    expect(JSON.stringify(row.advice)).not.toContain(secret);
    expect((await control("POST", "/apps", { like: row.id })).status).toBe(422);
  });

  test("the nearest comes first, how to create one second", async () => {
    const { appId } = await withUser();
    await auth("POST", SESSION, { appId: appId.toUpperCase(), user: { phone: PHONE } });
    const [row] = (await control("GET", "/requests?listener=auth&limit=1")).json.items;
    expect(row.advice.map(({ code }: Advice) => code)).toEqual(["near_app", "create_app"]);
    expect(row.advice[0].send).toBe(appId);
  });
});

describe("a code", () => {
  test("as a number is accepted, and said", async () => {
    const { appId, logged } = await withUser();
    await control("PATCH", `/apps/${appId}`, { settings: { passcode: { fixed: "014479" } } });
    await auth("POST", SESSION, { appId, user: { phone: PHONE } });
    const reply = await auth("PUT", SESSION, { appId, user: { phone: PHONE }, passcode: 14_479 });
    expect(reply.status).toBe(200);
    expect((await logged(reply)).advice).toMatchObject([
      { code: "passcode_number", text: expect.stringContaining("as the number 14479. Send it as a string, “014479”") },
    ]);
  });

  test("with a letter in the place of a digit, and a phone, are named, and what to send", async () => {
    const { appId, logged } = await withUser();
    await control("PATCH", `/apps/${appId}`, { settings: { passcode: { fixed: "014479" } } });
    await auth("POST", SESSION, { appId, user: { phone: PHONE } });
    const code = await logged(await auth("PUT", SESSION, { appId, user: { phone: PHONE }, passcode: "O14479" }));
    const sent = PHONE.replaceAll("0", "O");
    const phone = await logged(await auth("POST", SESSION, { appId, user: { phone: sent } }));
    for (const { advice } of [code, phone]) expect(advice[0]).toMatchObject({ code: "letter_for_digit" });
    expect(phone.advice[0]).toMatchObject({
      send: PHONE,
      text: expect.stringContaining("the letter “O” where a digit"),
    });
  });
});

test("a body over what the log keeps: the field and its rule", async () => {
  const { appId, logged } = await withUser();
  const reply = await auth("POST", SESSION, { appId, user: { phone: "x", name: "n".repeat(20_000) } });
  const { advice } = await logged(reply);
  expect(advice.map(({ text }: Advice) => text).join("\n")).toContain(
    "“user.phone” must be a phone number in E.164 form",
  );
});
