import { request } from "node:http";
import { describe, expect, test } from "vitest";
import { harness, NOBODY, until } from "#test/http/control/support.ts";

const at = harness();
const { control, auth, app } = at;
const latest = (query: string, headers?: Record<string, string>) =>
  control("GET", `/passcodes/latest?${query}`, undefined, headers);
/** A profile with a unique phone. */
const recipient = async () => {
  const made = await app();
  const { phone, userId } = await made.profile();
  return { ...made, phone, userId, send: () => made.ask(phone) };
};

describe("without waiting", () => {
  test("returns the newest active passcode, whole", async () => {
    const { phone, send, appId } = await recipient();
    await send();
    await send();
    const { status, json } = await latest(`to=${encodeURIComponent(phone)}`);
    expect([status, json.to, json.status]).toEqual([200, phone, "active"]);
    expect((await control("GET", `/passcodes?appId=${appId}&limit=1`)).json.items[0]).toEqual(json);
  });

  test("returns 404 without one, or without an active one", async () => {
    const { phone, send, appId } = await recipient();
    const none = await latest(`to=${phone}`);
    expect([none.status, none.reason]).toEqual([404, "no_passcode"]);
    expect(Object.keys(none.json)).toEqual(["message", "instruction", "reason"]);
    await send();
    const { code, id } = (await latest(`to=${phone}`)).json;
    await auth("PUT", "/v1/users/session", { appId, user: { phone }, passcode: code });
    expect((await latest(`to=${phone}`)).status).toBe(404);
    expect((await latest(`to=${phone}&status=any`)).json).toMatchObject({ id, status: "used" });
    expect((await latest(`to=${phone}&status=used`)).json.id).toBe(id);
    expect((await latest(`to=${phone}&status=expired`)).status).toBe(404);
  });

  test("reads a space in `to` as +", async () => {
    const { phone, send } = await recipient();
    await send();
    expect((await latest(`to=${phone}`)).json.to).toBe(phone);
    expect((await latest(`to=%20${phone.slice(1)}`)).json.to).toBe(phone);
  });

  test("returns the code and a newline as text/plain", async () => {
    const { phone, send } = await recipient();
    await send();
    const { code } = (await latest(`to=${phone}`)).json;
    const text = await latest(`to=${phone}`, { Accept: "text/plain" });
    expect([text.status, text.text]).toEqual([200, `${code}\n`]);
    expect(text.headers.get("Content-Type")).toMatch(/^text\/plain/);
    expect((await latest(`to=${phone}`, { Accept: "*/*" })).json.code).toBe(code);
  });

  test("selects the app when two have the same recipient", async () => {
    const [one, two] = [await app(), await app()];
    const { phone } = await one.profile();
    await two.profile({ phone });
    await one.ask(phone);
    await two.ask(phone);
    expect((await latest(`to=${phone}&appId=${one.appId}`)).json.appId).toBe(one.appId);
    expect((await latest(`to=${phone}`)).json.appId).toBe(two.appId);
    expect((await latest(`to=${phone}&appId=none`)).status).toBe(404);
  });

  test("returns only one newer than `after`, an id or a seq", async () => {
    const { phone, send } = await recipient();
    await send();
    const first = (await latest(`to=${phone}`)).json;
    expect((await latest(`to=${phone}&after=${first.id}`)).status).toBe(404);
    expect((await latest(`to=${phone}&after=${first.seq}`)).status).toBe(404);
    expect((await latest(`to=${phone}&after=${first.seq - 1}`)).json.id).toBe(first.id);
    await send();
    const second = (await latest(`to=${phone}&after=${first.id}`)).json;
    expect(second.seq).toBeGreaterThan(first.seq);
    expect((await latest(`to=${phone}&after=${first.seq}`)).json.id).toBe(second.id);
  });

  test("returns the one of a given request", async () => {
    const { phone, appId, send } = await recipient();
    const sent = await auth("POST", "/v1/users/session", { appId, user: { phone } });
    const id = sent.headers.get("Emulator-Request-Id");
    expect((await latest(`requestId=${id}`)).json.requestId).toBe(id);
    await send();
    expect((await latest(`requestId=${id}`)).status).toBe(404);
    expect((await latest(`requestId=${id}&status=any`)).json).toMatchObject({ requestId: id, status: "replaced" });
    expect((await latest(`requestId=${NOBODY}`)).status).toBe(404);
  });

  test.each(["wait=60001", "wait=-1", "wait=soon", "wait=1&wait=2", "after=yesterday", "status=old"])(
    "returns 422 on %s",
    async (query) => {
      const refused = await latest(query);
      expect([refused.status, Object.keys(refused.json)]).toEqual([422, [query.slice(0, query.indexOf("="))]]);
    },
  );
});

