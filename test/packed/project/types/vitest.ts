import { fixtures, type StagedoorFixtures } from "stagedoor/vitest";
import { test as base } from "vitest";

export const test = base.extend<StagedoorFixtures>(fixtures);
test("types", async ({ stagedoor, app, signInAs, passcode }) => {
  const { userId } = await signInAs({ phone: "+12025550100" });
  await stagedoor.client.passcodes.send({ appId: app.appId, userId });
  const code: string = (await passcode({ to: "+12025550100", timeoutMs: 1_000 })).code;
  // @ts-expect-error: an app has no code
  return app.code === code;
});
