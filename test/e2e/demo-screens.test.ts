/** The demo app and the hello page: words, accessibility in both themes, and size. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { faultsOnPhone as faultsOf } from "./axe.ts";
import { GRACE, test, useHarness } from "./harness.ts";

const harness = useHarness();
const auth = (path: string): string => harness.built.ready.authUrl + path;
const appWith = async (settings: object = {}): Promise<string> => {
  const { appId } = (await harness.control("POST", "/apps", { name: "Front Row", settings })).json;
  await harness.control("POST", "/profiles", { appId, phone: GRACE, name: "Grace Hopper" });
  return appId;
};
const title = (page: Page): Promise<string | null> => page.getByRole("heading", { level: 1 }).textContent();

test("the screens around a login are accessible, and fit 320 px", async ({ open }) => {
  const page = await open(auth("/emulator/demo/?appId=ghost"));
  await page.getByText("This app id is unknown.").waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await page.route("**/emulator/app?**", (route) => route.abort());
  await page.getByRole("button", { name: "Open" }).click();
  await page.getByText("No connection. Check").waitFor();
  expect(await faultsOf(page)).toEqual([]);
  const limits = { otpPerMinute: 1 };
  await page.goto(auth(`/emulator/demo/?appId=${await appWith({ limits, passcode: { length: 10 } })}`));
  for (const _ of [1, 2]) {
    await page.getByLabel("Phone number").fill(GRACE);
    await page.getByRole("button", { name: "Continue" }).click();
    const change = page.getByRole("button", { name: "Change details" });
    const refused = page
      .getByRole("alert")
      .filter({ hasText: /^Too many requests. Try again in (1 minute|\d+ seconds)/ });
    await change.or(refused).first().waitFor();
    expect(await faultsOf(page)).toEqual([]);
    if (await change.isVisible()) await change.click();
    else return;
  }
  expect.fail("a second code was sent within a minute");
});

test("texts of one's own are shown as text", async ({ open }) => {
  const appId = await appWith({ brand: { texts: { signInTitle: "<img src=x> Bienvenue", code: "Votre code" } } });
  const page = await open(auth(`/emulator/demo/?appId=${appId}`));
  expect(await title(page)).toBe("<img src=x> Bienvenue");
  expect(await page.locator("main img").count()).toBe(0);
});

test("a page loads each of its files once, and nothing else", async ({ open }) => {
  const appId = await appWith();
  const page = await open(auth("/livez"));
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(auth(`/emulator/demo/?appId=${appId}`));
  await page.getByRole("heading", { name: "Sign in or sign up" }).waitFor();
  await page.evaluate("document.fonts.ready.then(() => undefined)");
  expect(asked.sort()).toEqual(["", "demo.css", "demo.js", "demo.woff2"].map((name) => `/emulator/demo/${name}`));
  expect(await page.evaluate(() => document.fonts.check('600 17px "Inter Variable"'))).toBe(true);
});

/** @returns the typefaces that an element is drawn with; "system" for any that is not ours. */
const typefacesOf = async (page: Page, text: string): Promise<string[]> => {
  await page
    .getByText(text)
    .last()
    .evaluate((element) => element.setAttribute("data-measured", ""));
  await page.evaluate("document.fonts.ready.then(() => undefined)");
  const devices = await page.context().newCDPSession(page);
  const { root } = await devices.send("DOM.getDocument");
  const { nodeId } = await devices.send("DOM.querySelector", { nodeId: root.nodeId, selector: "[data-measured]" });
  await devices.send("CSS.enable");
  const { fonts } = await devices.send("CSS.getPlatformFontsForNode", { nodeId });
  return [...new Set(fonts.map(({ familyName, isCustomFont }) => (isCustomFont ? familyName : "system")))];
};

test("names in Latin script are in Inter to the last letter, on the phone and in the console", async ({ open }) => {
  const name = "Zoë Ōtsuka-Fernández Łukasz Șerban Ağaoğlu Đorđe Žižka";
  const appId = await appWith({ brand: { name } });
  expect(await typefacesOf(await open(auth(`/emulator/demo/?appId=${appId}`)), name)).toEqual(["Inter"]);
  const { userId } = (await harness.control("POST", "/profiles", { appId, phone: "+12025550177", name })).json;
  const page = await open(harness.url(`/users/${userId}?app=${appId}`));
  expect(await typefacesOf(page, name)).toEqual(["Inter"]);
});
