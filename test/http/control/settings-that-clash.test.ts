/** Settings that exclude each other are 422, and say which value and rule. */
import { expect, test } from "vitest";
import { harness } from "./support.ts";

const { app, control } = harness();
const fieldsOf = (reply: { readonly status: number; readonly json: unknown }) => [reply.status, reply.json] as const;

test("a fixed code of another length than passcode.length", async () => {
  const made = await control("POST", "/apps", { settings: { passcode: { length: 4, fixed: "123456" } } });
  expect(made.status).toBe(422);
  expect(made.text).toContain("has 6 digits, but passcode.length is 4");
  const { appId } = await app();
  const patch = async (passcode: object) => await control("PATCH", `/apps/${appId}`, { settings: { passcode } });
  expect((await patch({ fixed: "1234" })).status).toBe(422);
  expect((await patch({ fixed: "1234", length: 4 })).status).toBe(200);
  expect((await patch({ length: 6 })).status).toBe(422);
  expect((await patch({ length: 6, fixed: null })).status).toBe(200);
});

test("a user's testPasscode of another length; a change of the length names whom it would lock out", async () => {
  const { appId, profile } = await app();
  const { userId } = await profile({ phone: "+12025550171", testPasscode: "123456" });
  const wrong = await control("POST", "/profiles", { appId, phone: "+12025550172", testPasscode: "1234" });
  expect(wrong.status).toBe(422);
  expect(wrong.text).toContain("has 4 digits, but passcodes of this app have 6");
  expect((await control("PATCH", `/profiles/${userId}`, { testPasscode: "12345678" })).status).toBe(422);
  const shorter = await control("PATCH", `/apps/${appId}`, { settings: { passcode: { length: 4 } } });
  expect(shorter.status).toBe(422);
  expect(shorter.text).toContain("would lock out +12025550171");
  const other = await control("PATCH", `/apps/${appId}`, { settings: { signUp: "closed" } });
  expect(other.status).toBe(200);
});

test("in an import, too, at the place of the value; together they can change", async () => {
  const { appId } = await app();
  const put = async (profiles: readonly object[], passcode: object = {}) =>
    await control("PUT", "/state", {
      mode: "merge",
      state: { version: 1, apps: [{ appId, settings: { passcode }, profiles }] },
    });
  const four = { phone: "+12025550173", testPasscode: "1234" };
  const [status, body] = fieldsOf(await put([four]));
  expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining("apps[0].profiles[0].testPasscode")]);
  expect((await put([four], { length: 4 })).status).toBe(200);
  expect((await put([], { length: 6 })).text).toContain("would lock out +12025550173");
  expect((await put([{ ...four, testPasscode: "123456" }], { length: 6 })).status).toBe(200);
});

test("token.issuer with a final slash, where no discovery document is", async () => {
  const { appId } = await app();
  const patch = async (issuer: string) => await control("PATCH", `/apps/${appId}`, { settings: { token: { issuer } } });
  const refused = await patch("https://id.example.com/");
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining("must not end with a slash")]);
  expect((await patch("https://id.example.com")).status).toBe(200);
});
