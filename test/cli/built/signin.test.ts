import { afterAll, beforeAll, expect, test } from "vitest";
import { run, type Started, start } from "#test/cli/support.ts";
import { adbList, makeStandIns, ONE_SIMULATOR, type StandIns, UDID } from "#test/support/device-stand-ins.ts";

let standIns: StandIns;
let server: Started;
beforeAll(async () => {
  [standIns, server] = await Promise.all([makeStandIns(), start(["--ephemeral"])]);
});
afterAll(async () => {
  await Promise.all([server.stop(), standIns.remove()]);
});

const LINK = "myapp://sign-in?from=it's&token={token}";
const signin = (...args: readonly string[]) => {
  const env = { PATH: standIns.dir, STAGEDOOR_CONSOLE_URL: server.ready.consoleUrl };
  return run(["signin", "+12025550100", "--app", "demo-app", ...args], { env });
};
const link = expect.stringMatching(/^myapp:\/\/sign-in\?from=it's&token=eyJ[\w-]+\.[\w-]+\.[\w-]+$/);

test("signin --launch android opens the link of the app on every device", async () => {
  await standIns.plan("adb", [
    { to: "devices", out: adbList("emulator-5554\tdevice", "R58M\tdevice") },
    { to: "-s", out: "Starting: Intent { act=android.intent.action.VIEW }\n" },
  ]);
  const { status, out } = await signin("--launch", "android", "--url", LINK, "--json");
  const opened = JSON.parse(out);
  expect([status, opened]).toEqual([0, { link, devices: ["emulator-5554", "R58M"] }]);
  const word = `'${opened.link.replace("'", "'\\''")}'`;
  const view = ["shell", "am", "start", "-a", "android.intent.action.VIEW", "-d", word];
  const [, ...calls] = (await standIns.calls()).map(({ args }) => args);
  expect(calls.sort()).toEqual([
    ["-s", "R58M", ...view],
    ["-s", "emulator-5554", ...view],
  ]);

  const err = "Error: Activity not started, unable to resolve Intent { act=android.intent.action.VIEW }";
  await standIns.plan("adb", [
    { to: "devices", out: adbList("R58M\tdevice") },
    { to: "-s", out: `Starting\n${err}\n` },
  ]);
  const url = ["--url", server.ready.consoleUrl, "--url", LINK];
  expect(await signin("--launch", "android", ...url)).toMatchObject({ status: 1, err: `R58M: ${err}\n` });
  await standIns.without("adb");
});

test("signin --launch ios opens it in the booted simulator", async () => {
  await standIns.plan("xcrun", [...ONE_SIMULATOR, { to: "simctl openurl" }]);
  const { status, out } = await signin("--launch", "ios", "--url", LINK);
  expect([status, out]).toEqual([0, expect.stringMatching(/^Opened on iPhone 16: myapp:/)]);
  expect((await standIns.calls()).at(-1)?.args).toEqual(["simctl", "openurl", UDID, link]);
  await standIns.without("xcrun");
});

test("without a device it prints the link and a QR code", async () => {
  const { status, out, err } = await signin("--launch", "android", "--url", LINK);
  expect([status, err]).toEqual([0, "adb is not on the PATH. Open this link on the device, or scan it:\n"]);
  const [first, empty, ...code] = out.trimEnd().split("\n");
  expect([first, empty]).toEqual([link, ""]);
  expect(code.length).toBeGreaterThan(20);
  expect(code.join("")).toMatch(/^[█▀▄ ]+$/);
  for (const args of [
    ["--launch", "ios"],
    ["--url", LINK],
    ["--launch", "ios", "--url", "myapp://sign-in"],
  ])
    expect(await signin(...args)).toMatchObject({ status: 2, err: expect.stringContaining("{token}'") });
});
