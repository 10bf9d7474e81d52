/** The download for a failed login, and importing it elsewhere. */
import { describe, expect, test } from "vitest";
import { loginBundle } from "#features/history/bundle/contract/bundles.ts";
import { clientsOf } from "#test/hosts/client.ts";
import { startInProcess } from "#test/hosts/in-process.ts";
import { harness } from "#test/http/control/support.ts";

const { control, auth, app } = harness();

/** A login with a wrong code, after a successful one, among those of other users. */
const failedLogin = async () => {
  const { appId, secret, profile, admin } = await app({ settings: { passcode: { length: 5 } } });
  const { userId, phone } = await profile({ scenario: "slow", name: "Ada" });
  const other = await profile();
  const ask = (to: string) => auth("POST", "/v1/users/session", { appId, user: { phone: to } });
  const enter = (to: string, passcode: string) =>
    auth("PUT", "/v1/users/session", { appId, user: { phone: to }, passcode });
  const code = async (to: string) =>
    (await control("GET", `/passcodes/latest?appId=${appId}&to=${encodeURIComponent(to)}`)).json.code;
  await control("PATCH", `/profiles/${userId}`, { scenario: { effect: { delayMs: 1 } } });
  await ask(phone);
  const session = (await enter(phone, await code(phone))).json;
  await ask(other.phone);
  await ask(phone);
  const renamed = await admin("PUT", `/v1/profiles/${userId}`, { name: secret });
  await enter(other.phone, "00000");
  const failed = await enter(phone, "1");
  await ask(phone);
  const idOf = ({ headers }: { headers: Headers }) => headers.get("Emulator-Request-Id") ?? "";
  return { appId, secret, userId, phone, other, session, id: idOf(failed), renamed: idOf(renamed) };
};

describe("GET requests/:id/bundle", () => {
  test("contains the login, user, codes, settings, clock and faults, and no secret", async () => {
    const { appId, secret, userId, phone, other, session, id, renamed } = await failedLogin();
    const { status, json, text } = await control("GET", `/requests/${id}/bundle`);
    expect(status).toBe(200);
    expect(json).toMatchObject({ kind: "stagedoor-login", version: 1, requestId: id });
    expect(
      json.requests.map(({ method, path, status: of }: { method: string; path: string; status: number }) => [
        method,
        path,
        of,
      ]),
    ).toEqual([
      ["POST", "/v1/users/session", 202],
      ["PUT", "/v1/users/session", 401],
      ["POST", "/v1/users/session", 202],
    ]);
    expect(json.timeline.map(({ what }: { what: string }) => what)).toEqual([
      expect.stringContaining("Passcode sent"),
      "Wrong code: 4 attempts left",
      "Profile updated: name",
      expect.stringContaining("Passcode sent"),
      "Signed in",
      expect.stringContaining("Passcode sent"),
      "Profile updated: scenario",
      expect.stringContaining("Profile created"),
    ]);
    expect(json.timeline[2].changes[0].after.name).toBe("***");
    const [only] = json.state.apps;
    expect(json.state.apps).toHaveLength(1);
    expect(only).toMatchObject({ appId, settings: { passcode: { length: 5 } }, profiles: [{ userId, phone }] });
    expect(only.passcodes).toHaveLength(3);
    expect(only.sessions).toMatchObject([{ id: session.id }]);
    expect(json.faults).toMatchObject([{ userId, scenario: "custom" }]);
    expect(json.clock.frozenAt).toBeNull();
    for (const hidden of [secret, session.token, "eyJ", other.phone]) expect(text).not.toContain(hidden);
    const ofAdmin = (await control("GET", `/requests/${renamed}/bundle`)).json;
    expect(ofAdmin.requests).toMatchObject([{ id: renamed, path: `/v1/profiles/${userId}` }]);
    expect(ofAdmin.requests[0].request.headers.authorization).toBe("Bearer ***");
    expect(ofAdmin.requests[0].request.body).toContain("***");
  });

  test("masks secrets by name and by value, in headers, query and bodies, and keeps the code", async () => {
    const { appId, profile, ask } = await app();
    const { phone } = await profile();
    await ask(phone);
    const more = { password: "hunter2hunter2", nested: { api_key: 12_345_678_901, note: "key-of-a-partner" } };
    const reply = await auth(
      "PUT",
      "/v1/users/session?access_token=tok-1234567890&lang=de",
      { appId, user: { phone }, passcode: "000000", ...more },
      { "X-Api-Key": "key-of-a-partner", "X-Trace": "trace-of-key-of-a-partner", Cookie: "sid=1" },
    );
    const id = reply.headers.get("Emulator-Request-Id");
    const { json, text } = await control("GET", `/requests/${id}/bundle`);
    for (const hidden of ["hunter2", "12345678901", "tok-1234567890", "key-of-a-partner"])
      expect(text).not.toContain(hidden);
    const { path, request } = json.requests.at(-1);
    expect(path).toBe("/v1/users/session?access_token=***&lang=de");
    expect(request.headers).toMatchObject({ "x-api-key": "***", "x-trace": "trace-of-***", cookie: "***" });
    expect(JSON.parse(request.body)).toMatchObject({ passcode: "000000", password: "***", nested: { note: "***" } });
    expect(loginBundle.safeParse(json).error).toBeUndefined();
  });

  test("contains only the request if it concerns no user; returns 404 for an unknown id", async () => {
    const lost = await auth("POST", "/v1/users/session", { appId: "ghost", user: { phone: "+12025550100" } });
    const id = lost.headers.get("Emulator-Request-Id");
    const { json } = await control("GET", `/requests/${id}/bundle`);
    expect(json.requests).toHaveLength(1);
    expect(json.state.apps).toEqual([]);
    expect((await control("GET", "/requests/ghost/bundle")).status).toBe(404);
  });

  test("includes failed requests, and those for another code", async () => {
    const { appId, profile, ask } = await app();
    const { phone } = await profile();
    await ask(phone);
    await control("POST", "/faults", { match: { appId, to: phone }, effect: { status: 503 }, times: 2 });
    for (let i = 0; i < 3; i++) await ask(phone);
    const [row] = (await control("GET", `/requests?appId=${appId}&limit=1`)).json.items;
    const { json } = await control("GET", `/requests/${row.id}/bundle`);
    expect(json.requests.map(({ status }: { status: number }) => status)).toEqual([202, 503, 503, 202]);
    expect(json.faults).toMatchObject([{ used: 2, remaining: 0 }]);
  });
});

test("can be imported elsewhere: requests with their ids, faults, the user and the codes", async () => {
  const { appId, userId, id } = await failedLogin();
  const bundle = loginBundle.parse((await control("GET", `/requests/${id}/bundle`)).json);
  const server = await startInProcess({ seen: bundle });
  try {
    const { control: there } = clientsOf(() => server);
    await there("PUT", "/state", { mode: "replace", state: bundle.state });
    expect((await there("GET", `/requests/${id}`)).json).toEqual(bundle.requests[1]);
    expect((await there("GET", "/requests?listener=auth")).json.total).toBe(3);
    expect((await there("GET", "/faults")).json.items).toEqual(bundle.faults);
    expect((await there("GET", `/passcodes?appId=${appId}`)).json.total).toBe(3);
    expect((await there("GET", `/profiles/${userId}`)).json.name).toBe("***");
    const again = (await there("GET", `/requests/${id}/bundle`)).json;
    expect(again.requests).toEqual(bundle.requests);
  } finally {
    await server.close();
  }
});
