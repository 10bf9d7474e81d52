/** Checks in the order 404, 405, 401, 404 (profile), 415, 413, 400, 422; requests fail all later ones. */
import { describe, expect, test } from "vitest";
import { harness, NOBODY, PHONE, type RawReply, type RawRequest, raw, SESSION } from "./support.ts";

const { app: newApp, control, server } = harness({ config: { bodyLimitBytes: 2_000 } });

/** A body that is too large, malformed, and would be invalid otherwise. */
const LARGE = `{"name":5,"phone":"x"${" ".repeat(2_000)}`;
const BAD_JSON = '{"name":5';
const TEXT = ["Content-Type", "text/plain"];
const JSON_TYPE = ["Content-Type", "application/json"];
const reasonOf = ({ status, headers }: RawReply) => `${status} ${headers["emulator-reason"]}`;

describe("order of checks on admin", () => {
  /** Each step fixes one more error. */
  const steps = (secret: string, path: string): readonly (readonly [string, string, RawRequest])[] => {
    const bearer = ["Authorization", `Bearer ${secret}`];
    const wrong = ["Authorization", "Bearer wrong"];
    return [
      ["404 unknown_path", "/v1/nothing", { method: "PUT", headers: [...wrong, ...TEXT], body: LARGE }],
      ["405 method_not_allowed", path, { method: "PATCH", headers: [...wrong, ...TEXT], body: LARGE }],
      ["401 unknown_secret", `/v1/profiles/${NOBODY}`, { method: "PUT", headers: [...wrong, ...TEXT], body: LARGE }],
      ["404 unknown_profile", `/v1/profiles/${NOBODY}`, { method: "PUT", headers: [...bearer, ...TEXT], body: LARGE }],
      ["415 not_json", path, { method: "PUT", headers: [...bearer, ...TEXT], body: LARGE }],
      ["413 body_too_large", path, { method: "PUT", headers: [...bearer, ...JSON_TYPE], body: LARGE }],
      ["400 malformed_json", path, { method: "PUT", headers: [...bearer, ...JSON_TYPE], body: BAD_JSON }],
      ["422 invalid_fields", path, { method: "PUT", headers: [...bearer, ...JSON_TYPE], body: `${BAD_JSON}}` }],
      ["200 undefined", path, { method: "PUT", headers: [...bearer, ...JSON_TYPE], body: '{"name":"5"}' }],
    ];
  };

  test.each([0, 1, 2, 3, 4, 5, 6, 7, 8])("step %i", async (n) => {
    const app = await newApp();
    const { userId } = (await app.start({ phone: PHONE })).json;
    const [expected, path, request] = steps(app.secret, `/v1/profiles/${userId}`)[n] ?? ["", "", {}];
    const reply = await raw(server().urls.admin + path, request);
    expect(reasonOf(reply)).toBe(expected);
    const { json: row } = await control("GET", `/requests/${reply.headers["emulator-request-id"]}`);
    expect(row.check).toBe([null, null, "secret", "profile", "body", "body", "body", "fields", null][n]);
  });

  test("422 reports all errors of its step", async () => {
    const app = await newApp();
    const headers = [...JSON_TYPE, "Authorization", `Bearer ${app.secret}`];
    const body = '{"name":5,"phone":"x","email":"x","metadata":[]}';
    const refused = await raw(`${server().urls.admin}/v1/profiles`, { headers, body });
    expect(Object.keys(JSON.parse(refused.text)).toSorted()).toEqual(["email", "metadata", "name", "phone"]);
  });

  test("a method of the other path returns 405 with its own Allow, before the secret is checked", async () => {
    const { admin } = server().urls;
    for (const [path, allowed, refused] of [
      ["/v1/profiles", "GET, HEAD, POST", ["PUT", "PATCH", "DELETE", "OPTIONS"]],
      [`/v1/profiles/${NOBODY}`, "GET, HEAD, PUT, DELETE", ["POST", "PATCH", "OPTIONS"]],
      ["/v1/profiles/x", "GET, HEAD, PUT, DELETE", ["POST", "PATCH"]],
    ] as const) {
      for (const method of refused) {
        const reply = await raw(admin + path, { method });
        expect(`${method} ${reasonOf(reply)}`).toBe(`${method} 405 method_not_allowed`);
        expect(String(reply.headers["allow"]).split(", ").toSorted()).toEqual(allowed.split(", ").toSorted());
      }
    }
  });
});

describe("order of checks on auth", () => {
  const PUT_BAD = '{"appId":"nobody","user":5';
  const steps: readonly (readonly [string, string, RawRequest])[] = [
    ["404 unknown_path", "/v1/users/sessions", { headers: TEXT, body: LARGE }],
    ["405 method_not_allowed", SESSION, { method: "PATCH", headers: TEXT, body: LARGE }],
    ["415 not_json", SESSION, { headers: TEXT, body: LARGE }],
    ["413 body_too_large", SESSION, { headers: JSON_TYPE, body: LARGE }],
    ["400 malformed_json", SESSION, { headers: JSON_TYPE, body: PUT_BAD }],
    ["401 unknown_app", SESSION, { headers: JSON_TYPE, body: `${PUT_BAD}}` }],
    ["422 invalid_fields", SESSION, { headers: JSON_TYPE, body: '{"appId":"demo-app","user":5}' }],
    ["200 undefined", SESSION, { headers: JSON_TYPE, body: `{"appId":"demo-app","user":{"phone":"${PHONE}"}}` }],
  ];

  test.each(steps)("%s", async (expected, path, request) => {
    expect(reasonOf(await raw(server().urls.auth + path, request))).toBe(expected);
  });

  test("PUT has the same order", async () => {
    for (const [expected, path, request] of steps.slice(2, 7))
      expect(reasonOf(await raw(server().urls.auth + path, { ...request, method: "PUT" }))).toBe(expected);
  });
});

test("a path with repeated slashes gets the intended path, on the listener that serves it", async () => {
  const ask = async (base: string, path: string) => {
    const { status, text } = await raw(base + path, { method: "GET" });
    return [status, JSON.parse(text).instruction];
  };
  const { admin: adminUrl, auth: authUrl } = server().urls;
  const why = 'The path has two slashes in a row, as when a base URL ends with "/". Use ';
  expect(await ask(adminUrl, "//v1/profiles?page=2")).toEqual([404, `${why}${adminUrl}/v1/profiles`]);
  expect(await ask(adminUrl, "/v1//profiles///x/")).toEqual([404, `${why}${adminUrl}/v1/profiles/x/`]);
  expect(await ask(authUrl, "//v1/users/session")).toEqual([404, `${why}${authUrl}/v1/users/session`]);
  expect(await ask(authUrl, "//v1/profiles")).toEqual([404, `${why}${adminUrl}/v1/profiles`]);
  expect(await ask(authUrl, "//nowhere")).toEqual([404, "Unknown path. Check the path and the base URL."]);
});
