import { delimiter } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { ADA, rowWith, test, useHarness } from "#test/e2e/harness.ts";
import { cleanEnv } from "#test/hosts/built.ts";
import { makeStandIns, ONE_EMULATOR, type StandIns } from "#test/support/device-stand-ins.ts";

let standIns: StandIns;
beforeAll(async () => {
  standIns = await makeStandIns();
  await standIns.plan("adb", ONE_EMULATOR);
});
afterAll(() => standIns.remove());

const harness = useHarness(
  () => ["--ephemeral"],
  () => {
    const env = cleanEnv();
    return { ...env, PATH: `${standIns.dir}${delimiter}${env["PATH"]}` };
  },
);

test("an app opts in on its screen; Codes then shows, live, which devices got a code", async ({ visit }) => {
  const page = await visit(harness.url("/setup/apps/demo-app"));
  await page.getByRole("switch", { name: "Send to Android emulators" }).click();
  await page.getByRole("switch", { name: "Send to iOS simulators" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await expect
    .poll(async () => (await harness.control("GET", "/apps/demo-app")).json.settings)
    .toEqual({ delivery: { android: true, ios: true } });

  await page.goto(harness.url("/codes"));
  await page.getByText("Running", { exact: true }).waitFor();
  const code = await harness.sendCode(ADA);
  await rowWith(page, code).getByRole("link").click();
  const detail = page.getByRole("region", { name: "Login of Ada Lovelace" });
  await detail.getByText("Android · emulator-5554: Text message sent.", { exact: true }).waitFor();
  await detail.getByText("iOS: not delivered. xcrun is not on the PATH of this server.", { exact: true }).waitFor();
});
