/** Apps created and deleted as by parallel tests: none leaves anything behind for the next. */
import { expect, test } from "vitest";
import { harness } from "./support.ts";

const { control, auth, admin, as, code } = harness();

/** How often. Manually, 2,000 leave the heap where it was after the first 500. */
const CYCLES = 8;
const PHONE = "+12025550100";
const APP = { appId: "come-and-go", secret: "sk_come_and_go" };
const USER_ID = "7b1f2f52-6e7a-4f0c-9d4c-0f6f4a3c1e11";

const inAll = async (): Promise<unknown> => [
  (await control("GET", "/status")).json.counts,
  (await control("GET", "/apps")).json.total,
  (await control("GET", "/faults")).json.total,
  (await control("GET", "/snapshots")).json.total,
  (await control("GET", `/passcodes?to=${encodeURIComponent(PHONE)}&limit=1`)).json.total,
  (await control("GET", "/state?volatile=1")).json.apps.length,
];

/** Creates an app with one of everything, and logs in. @returns the token, and the created ids. */
const use = async () => {
  const { appId } = APP;
  expect((await control("POST", "/apps", APP)).status).toBe(201);
  // Always the same ids: a stale index entry would reject one, or lead to a deleted record.
  const profiles = [{ userId: USER_ID, phone: PHONE, name: "Ada" }];
  const state = { version: 1, apps: [{ ...APP, profiles }] };
  expect((await control("PUT", `/state?appId=${appId}`, { mode: "merge", state })).status).toBe(200);
  expect((await control("GET", `/clock?appId=${appId}`)).json.offsetSeconds).toBe(0);
  const connection = await control("POST", "/connections", { appId, userId: USER_ID, name: "Calendar", managed: true });
  const fault = await control("POST", "/faults", { match: { appId, method: "DELETE" }, effect: { status: 503 } });
  expect((await control("PUT", `/snapshots/before?appId=${appId}`)).status).toBe(201);
  expect((await control("POST", `/clock/advance?appId=${appId}`, { seconds: 60 })).status).toBe(200);
  const user = { phone: PHONE };
  expect((await auth("POST", "/v1/users/session", { appId, user })).status).toBe(202);
  const passcode = await code(PHONE, appId);
  const { token, id } = (await auth("PUT", "/v1/users/session", { appId, user, passcode })).json;
  expect((await as(APP.secret)("PUT", `/v1/profiles/${USER_ID}`, { name: "Ada King" })).status).toBe(200);
  expect((await control("POST", "/sessions/introspect", { token })).json.active).toBe(true);
  const ids = [`/sessions/${id}`, `/connections/${connection.json.id}`, `/faults/${fault.json.id}`];
  return { token, paths: [...ids, `/apps/${appId}`, `/profiles/${USER_ID}?appId=${appId}`] };
};

test("creating, using and deleting the same app repeatedly leaves nothing behind", async () => {
  const before = await inAll();
  for (let cycle = 0; cycle < CYCLES; cycle++) {
    const { token, paths } = await use();
    for (const path of paths) expect((await control("GET", path)).status, path).toBe(200);
    expect((await control("DELETE", `/apps/${APP.appId}`)).status).toBe(204);
    for (const path of paths) expect((await control("GET", path)).status, path).toBe(404);
    expect((await control("POST", "/sessions/introspect", { token })).json).toMatchObject({ active: false });
    expect((await as(APP.secret)("GET", "/v1/profiles")).status).toBe(401);
    const gone = await auth("POST", "/v1/users/session", { appId: APP.appId, user: { phone: PHONE } });
    expect([gone.status, gone.reason]).toEqual([401, "unknown_app"]);
    expect(await inAll()).toEqual(before);
  }
  // The other apps are unaffected.
  expect((await admin("GET", "/v1/profiles?limit=1")).json).toMatchObject([{ phone: PHONE }]);
});
