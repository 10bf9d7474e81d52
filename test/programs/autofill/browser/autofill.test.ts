import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { findings } from "#test/e2e/axe.ts";
import { ADA, test, useHarness } from "#test/e2e/harness.ts";

const harness = useHarness();
const FOLDER = new URL("../builds/", import.meta.url);
const build = (name: string): string => fileURLToPath(new URL(name, FOLDER));
const { k1, k3 } = JSON.parse(await readFile(new URL("expected.json", FOLDER), "utf8"));
const hash = async () => (await harness.control("GET", "/apps/demo-app")).json.settings.message?.androidHash;

test("Connect reads an APK that is chosen or dropped, and sets its hash", async ({ visit }) => {
  const page = await visit(harness.url("/setup?app=demo-app"));
  const part = page.getByRole("region", { name: "Autofill on Android" });
  await part.locator("input[type=file]").setInputFiles(build("v123.apk"));
  await part.getByText(k1.hash, { exact: true }).waitFor();
  await part.getByText(`SHA-256 ${k1.sha256}`, { exact: true }).waitFor();
  await part.getByRole("button", { name: "Use for Demo" }).click();
  await expect.poll(hash).toBe(k1.hash);
  await part.getByRole("button", { name: /^Use for/ }).waitFor({ state: "detached" });

  const bytes = [...(await readFile(build("rotated.apk")))];
  const transfer = await page.evaluateHandle((all) => {
    const data = new DataTransfer();
    data.items.add(new File([new Uint8Array(all)], "App.APK"));
    return data;
  }, bytes);
  await page.getByRole("main").dispatchEvent("drop", { dataTransfer: transfer });
  await part.getByText(k3.hash, { exact: true }).waitFor();
  await part.getByText("Other signers and older keys: ", { exact: false }).waitFor();
  expect([await hash(), new URL(page.url()).pathname]).toEqual([k1.hash, "/setup"]);
  expect(await findings(page)).toEqual([]);

  const broken = { name: "broken.apk", mimeType: "", buffer: Buffer.from("text") };
  await part.locator("input[type=file]").setInputFiles(broken);
  await page.getByText("broken.apk: is not an APK or AAB", { exact: false }).waitFor();
});

test("Requests are downloaded as HAR, as they are filtered", async ({ visit }) => {
  await harness.sendCode(ADA);
  await harness.signIn(ADA, "000001");
  const page = await visit(harness.url("/requests?show=failed"));
  await page.getByRole("button", { name: "More: clear" }).click();
  const coming = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "Download as HAR" }).click();
  const { log } = JSON.parse(await readFile(await (await coming).path(), "utf8"));
  expect(log.entries.map((entry: { response: { status: number } }) => entry.response.status)).toEqual([401]);
});

test("the demo app takes a code by WebOTP", async ({ open }) => {
  const page = await open(`${harness.built.ready.authUrl}/emulator/demo/?appId=demo-app`);
  await page.addInitScript(() => {
    Object.assign(window, { OTPCredential: class {} });
    let asked = 0;
    navigator.credentials.get = async (options) => {
      asked++;
      Object.assign(window, { asked, options });
      return await new Promise((resolve) => {
        Object.assign(window, { arrive: (code: string) => resolve(Object.assign(Object.create(null), { code })) });
      });
    };
  });
  await page.reload();
  await page.getByRole("textbox").first().fill(ADA);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.locator("input[autocomplete=one-time-code]").waitFor();
  const options = await page.evaluate(() => JSON.stringify(Reflect.get(window, "options").otp));
  expect(JSON.parse(options)).toEqual({ transport: ["sms"] });
  const { code } = (await harness.control("GET", `/passcodes/latest?to=${encodeURIComponent(ADA)}`)).json;
  await page.evaluate((typed) => Reflect.get(window, "arrive")(typed), code);
  await page.getByRole("button", { name: "Show token" }).waitFor();
});
