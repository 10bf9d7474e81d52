import { expect, test } from "stagedoor/playwright";
import { logins } from "../logins.cjs";

for (let worker = 1; worker <= 8; worker++) {
  test(`worker ${worker} @together`, async ({ stagedoor, app }) => {
    await logins(stagedoor.client, app, `Ada ${worker}`);
  });
  test(`worker ${worker} alone`, async ({ stagedoor, app, signInAs, passcode }) => {
    test.skip(process.env["STAGEDOOR_CONSOLE_URL"] !== undefined, "only with an emulator of its own");
    const { userId, session } = await signInAs({ phone: "+12025550100" });
    expect(session.appId).toBe(app.appId);
    const sent = await stagedoor.client.passcodes.send({ appId: app.appId, userId });
    expect((await passcode("+12025550100")).id).toBe(sent.id);
    const next = passcode({ to: "+12025550100", timeoutMs: 10_000 });
    const second = await stagedoor.client.passcodes.send({ appId: app.appId, userId });
    expect((await next).id).toBe(second.id);
  });
}
