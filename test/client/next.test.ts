/** Errors of a wait for a passcode: at once if it cannot succeed, otherwise with what arrived instead. */
import { describe, expect, test } from "vitest";
import { ADA, failure, useServed } from "./support.ts";

const at = useServed();
const { session, askForCode } = at;
/** A timeout that must not be reached. */
const LONG = 3_600_000;

describe("a wait that cannot succeed fails at once", () => {
  test("for an unknown app, naming the existing ones", async () => {
    for (const wait of [
      at.client.passcodes.next({ to: ADA, appId: "ghost", timeoutMs: LONG }),
      at.client.passcodes.requestedBy(() => expect.fail("it must not ask"), { to: ADA, appId: "ghost" }),
      at.client.passcodes.expectNone({ to: ADA, appId: "ghost", within: LONG }),
    ])
      expect(await failure(wait)).toMatchObject({ status: 404, message: expect.stringMatching(/"ghost".*demo-app/) });
  });

  test.each([
    ["not a phone", undefined, /phone number .* or an email address, not "not a phone"/],
    ["2025550100", "demo-app", /phone number such as \+12025550100, not "2025550100": demo-app sends codes by phone/],
    ["ada@example.com", "demo-app", /must be a phone number/],
    [ADA, "demo-mail", /must be an email address/],
    ["", undefined, /to can't be blank/],
  ])("for %j in app %s", async (to, appId, message) => {
    expect(await failure(at.client.passcodes.next({ to, appId, timeoutMs: LONG }))).toMatchObject({
      ...{ status: 422, reason: "invalid_fields", fields: { to: [expect.any(String)] } },
      message: expect.stringMatching(message),
    });
  });

  test("except in a lenient app, which accepts any recipient", async () => {
    const { appId } = await at.client.apps.create({ settings: { validation: "lenient" } });
    const { userId } = await at.client.profiles.create({ appId, phone: "reception" });
    const send = () => at.client.passcodes.send({ appId, userId });
    expect(await at.client.passcodes.requestedBy(send, { to: "reception", appId })).toMatchObject({ appId });
  });

  test("for a misspelt option, naming the right one", async () => {
    const misspelt = { to: ADA, appid: "demo-app", timeout: 5 };
    const error = await failure(at.client.passcodes.next(misspelt));
    expect(error).toMatchObject({
      fields: { appid: [expect.stringContaining("appId")], timeout: [expect.stringContaining("timeoutMs")] },
    });
  });
});

describe("a timeout reports what arrived instead", () => {
  const inVain = async (meanwhile: () => unknown, to = "+12025550199", appId?: string): Promise<string> => {
    const wait = at.client.passcodes.requestedBy(meanwhile, { to, appId, timeoutMs: 20 });
    const error = await failure(wait);
    expect(error).toMatchObject({ status: 404, reason: "no_passcode" });
    return String(error);
  };
  const ask = (body: object) => session("POST", body);

  test("a passcode of another user, and of another app", async () => {
    expect(await inVain(() => askForCode())).toContain(`Passcodes arrived for ${ADA} (demo-app) instead.`);
    const { appId } = await at.client.apps.create();
    expect(await inVain(() => askForCode(), ADA, appId)).toContain(`arrived for ${ADA} in another app, demo-app`);
  });

  test("a passcode that a fault kept from arriving, and one that has expired", async () => {
    await at.client.faults.add({ match: { to: ADA }, effect: { undelivered: true }, times: 1 });
    expect(await inVain(() => askForCode(), ADA)).toContain("a fault prevents its delivery");
    const expired = async () => {
      await askForCode();
      await at.client.passcodes.expire((await at.client.passcodes.latest({ to: ADA })).id);
    };
    expect(await inVain(expired, ADA)).toContain("but it expired at");
  });

  test("with an earlier cursor the app's last request, and nothing of other apps", async () => {
    const { appId } = await at.client.apps.create();
    await session("POST", { appId, user: { phone: ADA } });
    await askForCode("+12025550101");
    const error = await failure(at.client.passcodes.next({ to: ADA, appId, after: 0, timeoutMs: 1 }));
    expect(String(error)).toContain("signs up and gets no passcode");
  });

  test("and its stack contains the line of the call, even if it was awaited later", async () => {
    const waiting = at.client.passcodes.next({ to: "+12025550199", timeoutMs: 1 });
    const [, first] = String(
      (await failure(waiting).then((error) => (error instanceof Error ? error.stack : ""))) ?? "",
    )
      .split("\n")
      .filter((line) => !line.includes("/src-client/"));
    expect(first).toContain("next.test.ts");
  });

  test("a failed request, a sign-up, or that there was none", async () => {
    expect(await inVain(() => ask({ appId: "ghost", user: { phone: ADA } }), ADA)).toContain("401 (unknown_app)");
    expect(await inVain(() => ask({ appId: "demo-app", user: { phone: "+12025550188" } }), "+12025550188")).toContain(
      "signs up and gets no passcode",
    );
    expect(await inVain(() => undefined)).toContain("No request reached auth in that time.");
  });
});

describe("passcodes.expectNone", () => {
  test("resolves if nothing arrives for the recipient, a fault prevented delivery, or the code is older", async () => {
    await askForCode();
    await at.client.passcodes.expectNone({ to: ADA, within: 20 });
    const after = await at.client.passcodes.cursor();
    await askForCode("+12025550101");
    await at.client.faults.add({ match: { to: ADA }, effect: { undelivered: true }, times: 1 });
    await askForCode();
    await at.client.passcodes.expectNone({ to: ADA, within: 20, after });
  });

  test("rejects as soon as one arrives, and shows it", async () => {
    const watched = at.client.passcodes.expectNone({ to: ADA, appId: "demo-app", within: LONG });
    const after = await at.client.passcodes.cursor();
    // The watch starts with two requests of its own.
    await at.client.status();
    await askForCode();
    const came = await at.client.passcodes.next({ to: ADA, after });
    const error = await failure(
      Promise.race([watched, at.client.passcodes.expectNone({ to: ADA, within: LONG, after })]),
    );
    expect(error).toMatchObject({ reason: "unexpected_passcode", body: { id: came.id } });
    expect(String(error)).toContain(came.code);
  });
});
