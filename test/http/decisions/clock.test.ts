/** D24, D28: passcodes and sessions follow the clock of their app, as the control API sets it. */
import { expect, test } from "vitest";
import { expectRefusal, harness, PHONE } from "#test/http/decisions/support.ts";

const { app: newApp, control } = harness();
const USER = { phone: PHONE };

/** An app with one user. */
const withUser = async () => {
  const app = await newApp();
  await app.start(USER);
  return { ...app, code: () => app.sentCode(USER), submit: (code: unknown) => app.authenticate(USER, code) };
};

test("D24: a passcode expires by its app's clock: PUT /emulator/v1/clock?appId=", async () => {
  const [app, other] = [await withUser(), await withUser()];
  const [code, others] = [await app.code(), await other.code()];
  expect((await control("PUT", `/clock?appId=${app.appId}`, { offsetSeconds: 601 })).status).toBe(200);
  expectRefusal(await app.submit(code), 401, "passcode_expired");
  expect((await other.submit(others)).status).toBe(200);
  await control("PUT", `/clock?appId=${app.appId}`, {});
  expect((await app.submit(code)).status).toBe(200);
});

test("D28: a session follows the app's clock", async () => {
  const app = await newApp();
  await control("PUT", `/clock?appId=${app.appId}`, { frozenAt: "2031-01-01T00:00:00.500Z" });
  expect((await app.start(USER)).json.expiration).toBe(Date.parse("2031-01-02T00:00:00Z") / 1000);
});
