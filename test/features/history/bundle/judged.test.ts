/** A downloaded login is judged as the live one was: by the code that was valid then. */
import { expect, test } from "vitest";
import type { LoginBundle } from "#features/history/bundle/contract/bundles.ts";
import { clientsOf } from "#test/hosts/client.ts";
import { startInProcess } from "#test/hosts/in-process.ts";
import { harness } from "#test/http/control/support.ts";
import { stepsOf, storiesOf } from "../../../../src-renderer/shared/login/stories.ts";

const { control, auth, app } = harness();
type Call = typeof control;

/** @returns the steps of a login as the console shows them: what was entered, and the code it is compared with. */
const shownBy = async (call: Call, login: string, appId: string) => {
  const rows = (await call("GET", `/requests?appId=${appId}`)).json.items;
  const passcodes = (await call("GET", `/passcodes?appId=${appId}`)).json.items;
  const story = storiesOf(rows, passcodes).find(({ id }) => id === login);
  return story && stepsOf(story).map(({ title, typed, code, result }) => ({ title, typed, code, result }));
};

const opened = async (bundle: LoginBundle): Promise<[Call, () => Promise<void>]> => {
  const server = await startInProcess({ seen: bundle });
  const { control: call } = clientsOf(() => server);
  const { state, clock } = JSON.parse(JSON.stringify(bundle));
  expect((await call("PUT", "/state", { mode: "replace", state })).status).toBe(200);
  await call("PUT", "/clock", { frozenAt: clock.now });
  return [call, () => server.close()];
};

test.each([
  ["", undefined],
  ["while the clock stands still", "2027-01-31T12:00:00Z"],
])("the same steps, with the same codes, as live %s", async (_, frozenAt) => {
  const { appId, profile } = await app();
  const { phone } = await profile();
  if (frozenAt !== undefined) await control("PUT", "/clock", { frozenAt });
  const user = { phone };
  const ask = () => auth("POST", "/v1/users/session", { appId, user });
  const enter = (passcode: string) => auth("PUT", "/v1/users/session", { appId, user, passcode });
  const code = async () => (await control("GET", `/passcodes/latest?appId=${appId}`)).json.code;
  await ask();
  const first = await code();
  await enter("0");
  await ask();
  await enter(first);
  const right = await code();
  await enter(right);
  await ask();
  await ask();
  const [row] = (await control("GET", `/requests?appId=${appId}&status=200`)).json.items;
  const bundle = (await control("GET", `/requests/${row.id}/bundle`)).json;
  const live = await shownBy(control, row.login.id, appId);
  const [call, close] = await opened(bundle);
  const there = await shownBy(call, row.login.id, appId);
  await close();
  expect(live?.at(-1)).toMatchObject({ typed: right, code: right });
  expect(there).toEqual(live);
});
