/** The demo app on auth, and the way to it: hello, certificate, login. The words of each screen, at phone size. */

import type { Page } from "playwright-core";
import { expect } from "vitest";
import { faultsOnPhone as faultsOf, PHONE } from "../axe.ts";
import { ADA, hold, test, testApart, useHarness } from "../harness.ts";

const harness = useHarness();
const demo = (query = "?appId=demo-app") => `${harness.built.ready.authUrl}/emulator/demo/${query}`;

const title = (page: Page, name: string) => page.getByRole("heading", { level: 1, name }).waitFor();
const says = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
const askForCode = async (page: Page, phone = ADA): Promise<string> => {
  await page.getByLabel("Phone number").fill(phone);
  await page.getByRole("button", { name: "Continue" }).click();
  await title(page, "Enter the code");
  return (await harness.control("GET", `/passcodes/latest?to=${encodeURIComponent(phone)}&wait=30000`)).json.code;
};
const wrongFor = (code: string): string => (code === "000000" ? "111111" : "000000");

test("from hello to a session and back; every screen fits 320 px and passes axe", async ({ open }) => {
  const page = await open(`${harness.built.ready.authUrl}/emulator/hello?appId=demo-app`);
  await title(page, "Connected to Stagedoor");
  expect(await faultsOf(page)).toEqual([]);
  await page.getByRole("link", { name: "Open demo app" }).click();
  await title(page, "Sign in or sign up");
  await says(page, "Demo");
  expect(await faultsOf(page)).toEqual([]);
  const code = await askForCode(page, "+1 202 555 0100".replaceAll(" ", ""));
  expect(await page.getByLabel("Code").getAttribute("autocomplete")).toBe("one-time-code");
  expect(await faultsOf(page)).toEqual([]);
  // The last digit submits it.
  await page.getByLabel("Code").pressSequentially(code);
  await title(page, "Signed in");
  await says(page, /^24 hours$/);
  expect(await page.getByText(/^ey/).isVisible()).toBe(false);
  await page.getByRole("button", { name: "Show token" }).click();
  const token = (await page.getByText(/^ey/).textContent()) ?? "";
  expect((await harness.control("POST", "/sessions/introspect", { token })).json.active).toBe(true);
  expect(await faultsOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Sign out" }).click();
  await title(page, "Sign in or sign up");
  expect(await page.content()).not.toContain(token);
  expect(await page.evaluate(() => localStorage.length + sessionStorage.length)).toBe(0);
});

test.for([
  ["Arabic-Indic", 0x660],
  ["Devanagari", 0x966],
  ["full-width", 0xff10],
] as const)("takes digits of every script: %s", async ([, zero], { open }) => {
  const written = (text: string): string => text.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
  const page = await open(demo());
  await page.getByLabel("Phone number").fill(written("+1 202 555 0100"));
  await page.getByRole("button", { name: "Continue" }).click();
  await title(page, "Enter the code");
  const { code } = (await harness.control("GET", `/passcodes/latest?to=${encodeURIComponent(ADA)}&wait=30000`)).json;
  await page.getByLabel("Code").pressSequentially(written(code));
  await title(page, "Signed in");
});

test("the countdown uses the service's clock, which may have been frozen long ago", async ({ open }) => {
  await harness.control("PUT", "/clock", { frozenAt: "2020-01-01T00:00:00Z" });
  const page = await open(demo());
  await page.getByLabel("Phone number").fill("+12025550178");
  await page.getByRole("button", { name: "Continue" }).click();
  await title(page, "Account created");
  await says(page, /^24 hours$/);
});

const PHONES = {
  iPhone:
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
  Android:
    "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/137.0.0.0 Mobile Safari/537.36",
};

test.for(Object.entries(PHONES))(
  "on an %s of 320 px, by touch, up to a session",
  async ([name, userAgent], { open }) => {
    const page = await open(demo());
    const device = await page.context().newCDPSession(page);
    await device.send("Emulation.setUserAgentOverride", { userAgent });
    await device.send("Emulation.setTouchEmulationEnabled", { enabled: true });
    await device.send("Emulation.setDeviceMetricsOverride", { ...PHONE, deviceScaleFactor: 2, mobile: true });
    await page.reload();
    await title(page, "Sign in or sign up");
    const code = await askForCode(page);
    const fits = () => page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    expect(await fits()).toEqual([PHONE.width, PHONE.width]);
    await page.getByLabel("Code").pressSequentially(code);
    await title(page, "Signed in");
    expect(await fits()).toEqual([PHONE.width, PHONE.width]);
    const { items } = (await harness.control("GET", "/clients")).json;
    expect(items.map((client: { device: string }) => client.device)).toContainEqual(expect.stringContaining(name));
  },
);

test("a new number signs up with a name", async ({ open }) => {
  const page = await open(demo());
  await page.getByLabel("Phone number").fill("+1 (202) 555-0177");
  await page.getByLabel("Name").fill("Rosalind");
  await page.getByRole("button", { name: "Continue" }).click();
  await title(page, "Account created");
  await says(page, "Rosalind");
  const { items } = (await harness.control("GET", "/profiles?appId=demo-app&q=Rosalind")).json;
  expect(items).toMatchObject([{ phone: "+12025550177", name: "Rosalind" }]);
});

test("wrong, locked and expired codes say what to do; pasting a code works", async ({ open }) => {
  const page = await open(demo());
  const code = await askForCode(page);
  const field = page.getByLabel("Code");
  for (const words of [/^Wrong code/, /^Wrong code/, /^Wrong code/, /^Wrong code/, /^Wrong code|^Locked/]) {
    await field.fill(wrongFor(code));
    await says(page, words);
    await expect.poll(() => field.inputValue()).toBe("");
  }
  await field.fill(code);
  await says(page, /^Locked/);
  await harness.control("POST", "/clock/advance", { seconds: 601 });
  await page.getByRole("button", { name: "Change details" }).click();
  const next = await askForCode(page);
  await harness.control("POST", "/clock/advance", { seconds: 601 });
  await field.fill(`${next.slice(0, 3)} ${next.slice(3)}`);
  await says(page, /expired/);
  expect(await faultsOf(page)).toEqual([]);
});

testApart("without a connection it says so, keeps what was typed, and goes on when it is back", async ({ open }) => {
  const page = await open(demo());
  const code = await askForCode(page);
  await page.context().setOffline(true);
  await page.getByLabel("Code").fill(code);
  await says(page, /^No connection/);
  expect(await page.getByLabel("Code").inputValue()).toBe(code);
  await page.context().setOffline(false);
  await page.getByRole("button", { name: "Sign in" }).click();
  await title(page, "Signed in");
});

testApart("a session ends when its time is over", async ({ open }) => {
  const page = await open(demo());
  await page.clock.install();
  await page.getByLabel("Phone number").fill("+12025550179");
  await page.getByRole("button", { name: "Continue" }).click();
  await title(page, "Account created");
  await page.clock.fastForward("24:00:01");
  await says(page, "Your session has expired. Sign in again.");
});

test("an answer that comes after another screen was opened changes nothing", async ({ open }) => {
  const page = await open(demo());
  const code = await askForCode(page);
  const release = await hold(page, "**/v1/users/session");
  const answered = page.waitForResponse("**/v1/users/session");
  await page.getByLabel("Code").fill(code);
  await page.getByRole("button", { name: "Change details" }).click();
  await title(page, "Sign in or sign up");
  release();
  await (await answered).finished();
  // The page has read the answer by its next frame but one.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Sign in or sign up");
});

testApart("a code can be asked for again after a countdown", async ({ open }) => {
  const page = await open(demo());
  await page.clock.install();
  const first = await askForCode(page);
  const again = page.getByRole("button", { name: /^Send again/ });
  expect(await again.isDisabled()).toBe(true);
  await page.clock.fastForward(31_000);
  await again.click();
  await expect
    .poll(async () => (await harness.control("GET", `/passcodes/latest?to=${encodeURIComponent(ADA)}`)).json.code)
    .not.toBe(first);
});

test("an email app with custom wire settings and branding", async ({ open }) => {
  const settings = {
    wire: {
      envelope: "session",
      appIdField: "clientId",
      userField: null,
      passcodeField: "otp",
      authenticateStatus: 201,
    },
    brand: { name: "Front Row", color: "#1b6e3c" },
    passcode: { length: 4 },
  };
  const { appId } = (await harness.control("POST", "/apps", { strategy: "email", settings })).json;
  await harness.control("POST", "/profiles", { appId, email: "ada@example.com" });
  const page = await open(demo(`?appId=${appId}`));
  await says(page, "Front Row");
  expect(await faultsOf(page)).toEqual([]);
  await page.getByLabel("Email address").fill("ada@example.com");
  await page.getByRole("button", { name: "Continue" }).click();
  const { code } = (await harness.control("GET", `/passcodes/latest?to=ada@example.com&appId=${appId}&wait=30000`))
    .json;
  // As pasted from a message.
  await page.getByLabel("Code").fill(`${code.slice(0, 2)} ${code.slice(2)}`);
  await title(page, "Signed in");
});

test("without an app it asks for one; an unknown one is reported", async ({ open }) => {
  const page = await open(demo("?appId=ghost"));
  await says(page, /unknown/);
  await page.getByLabel("App id").fill("demo-app");
  await page.getByRole("button", { name: "Open" }).click();
  await title(page, "Sign in or sign up");
});
