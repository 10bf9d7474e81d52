import { fixtures, type StagedoorFixtures } from "stagedoor/vitest";
import { test as base, expect } from "vitest";
import { logins } from "../logins.cjs";

const test = base.extend<StagedoorFixtures>(fixtures);

export const check = (worker: number): void =>
  test(`worker ${worker}`, async ({ stagedoor, app, signInAs }) => {
    expect(process.env["STAGEDOOR_AUTH_URL"]).toBe(stagedoor.authUrl);
    await logins(stagedoor.client, app, `Ada ${worker}`);
    const { session } = await signInAs({ phone: "+12025550101" });
    expect(session.appId).toBe(app.appId);
  });
