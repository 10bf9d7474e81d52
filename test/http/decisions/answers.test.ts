/** service.md 5: response headers, 401 on admin, 404, 405, HEAD, trailing slash, other listeners. */

import { describe, expect, test } from "vitest";
import { NOT_EMULATED } from "#contract/words/not-emulated.ts";
import { type Call, caller } from "#test/hosts/client.ts";
import { expectRefusal, harness, NOBODY, PHONE, raw, SESSION } from "./support.ts";

const { app: newApp, admin, auth, control, server } = harness();
const bare = (): Call => caller(() => server().urls.admin);
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe("every response on admin and auth", () => {
  test("has Emulator, Emulator-Request-Id (its row in the request log) and, from 400 on, Emulator-Reason", async () => {
    const app = await newApp();
    const replies = [
      await app.admin("POST", "/v1/profiles", { phone: PHONE }),
      await app.admin("GET", "/v1/profiles"),
      await app.admin("DELETE", `/v1/profiles/${NOBODY}`),
      await app.admin("PATCH", "/v1/profiles"),
      await app.admin("GET", "/nothing"),
      await app.admin("POST", "/v1/profiles", "{"),
      await bare()("GET", "/v1/profiles"),
      await app.start({ phone: PHONE }),
      await app.start({}),
      await auth("GET", "/.well-known/jwks.json"),
      await auth("PATCH", SESSION),
      await auth("GET", "/nothing"),
    ];
    const ids = new Set<string | null>();
    for (const reply of replies) {
      const id = reply.headers.get("Emulator-Request-Id");
      expect(reply.headers.get("Emulator")).toMatch(/^stagedoor\/\d+\.\d+\.\d+/);
      expect(id).toMatch(UUID);
      ids.add(id);
      const row = await app.logged(reply);
      expect(row).toMatchObject({ id, status: reply.status, reason: reply.reason });
      expect(row.response.body ?? "").toBe(reply.text);
      expect(reply.reason !== null).toBe(reply.status >= 400);
      expect(reply.headers.get("X-Powered-By")).toBeNull();
    }
    expect(ids.size).toBe(replies.length);
  });
});

describe("service.md 5.1: Authorization: Bearer <APP_SECRET>", () => {
  test.each([
    [undefined],
    [""],
    ["Bearer"],
    ["Bearer "],
    ["Bearer wrong"],
    ["Basic sk_local_demo"],
    ["sk_local_demo"],
    ["Bearer sk_local_demo x"],
    ["Bearer sk_local_demo,sk_local_demo"],
    ['Bearer "sk_local_demo"'],
    ["Bearer SK_LOCAL_DEMO"],
    ["Token sk_local_demo"],
  ])("returns 401 with WWW-Authenticate: Bearer for %j", async (authorization) => {
    const headers = authorization === undefined ? {} : { Authorization: authorization };
    for (const [method, path] of [
      ["GET", "/v1/profiles"],
      ["POST", "/v1/profiles"],
      ["DELETE", `/v1/profiles/${NOBODY}`],
    ] as const) {
      const refused = await bare()(method, path, undefined, headers);
      expectRefusal(refused, 401);
      expect(refused.headers.get("WWW-Authenticate")).toBe("Bearer");
    }
  });

  test.each(["Bearer", "bearer", "BEARER", "bEaReR"])("accepts the scheme in any case: %s", async (scheme) => {
    const reply = await bare()("GET", "/v1/profiles", undefined, { Authorization: `${scheme} sk_local_demo` });
    expect(reply.status).toBe(200);
  });

  test("returns 401 for two Authorization headers, even if both are right", async () => {
    const url = `${server().urls.admin}/v1/profiles`;
    const right = ["Authorization", "Bearer sk_local_demo"];
    for (const headers of [
      [...right, ...right],
      [...right, "authorization", "Bearer no"],
      ["AUTHORIZATION", "x", ...right],
    ]) {
      const refused = await raw(url, { method: "GET", headers });
      expect([refused.status, refused.headers["www-authenticate"]]).toEqual([401, "Bearer"]);
    }
    expect((await raw(url, { method: "GET", headers: right })).status).toBe(200);
  });

  test("ignores the secret in a query or a cookie", async () => {
    expectRefusal(await bare()("GET", "/v1/profiles?access_token=sk_local_demo"), 401);
    expectRefusal(await bare()("GET", "/v1/profiles", undefined, { Cookie: "token=sk_local_demo" }), 401);
  });

  test("rejects a session token in place of the secret", async () => {
    const { token } = (await (await newApp()).start({ phone: PHONE })).json;
    expectRefusal(await bare()("GET", "/v1/profiles", undefined, { Authorization: `Bearer ${token}` }), 401);
  });
});

