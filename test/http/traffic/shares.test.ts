/** What one app keeps takes nothing from the others. */
import { expect, test } from "vitest";
import { freshPhone, harness } from "#test/http/control/support.ts";

const { control, auth, as, app } = harness();

test("a busy app does not push the rows of another out of the log", async () => {
  const quiet = await app();
  const busy = await app();
  const asked = await auth("POST", "/v1/users/session", { appId: quiet.appId, user: { phone: freshPhone() } });
  const admin = as(busy.secret);
  for (let round = 0; round < 21; round++)
    await Promise.all(Array.from({ length: 50 }, () => admin("GET", "/v1/profiles")));
  const id = asked.headers.get("Emulator-Request-Id");
  expect(await control("GET", `/requests/${id}`)).toMatchObject({ status: 200, json: { appId: quiet.appId } });
  const { total } = (await control("GET", "/requests?limit=1")).json;
  expect(total).toBe(1_000);
});

test("a message is at most 4,096 characters long when it is filled in", async () => {
  const { appId, profile } = await app({ name: "A".repeat(200) });
  const set = (sms: string) => control("PATCH", `/apps/${appId}`, { settings: { message: { sms } } });
  const long = await set(`{code}${"{app}".repeat(21)}`);
  expect(long.status).toBe(422);
  expect(long.json).toEqual({
    "settings.message.sms": ["is 4206 characters long when filled in; at most 4096 are allowed"],
  });
  expect((await set(`{code}${"{app}".repeat(20)}`)).status).toBe(200);
  const { phone } = await profile();
  await auth("POST", "/v1/users/session", { appId, user: { phone } });
  const { items } = (await control("GET", `/passcodes?appId=${appId}`)).json;
  expect(items[0].message).toHaveLength(4_006);
});

test("a limit counts a user with a very long name like any other, and starts anew with the app", async () => {
  const { appId, profile } = await app({ strategy: "email", settings: { limits: { otpPerMinute: 1 } } });
  const email = `${"a".repeat(60)}@${"b".repeat(60)}.example.com`;
  await profile({ email });
  const statuses: number[] = [];
  for (let i = 0; i < 2; i++)
    statuses.push((await auth("POST", "/v1/users/session", { appId, user: { email } })).status);
  expect(statuses).toEqual([202, 429]);
});
