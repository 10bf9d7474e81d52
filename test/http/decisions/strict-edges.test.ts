/** What a strict app refuses beyond fields of a body, ids of apps as services have them, and what is no request at all. */
import { expect, test } from "vitest";
import { harness, OTHER_PHONE, PHONE, raw, SESSION } from "./support.ts";

const { app: newApp, auth, control, server } = harness();

test("unknownFields “refuse” holds for a passcode in a POST, and for query parameters", async () => {
  const app = await newApp({ settings: { unknownFields: "refuse" } });
  const refused = await app.start({ phone: PHONE }, { passcode: "123456" });
  expect([refused.status, refused.json]).toEqual([422, { passcode: ["is unknown"] }]);
  expect((await app.start({ phone: PHONE })).status).toBe(200);
  const listed = await app.admin("GET", "/v1/profiles?pge=2");
  expect([listed.status, Object.keys(listed.json)]).toEqual([422, ["pge"]]);
  expect((await app.admin("GET", "/v1/profiles?page=1")).status).toBe(200);
  const asked = await auth("POST", `${SESSION}?src=web`, { appId: app.appId, user: { phone: PHONE } });
  expect([asked.status, asked.json]).toEqual([422, { src: ["is unknown"] }]);
});

test("profile.required holds for those who sign up, and not for a code", async () => {
  const app = await newApp({ settings: { profile: { required: ["name"] } } });
  expect((await app.start({ phone: PHONE })).json).toEqual({ name: ["can't be blank"] });
  expect((await app.start({ phone: PHONE, name: "Ada" })).status).toBe(200);
  expect((await app.start({ phone: PHONE })).status).toBe(202);
});

test.each(["1:2345:ios:abc", "~a.b_c-d", `a${"b".repeat(127)}`])("an app can have the id %s", async (appId) => {
  expect((await control("POST", "/apps", { appId })).status).toBe(201);
  expect((await auth("POST", SESSION, { appId, user: { phone: OTHER_PHONE } })).status).toBe(200);
  expect((await control("GET", `/apps/${encodeURIComponent(appId)}`)).json.appId).toBe(appId);
  expect((await control("DELETE", `/apps/${encodeURIComponent(appId)}`)).status).toBe(204);
});

test.each(["..", ".", "a b", "a/b", "x".repeat(129)])("no app has the id %j", async (appId) => {
  expect((await control("POST", "/apps", { appId })).status).toBe(422);
});

test("a body that is compressed on its way is refused, and what the parser refuses has a JSON body", async () => {
  const headers = ["Content-Type", "application/json", "Transfer-Encoding", "gzip, chunked"];
  const coded = await raw(server().urls.auth + SESSION, { headers, body: "{}" });
  expect(coded.status).toBe(415);
  const broken = await raw(server().urls.auth + SESSION, { headers: ["Content-Length", "one"], body: "{}" }).catch(
    () => undefined,
  );
  if (broken !== undefined)
    expect(JSON.parse(broken.text)).toEqual({ message: "Bad Request", instruction: expect.any(String) });
});