describe("returns 404", () => {
  test.each([
    "/v1",
    "/v1/profile",
    "/v1/profiles/a/b",
    "/v2/profiles",
    "/V1/profiles",
    "//v1/profiles",
    "/v1/profiles/..%2f",
    "/index.html",
  ])("for an unknown path: %s", async (path) => {
    const refused = await admin("GET", path);
    if (path.startsWith("/v1/profiles/..")) expectRefusal(refused, 404, "unknown_profile");
    else expectRefusal(refused, 404, "unknown_path");
    expectRefusal(await auth("GET", path), 404);
  });

  test("for a misspelt path, with an instruction that names the nearest one", async () => {
    const { urls } = server();
    for (const [call, path, nearest] of [
      [auth, "/v1/users/sesion", `${urls.auth}${SESSION}`],
      [auth, "/v1/user/session/", `${urls.auth}${SESSION}`],
      [admin, "/v1/profile", `${urls.admin}/v1/profiles`],
      [admin, `/v1/profile/${NOBODY}`, `${urls.admin}/v1/profiles/${NOBODY}`],
    ] as const) {
      const refused = await call("POST", path, {});
      expectRefusal(refused, 404, "unknown_path");
      expect(refused.json.instruction).toBe(`The path does not exist. Did you mean ${nearest}?`);
    }
    expect((await auth("GET", `/v1/${"x".repeat(300)}`)).json.instruction).toBe(
      "Unknown path. Check the path and the base URL.",
    );
  });

  test.each([
    ["/api/v1/users/session", SESSION, "starts with /api, which does not belong there"],
    ["/my/own/v1/users/session/", SESSION, "starts with /my/own, which does not belong there"],
    ["/v1/v1/users/session", SESSION, "has /v1 twice, as when a base URL ends with it"],
    ["/users/session", SESSION, "is missing /v1"],
    ["/session", SESSION, "is missing /v1/users"],
    ["/jwks.json", "/.well-known/jwks.json", "is missing /.well-known"],
  ])("for a path with another prefix, of the same listener: %s", async (path, meant, why) => {
    const refused = await auth("POST", path, {});
    expectRefusal(refused, 404, "unknown_path");
    expect(refused.json.instruction).toBe(`The path ${why}. Did you mean ${server().urls.auth}${meant}?`);
  });

  test("never for a path that only resembles another listener's", async () => {
    for (const path of ["/v1/profile", "/api/v1/profiles", "/emulator/v2"])
      expect((await auth("GET", path)).json.instruction ?? "").not.toContain(server().urls.admin);
    const refused = await admin("GET", `/api/v1/profiles/${NOBODY}`);
    expect(refused.json.instruction).toContain(`Did you mean ${server().urls.admin}/v1/profiles/${NOBODY}?`);
  });

  test("for what is not emulated, and says so, with what there is instead", async () => {
    for (const { examples } of NOT_EMULATED)
      for (const path of examples)
        for (const call of [auth, admin]) {
          const refused = await call("POST", path, {});
          expectRefusal(refused, 404, "not_emulated");
          expect(refused.json.instruction).not.toMatch(/[{}]/);
        }
    const { json } = await auth("POST", "/graphql", { query: "{ me { id } }" });
    expect(json.instruction).toContain("Stagedoor emulates sign-in, not the GraphQL endpoint that takes its tokens.");
    expect(json.instruction).toContain("What comes after the login");
    expect((await auth("POST", "/oauth/token")).json.instruction).toContain(
      `${server().urls.auth}/.well-known/jwks.json`,
    );
    expectRefusal(await auth("GET", "/graphqlx"), 404, "unknown_path");
  });

  test("for a path of another listener, with an instruction that names the right URL", async () => {
    const { urls } = server();
    const { origin } = new URL(urls.console);
    for (const [call, path, owner] of [
      [auth, "/v1/profiles", urls.admin],
      [auth, `/v1/profiles/${NOBODY}`, urls.admin],
      [admin, SESSION, urls.auth],
      [admin, "/.well-known/jwks.json", urls.auth],
      [admin, "/emulator/v1/status", origin],
      [auth, "/emulator/v1/passcodes/latest", origin],
      [auth, "/openapi/auth.json", origin],
    ] as const) {
      for (const method of ["GET", "POST"]) {
        const refused = await call(method, path);
        expectRefusal(refused, 404, "other_listener");
        expect(refused.json.instruction).toContain(owner + path);
      }
    }
    const onConsole = caller(() => origin);
    expect((await onConsole("GET", "/v1/profiles")).json.instruction).toContain(`${urls.admin}/v1/profiles`);
    expect((await onConsole("POST", SESSION, {})).json.instruction).toContain(urls.auth + SESSION);
  });
});

