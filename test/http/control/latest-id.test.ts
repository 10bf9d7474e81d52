/** `latest` instead of an id is the newest record that the caller may see. */
import { describe, expect, test } from "vitest";
import { caller } from "#test/hosts/client.ts";
import { freshPhone, harness } from "./support.ts";

const at = harness({ config: { consoleHost: "127.0.0.1", accessToken: "whole-console", joinToken: "join" } });
const as = (token: string) =>
  caller(() => `${at.server.urls.console}/emulator/v1`, { Authorization: `Bearer ${token}` });
const whole = as("whole-console");
const newApp = async () => {
  const made = await as("join")("POST", "/apps", { ttlSeconds: 600, profiles: [{ phone: freshPhone() }] });
  const { appId, accessToken, profiles } = made.json;
  return { appId, bound: as(accessToken), ...profiles[0] };
};
const ask = async (appId: string, phone: string) =>
  (await at.auth("POST", "/v1/users/session", { appId, user: { phone } })).headers.get("Emulator-Request-Id");

describe("latest", () => {
  test("is 404 where there is none yet", async () => {
    const { bound } = await newApp();
    for (const path of ["passcodes/latest/expire", "sessions/latest/expire"])
      expect((await bound("POST", `/${path}`)).status, path).toBe(404);
    for (const path of ["sessions", "connections", "faults"])
      expect((await bound("GET", `/${path}/latest`)).status, path).toBe(404);
    expect((await bound("GET", "/requests/latest")).status).toBe(403);
  });

  test("is the newest of each kind; for a bound token, of its app", async () => {
    const [own, other] = [await newApp(), await newApp()];
    const made = async ({ appId, userId, phone }: typeof own) => ({
      request: await ask(appId, phone),
      passcode: (await whole("GET", `/passcodes?appId=${appId}`)).json.items[0].id,
      session: (await whole("POST", "/sessions", { appId, userId })).json.id,
      connection: (await whole("POST", "/connections", { appId, userId, name: "Calendar" })).json.id,
      fault: (await whole("POST", "/faults", { match: { appId }, effect: { drop: true } })).json.id,
    });
    const [first, last] = [await made(own), await made(other)];
    const seen = async (call: typeof whole) => ({
      request: (await call("GET", "/requests/latest")).json.id,
      passcode: (await call("POST", "/passcodes/latest/expire")).json.id,
      session: (await call("GET", "/sessions/latest")).json.id,
      connection: (await call("GET", "/connections/latest")).json.id,
      fault: (await call("GET", "/faults/latest")).json.id,
    });
    expect(await seen(own.bound)).toEqual(first);
    expect(await seen(whole)).toEqual(last);
    await whole("DELETE", "/faults");
  });

  test("as requestId is the newest request for a code, of the app that is named", async () => {
    const [own, other] = [await newApp(), await newApp()];
    const requestId = await ask(own.appId, own.phone);
    await at.auth("PUT", "/v1/users/session", { appId: own.appId, user: { phone: own.phone }, passcode: "none" });
    await ask(other.appId, other.phone);
    const found = await own.bound("GET", `/passcodes/latest?appId=${own.appId}&requestId=latest`);
    expect(found.json).toMatchObject({ to: own.phone, requestId });
    expect((await whole("GET", "/passcodes/latest?requestId=latest")).json.to).toBe(other.phone);
    const nobody = freshPhone();
    await ask(own.appId, nobody);
    const none = await own.bound("GET", `/passcodes/latest?appId=${own.appId}&requestId=latest&wait=60s`);
    expect([none.status, none.json.reason]).toEqual([404, "signed_up"]);
  });

  test("a retired key can be named as the previous one", async () => {
    expect((await whole("DELETE", "/signing-keys/previous")).status).toBe(404);
    await whole("POST", "/signing-keys/rotate", {});
    expect((await whole("DELETE", "/signing-keys/previous")).status).toBe(204);
    expect((await whole("GET", "/signing-keys")).json.total).toBe(1);
  });
});
