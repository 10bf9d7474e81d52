/** A failure stays one: what a client repeats by itself after a cut connection fails with it. */
import { describe, expect, test } from "vitest";
import { freshPhone, harness } from "#test/http/control/support.ts";
import { faultCalls } from "./fault-calls.ts";

let nowMs = 0;
const running = harness({ monotonic: () => nowMs });
const { control, app } = running;
const { set, fault } = faultCalls(running);
const LOGIN = "/v1/users/session";

/** @returns the status of a sign-up; 0 if the connection ended. */
const signUp = async (appId: string, phone: string): Promise<number> => {
  const url = `${running.server.urls.auth}${LOGIN}`;
  const headers = { "Content-Type": "application/json" };
  const body = JSON.stringify({ appId, user: { phone } });
  return await fetch(url, { method: "POST", headers, body }).then(
    ({ status }) => status,
    () => 0,
  );
};
/** The rows of an app, oldest first. */
const rows = async (appId: string) => (await control("GET", `/requests?appId=${appId}`)).json.items.toReversed();

describe.each(["drop", "reset"] as const)("%s once", (how) => {
  test("also meets the same request again, which counts nothing and names the first", async () => {
    const { appId } = await app();
    const id = await set({ [how]: true }, { appId }, 1);
    const phone = freshPhone();
    expect([await signUp(appId, phone), await signUp(appId, phone), await signUp(appId, phone)]).toEqual([0, 0, 0]);
    expect(await fault(id)).toMatchObject({ used: 1, remaining: 0 });
    const [first, ...others] = await rows(appId);
    expect(first).toMatchObject({ status: 0, fault: id, repeats: null, check: "fault" });
    expect(others).toHaveLength(2);
    for (const row of others) expect(row).toMatchObject({ status: 0, fault: id, repeats: first.id, check: "fault" });
  });

  test("with repetitions that count, lets the second through, which still names the first", async () => {
    const { appId } = await app();
    const fault = { match: { appId }, effect: { [how]: true }, times: 1, repetitions: "count" };
    expect((await control("POST", "/faults", fault)).status).toBe(201);
    const phone = freshPhone();
    expect([await signUp(appId, phone), await signUp(appId, phone)]).toEqual([0, 200]);
    const [first, second] = await rows(appId);
    expect(second).toMatchObject({ status: 200, fault: null, repeats: first.id });
  });

  test("with its repetitions counts no attempt at a code, and nothing of a rate limit", async () => {
    const { appId, profile, ask } = await app({ settings: { limits: { requestsPerMinute: 2 } } });
    const { phone } = await profile();
    expect(await ask(phone)).toBe(202);
    await set({ [how]: true }, { appId, method: "PUT" }, 1);
    const wrong = (passcode: string) => running.auth("PUT", LOGIN, { appId, user: { phone }, passcode });
    for (let i = 0; i < 3; i++) await expect(wrong("0")).rejects.toThrow();
    const passcodes = `/passcodes?appId=${appId}`;
    expect((await control("GET", passcodes)).json.items).toMatchObject([{ attempts: 0, tried: [] }]);
    expect((await wrong("1")).reason).toBe("passcode_mismatch");
    expect((await control("GET", passcodes)).json.items).toMatchObject([{ attempts: 1, tried: ["1"] }]);
    expect((await wrong("2")).reason).toBe("rate_limited");
  });

  test("lets another request through at once", async () => {
    const { appId } = await app();
    await set({ [how]: true }, { appId }, 1);
    expect([await signUp(appId, freshPhone()), await signUp(appId, freshPhone())]).toEqual([0, 200]);
  });

  test("lets the same request through a second later", async () => {
    const { appId } = await app();
    await set({ [how]: true }, { appId }, 1);
    const phone = freshPhone();
    expect(await signUp(appId, phone)).toBe(0);
    nowMs += 999;
    expect(await signUp(appId, phone)).toBe(0);
    nowMs += 2;
    expect(await signUp(appId, phone)).toBe(200);
  });

  test("leaves another app alone, whatever it sends", async () => {
    const [one, other] = [await app(), await app()];
    const url = `${running.server.urls.admin}/v1/profiles`;
    const create = async ({ secret }: { secret: string }): Promise<number> =>
      await fetch(url, { method: "POST", headers: { Authorization: `Bearer ${secret}` } }).then(
        ({ status }) => status,
        () => 0,
      );
    await set({ [how]: true }, { appId: one.appId }, 1);
    expect([await create(one), await create(one), await create(other)]).toEqual([0, 0, 201]);
  });

  test("meets at most eight repetitions", async () => {
    const { appId } = await app();
    await set({ [how]: true }, { appId }, 1);
    const phone = freshPhone();
    const seen: number[] = [];
    for (let i = 0; i < 10; i++) seen.push(await signUp(appId, phone));
    expect(seen).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 200]);
  });

  test("meets nothing any more once it is turned off", async () => {
    const { appId } = await app();
    const id = await set({ [how]: true }, { appId }, 1);
    const phone = freshPhone();
    expect(await signUp(appId, phone)).toBe(0);
    await control("DELETE", `/faults/${id}`);
    await set({ status: 503 }, { appId, to: "+12025550199" });
    expect(await signUp(appId, phone)).toBe(200);
  });
});