describe("returns 405", () => {
  test("on auth, with Allow", async () => {
    for (const method of ["GET", "HEAD", "DELETE", "PATCH", "OPTIONS"]) {
      const refused = await auth(method, SESSION);
      expect(refused.status).toBe(405);
      expect(refused.headers.get("Allow")).toBe("POST, PUT");
    }
    const jwks = await auth("POST", "/.well-known/jwks.json", {});
    expectRefusal(jwks, 405);
    expect(jwks.headers.get("Allow")).toBe("GET, HEAD");
  });

  test.each(["TRACE", "PROPFIND", "M-SEARCH", "LINK"])("for an unknown method: %s", async (method) => {
    const refused = await raw(`${server().urls.admin}/v1/profiles`, { method });
    expect(refused.status).toBe(405);
    expect(String(refused.headers["allow"]).split(", ").toSorted()).toEqual(["GET", "HEAD", "POST"]);
  });
});

describe("HEAD and the trailing slash", () => {
  test("HEAD responds like GET, without the body", async () => {
    const { userId } = (await admin("GET", "/v1/profiles")).json[0];
    for (const path of ["/v1/profiles?limit=2", `/v1/profiles/${userId}`, `/v1/profiles/${NOBODY}`, "/nothing"]) {
      const [get, head] = [await admin("GET", path), await admin("HEAD", path)];
      const comparable = (headers: Headers) => {
        const all = Object.fromEntries(headers);
        for (const name of ["date", "emulator-request-id", "connection", "keep-alive"]) delete all[name];
        return all;
      };
      expect([head.status, head.text]).toEqual([get.status, ""]);
      expect(comparable(head.headers)).toEqual(comparable(get.headers));
    }
    expect((await auth("HEAD", "/.well-known/jwks.json")).status).toBe(200);
    expect((await bare()("HEAD", "/v1/profiles")).status).toBe(401);
  });

  test("a trailing slash is accepted", async () => {
    const app = await newApp();
    const made = await app.admin("POST", "/v1/profiles/", { phone: PHONE });
    expect(made.status).toBe(201);
    const path = `/v1/profiles/${made.json.userId}/`;
    expect((await app.admin("GET", path)).json).toEqual(made.json);
    expect((await app.admin("PUT", path, { name: "B" })).status).toBe(200);
    expect((await app.admin("GET", "/v1/profiles/?limit=1")).json).toHaveLength(1);
    expect((await auth("POST", `${SESSION}/`, { appId: app.appId, user: { phone: PHONE } })).status).toBe(202);
    expect((await auth("GET", "/.well-known/jwks.json/")).status).toBe(200);
    expect((await app.admin("DELETE", path)).status).toBe(204);
    expect((await control("GET", "/status/")).status).toBe(200);
  });
});
