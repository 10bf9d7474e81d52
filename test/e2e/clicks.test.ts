import type { Locator, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { ADA, clipboard, copiedBy, test, useHarness } from "./harness.ts";

const harness = useHarness();
const NOBODY = "00000000-0000-4000-8000-000000000000";

/** Opens a screen from the inbox and presses one button. */
const twoPresses = async (page: Page, screen: string, button: (page: Page) => Locator): Promise<void> => {
  await page.getByRole("navigation", { name: "Screens" }).getByRole("link", { name: screen, exact: true }).click();
  await button(page).click();
};
const named = (name: string) => (page: Page) => page.getByRole("button", { name, exact: true }).first();

describe("two presses from the inbox", () => {
  test("revoke a session", async ({ visit }) => {
    const { token } = await harness.signIn(ADA, await harness.sendCode(ADA));
    await twoPresses(await visit(harness.url("/inbox")), "Sessions", named("Revoke"));
    const isActive = async () => (await harness.control("POST", "/sessions/introspect", { token })).json.active;
    await expect.poll(isActive).toBe(false);
  });

  test("create a user, shown first in the list and open", async ({ visit }) => {
    const page = await visit(harness.url("/inbox?app=demo-app"));
    await twoPresses(page, "Profiles", named("Random profile"));
    await page.getByRole("region", { name: /^Profile of / }).waitFor();
    const { items } = (await harness.control("GET", "/profiles?appId=demo-app&sort=-createdAt&limit=1")).json;
    expect(items[0]).toMatchObject({ phone: expect.stringMatching(/^\+1/), email: expect.stringContaining("@") });
    await page.getByRole("row").nth(1).getByText(items[0].name).waitFor();
  });

  test("sign in without a code, with the token ready to copy", async ({ visit }) => {
    const page = await visit(harness.url("/inbox"));
    await twoPresses(page, "Profiles", named("Sign in"));
    const copy = page.getByRole("alert").filter({ hasText: "Signed in as" }).getByText("Copy token");
    const token = await copiedBy(page, () => copy.click());
    expect((await harness.control("POST", "/sessions/introspect", { token })).json.active).toBe(true);
  });

  test("fail the next request", async ({ visit }) => {
    const page = await visit(harness.url("/inbox"));
    await twoPresses(page, "Faults", (there) => there.getByRole("button", { name: /^503 three times/ }));
    await page.getByText("3 left", { exact: true }).waitFor();
    expect((await harness.auth("POST", "/v1/users/session", { appId: "demo-app", user: { phone: ADA } })).status).toBe(
      503,
    );
  });

  test("reset to the fixtures", async ({ visit }) => {
    await harness.control("POST", "/profiles", { appId: "demo-app", name: "More" });
    await twoPresses(await visit(harness.url("/inbox")), "Fixtures", named("Reset"));
    const found = async () => (await harness.control("GET", "/profiles?q=More&appId=demo-app")).json.total;
    await expect.poll(found).toBe(0);
  });

  test("copy the base URL for an Android emulator", async ({ visit }) => {
    const page = await visit(harness.url("/inbox"));
    const url = `http://10.0.2.2:${new URL(harness.built.ready.authUrl).port}`;
    await twoPresses(page, "Connect", named(`Copy Base URL ${url}`));
    await expect.poll(() => clipboard(page)).toBe(url);
  });
});

test.for([
  ["inbox", ""],
  ["sessions", ""],
  ["profiles", ""],
  ["connections", ""],
  ["requests", ""],
  ["apps", ""],
  ["faults", ""],
  ["fixtures", "?show=snapshots"],
] as const)("a link of %s to a deleted item says so", async ([screen, query], { visit }) => {
  const page = await visit(harness.url(`/${screen}/${NOBODY}${query}`));
  await page.getByRole("heading", { name: /is gone$/ }).waitFor();
});
