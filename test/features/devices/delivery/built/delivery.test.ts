/** Delivery to devices with the built server, whose PATH starts with stand-ins for `adb` and `xcrun`. */
import { delimiter } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Built, cleanEnv, startBuilt, temporaryDir } from "#test/hosts/built.ts";
import { caller } from "#test/hosts/client.ts";
import { makeStandIns, ONE_EMULATOR, ONE_SIMULATOR, type StandIns } from "#test/support/device-stand-ins.ts";

let data: Awaited<ReturnType<typeof temporaryDir>>;
let standIns: StandIns;
let server: Built;
beforeEach(async () => {
  [data, standIns] = await Promise.all([temporaryDir(), makeStandIns()]);
});
afterEach(async () => {
  await server.stop("SIGKILL");
  await Promise.all([data.remove(), standIns.remove()]);
});

const control = caller(() => `${server.ready.consoleUrl}/emulator/v1`);
const auth = caller(() => server.ready.authUrl);
const start = (): Promise<Built> => {
  const env = cleanEnv();
  return startBuilt(["--data", data.dir], { ...env, PATH: `${standIns.dir}${delimiter}${env["PATH"]}` });
};
const ask = async (): Promise<number> =>
  (await auth("POST", "/v1/users/session", { appId: "demo-app", user: { phone: "+12025550100" } })).status;
const newest = async () => (await control("GET", "/passcodes?limit=1")).json.items[0];
const optIn = (settings: object) => control("PATCH", "/apps/demo-app", { settings });
const programs = async () =>
  (await standIns.calls()).map(({ program, args }) => `${program} ${args.slice(0, 2).join(" ")}`);

test("starts no program until an app opts in; then delivers codes, and none twice after a kill", async () => {
  await Promise.all([standIns.plan("adb", ONE_EMULATOR), standIns.plan("xcrun", ONE_SIMULATOR)]);
  server = await start();
  expect(await ask()).toBe(202);
  expect((await optIn({ "delivery.ios": true })).status).toBe(200);
  expect(await ask()).toBe(202);
  await expect.poll(async () => (await newest()).devices).toMatchObject([{ kind: "ios", status: "sent" }]);
  expect(await programs()).toEqual(["xcrun simctl list", "xcrun simctl pbcopy"]);

  await server.stop("SIGKILL");
  await standIns.forget();
  server = await start();
  expect((await newest()).devices).toEqual([]);
  expect((await optIn({ "delivery.ios": null, "delivery.android": true })).status).toBe(200);
  expect(await ask()).toBe(202);
  await expect.poll(async () => (await newest()).devices).toMatchObject([{ kind: "android", status: "sent" }]);
  expect(await programs()).toEqual(["adb devices", "adb -s emulator-5554"]);
  expect(server.stderr()).not.toContain("Codes for");
});

test("a hanging or missing tool delays neither a response nor the stop, and is reported once", async () => {
  await standIns.plan("adb", [{ to: "", hangs: true }]);
  server = await start();
  await optIn({ "delivery.ios": true, "delivery.android": true });
  expect(await ask()).toBe(202);
  expect(await ask()).toBe(202);
  const missing = { kind: "ios", id: null, status: "failed", detail: "xcrun is not on the PATH of this server" };
  await expect.poll(async () => (await newest()).devices).toContainEqual(expect.objectContaining(missing));
  expect(server.stderr().split("xcrun is not on the PATH")).toHaveLength(2);
  expect(await server.stop()).toBe(0);
});
