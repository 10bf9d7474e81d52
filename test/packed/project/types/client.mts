import { type Client, connect, type Passcode, type SignedIn, StagedoorError } from "stagedoor/client";
import { createSetup } from "stagedoor/jest";
import { type Stagedoor, startStagedoor } from "stagedoor/testing";

export const login = async (client: Client = connect()): Promise<string> => {
  const { token }: SignedIn = await client.signInAs({ appId: "demo-app", phone: "+12025550100" });
  const profile = await client.profiles.create({ appId: "demo-app", phone: "+12025550101" });
  const phone: string = profile.phone;
  const passcode: Passcode = await client.passcodes.next({ to: phone });
  await client.passcodes.expectNone({ to: phone, within: 10 });
  await client.requests.waitFor({ path: "/v1/users/session", status: 202 });
  const stagedoor: Stagedoor = await startStagedoor({ world: { apps: [{ appId: "mine" }] } });
  await stagedoor.reset();
  // @ts-expect-error: a profile has no nickname
  await client.profiles.create({ nickname: "Ada" });
  await stagedoor[Symbol.asyncDispose]();
  const error: unknown = undefined;
  return error instanceof StagedoorError ? error.reason : token + passcode.code;
};
export const setup: () => Promise<void> = createSetup({ fixtures: ["qa.json"] });