describe("waiting", () => {
  test("returns 404 when none arrives in time", async () => {
    const { phone } = await recipient();
    const began = performance.now();
    expect((await latest(`to=${phone}&wait=60`)).status).toBe(404);
    expect(performance.now() - began).toBeGreaterThan(50);
  });

  test("returns as soon as one is issued, immediately if there is one", async () => {
    const { phone, send } = await recipient();
    const waiting = latest(`to=${phone}&wait=60000`);
    await send();
    const { status, json } = await waiting;
    expect([status, json.to]).toEqual([200, phone]);
    expect((await latest(`to=${phone}&wait=60000`)).json.id).toBe(json.id);
  });

  test("skips others until one is newer than `after`", async () => {
    const { phone, send } = await recipient();
    const other = await recipient();
    await send();
    const { id } = (await latest(`to=${phone}`)).json;
    const waiting = latest(`to=${phone}&after=${id}&wait=60000`, { Accept: "text/plain" });
    await other.send();
    await send();
    expect((await waiting).text).toBe(`${(await latest(`to=${phone}`)).json.code}\n`);
  });

  test("delivers each of many concurrent waits its own", async () => {
    const made = await app();
    const profiles = await Promise.all(Array.from({ length: 60 }, () => made.profile()));
    const waiting = profiles.map(({ phone }) => latest(`to=${phone}&appId=${made.appId}&wait=60000`));
    for (const { phone } of profiles) await made.ask(phone);
    const got = await Promise.all(waiting);
    expect(got.map(({ json }) => json.to)).toEqual(profiles.map(({ phone }) => phone));
  });

  test("delivers one code to everyone who waits for it", async () => {
    const { phone, send } = await recipient();
    const waiting = Array.from({ length: 20 }, () => latest(`to=${phone}&wait=60000`));
    await send();
    expect(new Set((await Promise.all(waiting)).map(({ json }) => json.id)).size).toBe(1);
  });

  test("is not affected by a client that disconnects", async () => {
    const { phone, send } = await recipient();
    const gone = request(`${at.server.urls.console}/emulator/v1/passcodes/latest?to=${phone}&wait=60000`).end();
    const failed = new Promise((resolve) => gone.once("error", resolve));
    await new Promise((resolve) => gone.once("socket", (socket) => socket.once("connect", resolve)));
    gone.destroy();
    await failed;
    expect(await send()).toBe(202);
    expect(
      (
        await until(
          () => latest(`to=${phone}`),
          ({ status }) => status === 200,
        )
      ).json.to,
    ).toBe(phone);
  });

  test("ends when the clock makes an expired code valid again", async () => {
    const { phone, send, appId } = await recipient();
    await send();
    await control("POST", `/clock/advance?appId=${appId}`, { seconds: 700 });
    expect((await latest(`to=${phone}`)).status).toBe(404);
    const waiting = latest(`to=${phone}&wait=60000`);
    await control("PUT", `/clock?appId=${appId}`, {});
    expect((await waiting).status).toBe(200);
  });
});
