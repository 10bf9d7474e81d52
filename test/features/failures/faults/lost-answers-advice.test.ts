/** Advice on what was carried out before, and whether its client heard. */
import { describe, expect, test } from "vitest";
import { freshPhone, harness } from "#test/http/control/support.ts";
import { faultCalls } from "./fault-calls.ts";

let nowMs = 0;
const running = harness({ monotonic: () => nowMs });
const { control, auth, app } = running;
const { set } = faultCalls(running);
const LOGIN = "/v1/users/session";

/** The rows of an app, oldest first. */
const rows = async (appId: string) => (await control("GET", `/requests?appId=${appId}`)).json.items.toReversed();

/** A user with a code, and what sends it. */
const withCode = async () => {
  const made = await app();
  const { phone } = await made.profile();
  expect(await made.ask(phone)).toBe(202);
  const { code } = (await control("GET", `/passcodes/latest?appId=${made.appId}&to=${encodeURIComponent(phone)}`)).json;
  return { ...made, phone, enter: () => auth("PUT", LOGIN, { appId: made.appId, user: { phone }, passcode: code }) };
};

describe("a PUT with a used code", () => {
  test.each([
    [{ drop: true }, "the client got no response"],
    [{ status: 504 }, "the client got status 504 instead"],
  ])("whose response was lost (%j): by which request, when, and what to do", async (effect, got) => {
    const { appId, enter } = await withCode();
    await set({ ...effect, after: true }, { appId, method: "PUT" }, 1);
    await enter().catch(() => undefined);
    nowMs += 40;
    expect((await enter()).reason).toBe("passcode_used");
    const [, first, again] = await rows(appId);
    expect(again.advice).toEqual([
      {
        code: "answer_lost",
        text: `Request ${first.id} used the code 40 ms before. It was carried out with status 200, but the response was lost: ${got}. After a lost response, request a new code with a POST at once, and do not send the PUT again.`,
      },
    ]);
  });

  test("sent twice by the app: the first one worked", async () => {
    const { appId, enter } = await withCode();
    expect((await enter()).status).toBe(200);
    nowMs += 3_000;
    expect((await enter()).reason).toBe("passcode_used");
    const [, first, again] = await rows(appId);
    expect(again.advice).toEqual([
      {
        code: "sent_twice",
        text: `The same PUT came 3 s before (request ${first.id}), and used the code with status 200; that response was sent. Send each PUT once, and request a new code with a POST at once if no session came.`,
      },
    ]);
  });

  test("sent twice by a fault: the client got the second response", async () => {
    const { appId, enter } = await withCode();
    await set({ twice: true }, { appId, method: "PUT" }, 1);
    expect((await enter()).reason).toBe("passcode_used");
    const [, first, second] = await rows(appId);
    expect(second.advice).toMatchObject([
      { code: "sent_twice", text: expect.stringContaining(`(request ${first.id}), and used the code with status 200`) },
    ]);
    expect(second.advice[0].text).toContain("the client did not get that response");
  });

  test("entered again later is no PUT sent twice, and a fault that only says so used nothing", async () => {
    const { appId, enter } = await withCode();
    expect((await enter()).status).toBe(200);
    nowMs += 10_001;
    await enter();
    const [, first, again] = await rows(appId);
    expect(again.advice).toEqual([
      {
        code: "passcode_used",
        text: `Request ${first.id} used the code 10 s before; its response, status 200, was sent. A code works once: request a new one with a POST.`,
      },
    ]);
    await set({ reason: "passcode_used" }, { appId, method: "PUT" }, 1);
    await enter();
    expect((await rows(appId)).at(-1).advice).toEqual([]);
  });
});

describe("a POST", () => {
  test("repeated after a lost response says what the first one did", async () => {
    const { appId, ask } = await app();
    const phone = freshPhone();
    await set({ drop: true, after: true }, { appId }, 1);
    await ask(phone).catch(() => undefined);
    nowMs += 20;
    expect(await ask(phone)).toBe(202);
    const [first, again] = await rows(appId);
    expect(again.advice).toEqual([
      {
        code: "answer_lost",
        text: `The same POST came 20 ms before (request ${first.id}). It was carried out with status 200, but the response was lost: the client got no response. That one signed the user up.`,
      },
    ]);
  });

  test("sent twice by a fault", async () => {
    const { appId, profile, ask } = await app();
    const { phone } = await profile();
    await set({ twice: true }, { appId, method: "POST" }, 1);
    expect(await ask(phone)).toBe(202);
    expect((await rows(appId)).at(-1).advice).toMatchObject([
      { code: "sent_twice", text: expect.stringContaining("Only the newest code works.") },
    ]);
  });
});
