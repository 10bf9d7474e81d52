import { expect, test } from "stagedoor/playwright";
import { createSetup, type StagedoorFixtures } from "stagedoor/vitest";

test.use({ appInput: { strategy: "email" }, stagedoorOptions: { fixtures: ["qa.json"] } });
test("types", async ({ page, app, signInAs, passcode, stagedoor }) => {
  const { userId } = await signInAs({ email: "ada@example.com" });
  await page.getByLabel("Code").fill((await passcode("ada@example.com")).code);
  expect((await stagedoor.client.profiles.get(userId, { appId: app.appId })).email).toBe("ada@example.com");
  // @ts-expect-error: a code is read by recipient
  await passcode();
});
export type App = StagedoorFixtures["app"];
export const setup = createSetup({ world: { apps: [] } });
