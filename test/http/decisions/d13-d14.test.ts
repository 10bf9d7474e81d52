/** service.md 4.1 retrieve and delete, service.md 1; D13, D14. */
import { describe, expect, test } from "vitest";
import { expectRefusal, harness, NOBODY, OTHER_PHONE, PHONE, SESSION } from "./support.ts";

const { app: newApp, control, auth, clock } = harness();

const signedUp = async () => {
  const app = await newApp({ settings: { sessionExtensions: true } });
  const { json } = await app.start({ phone: PHONE, name: "Ada" });
  return { ...app, session: json, path: `/v1/profiles/${json.userId}` };
};
const connect = async (appId: string, userId: string, name: string, managed: boolean) =>
  (await control("POST", "/connections", { appId, userId, name, managed })).json;
const listed = async (kind: string, appId: string) => (await control("GET", `/${kind}?appId=${appId}`)).json.items;

describe("D13 path id", () => {
  const METHODS = ["GET", "PUT", "DELETE"] as const;

  test.each([
    "x",
    "1",
    NOBODY,
    "00000000000040008000000000000000",
    "%7B00000000-0000-4000-8000-000000000000%7D",
    "00000000-0000-4000-8000-00000000000g",
    "__proto__",
    "constructor",
    "%00",
    "..%2F..%2Fetc",
    "%F0%9F%8C%B8",
  ])("D13: returns 404 if it is unknown or not a UUID: %s", async (id) => {
    const { admin } = await newApp();
    for (const method of METHODS) expectRefusal(await admin(method, `/v1/profiles/${id}`), 404, "unknown_profile");
  });

  test("D13: returns 404 if it belongs to another app", async () => {
    const [a, b] = [await signedUp(), await newApp()];
    for (const method of METHODS) expectRefusal(await b.admin(method, a.path), 404, "unknown_profile");
    expect((await a.admin("GET", a.path)).status).toBe(200);
  });

  test("D13: returns 404 once deleted", async () => {
    const { admin, path } = await signedUp();
    expect((await admin("DELETE", path)).status).toBe(204);
    for (const method of METHODS) expectRefusal(await admin(method, path), 404, "unknown_profile");
  });

  test("D13: accepts an upper-case UUID and returns it in lower case", async () => {
    const { admin, path, session } = await signedUp();
    const capitals = `/v1/profiles/${session.userId.toUpperCase()}`;
    expect((await admin("GET", capitals)).json.userId).toBe(session.userId);
    expect((await admin("PUT", capitals, { name: "B" })).json.id).toBe(session.userId);
    expect((await admin("GET", path)).json.name).toBe("B");
    expect((await admin("DELETE", capitals)).status).toBe(204);
    expect((await admin("GET", path)).status).toBe(404);
  });
});

describe("D14 delete", () => {
  test("service.md 4.1: returns 204 with an empty body; a second delete returns 404", async () => {
    const { admin, path } = await signedUp();
    const gone = await admin("DELETE", path);
    expect(gone.status).toBe(204);
    expect(gone.text).toBe("");
    expect(gone.headers.get("Content-Type")).toBeNull();
    expectRefusal(await admin("DELETE", path), 404, "unknown_profile");
  });

  test("service.md 4.1.2, D14: removes the profile with its sessions and passcodes, and nobody else's", async () => {
    const app = await signedUp();
    await app.start({ phone: OTHER_PHONE });
    await app.sentCode({ phone: PHONE });
    await app.sentCode({ phone: OTHER_PHONE });
    await app.admin("DELETE", app.path);
    expect((await app.passcodes()).map(({ to }) => to)).toEqual([OTHER_PHONE]);
    expect(await listed("sessions", app.appId)).toHaveLength(1);
    expect((await app.admin("GET", "/v1/profiles")).json.map((p: { phone: string }) => p.phone)).toEqual([OTHER_PHONE]);
  });

  test("D14: keeps managed connections as disabled with disabledAt, removes the others", async () => {
    const app = await signedUp();
    const other = (await app.start({ phone: OTHER_PHONE })).json;
    const kept = await connect(app.appId, app.session.userId, "Calendar", true);
    await connect(app.appId, app.session.userId, "Own", false);
    const untouched = await connect(app.appId, other.userId, "Mail", true);
    clock.advance(5);
    await app.admin("DELETE", app.path);
    const left = await listed("connections", app.appId);
    const byId = new Map(left.map((item: { id: string }) => [item.id, item]));
    expect(left).toHaveLength(2);
    expect(byId.get(kept.id)).toEqual({ ...kept, status: "disabled", disabledAt: new Date(clock.ms).toISOString() });
    expect(byId.get(untouched.id)).toEqual(untouched);
  });

  test("D14: keeps disabledAt of a managed connection that was already disabled", async () => {
    const app = await signedUp();
    const { id } = await connect(app.appId, app.session.userId, "Calendar", true);
    const disabled = (await control("PATCH", `/connections/${id}`, { status: "disabled" })).json;
    clock.advance(5);
    await app.admin("DELETE", app.path);
    expect(await listed("connections", app.appId)).toEqual([disabled]);
  });

  test("D14: deactivates its tokens", async () => {
    const { admin, path, session } = await signedUp();
    const bearer = { Authorization: `Bearer ${session.token}` };
    const introspect = async () => (await control("POST", "/sessions/introspect", { token: session.token })).json;
    expect((await introspect()).active).toBe(true);
    expect((await auth("GET", SESSION, undefined, bearer)).status).toBe(200);
    await admin("DELETE", path);
    expect(await introspect()).toMatchObject({ active: false });
    expectRefusal(await auth("GET", SESSION, undefined, bearer), 401, "invalid_token");
  });

  test("D14: invalidates codes sent before; the same phone signs up as a new user", async () => {
    const app = await signedUp();
    const code = await app.sentCode({ phone: PHONE });
    await app.admin("DELETE", app.path);
    expectRefusal(await app.authenticate({ phone: PHONE }, code), 401, "unknown_user");
    const anew = await app.start({ phone: PHONE });
    expect(anew.status).toBe(200);
    expect(anew.json.userId).not.toBe(app.session.userId);
    expectRefusal(await app.authenticate({ phone: PHONE }, code), 401, "passcode_not_sent");
    expect((await app.admin("GET", `/v1/profiles/${anew.json.userId}`)).json.name).toBeNull();
  });
});
