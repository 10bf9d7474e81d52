/** The demo app on phones as small as there are: touch, and the browsers' names. */
import { devices } from "playwright-core";
import { expect } from "vitest";
import { NO_BROWSER } from "#test/support/browser.ts";
import { ADA, test, useHarness, wrongCode } from "./harness.ts";

const harness = useHarness();

test.for(["iPhone SE", "Pixel 5"])("a login on an %s that is 320 px wide", async (name, { browser, skip }) => {
  const phone = { ...devices[name], viewport: { width: 320, height: 568 } };
  const context = await (browser ?? skip(NO_BROWSER)).newContext(phone);
  const page = await context.newPage();
  try {
    await page.goto(`${harness.built.ready.authUrl}/emulator/demo/?appId=demo-app`);
    await page.getByLabel("Phone number").fill("+1 202-555-0100");
    await page.getByRole("button", { name: "Continue" }).tap();
    const field = page.getByLabel("Code", { exact: true });
    await field.waitFor();
    const { json } = await harness.control("GET", `/passcodes/latest?to=${encodeURIComponent(ADA)}&wait=30000`);
    const boxes = page.locator(".cells");
    await field.pressSequentially(wrongCode(json.code));
    await page.getByText(/^Wrong code/).waitFor();
    // What was typed moved none of the boxes.
    expect(await boxes.evaluate(({ scrollLeft }) => scrollLeft)).toBe(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    // The whole message, as it is copied.
    await page.evaluate((text) => document.execCommand("insertText", false, text), json.message);
    await page.getByRole("heading", { name: "Signed in" }).waitFor();
    await page.getByRole("button", { name: "Sign out" }).tap();
    await page.getByRole("heading", { name: "Sign in or sign up" }).waitFor();
    await expect.poll(() => page.getByRole("status").textContent()).toBe("Signed out.");
  } finally {
    await context.close();
  }
});
