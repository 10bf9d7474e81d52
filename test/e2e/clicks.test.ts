import type { Locator, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { ADA, clipboard, copiedBy, openScreen, test, useHarness, wrongCode } from "./harness.ts";

const harness = useHarness();
const NOBODY = "00000000-0000-4000-8000-000000000000";

/** Opens a screen from Codes and presses one button. */
const twoPresses = async (
  page: Page,
  screen: readonly [place: string, tab?: string],
  button: (page: Page) => Locator,
): Promise<void> => {
  await openScreen(page, screen);
  await button(page).click();
};
const named = (name: string) => (page: Page) => page.getByRole("button", { name, exact: true }).first();

describe("two presses from Codes, or three to a tab", () => {
  test("create a user, shown first in the list and open", async ({ visit }) => {
    const page = await visit(harness.url("/codes?app=demo-app"));
    await twoPresses(page, ["Users"], (there) => there.getByRole("link", { name: "New user" }));
    await page.getByLabel("Name", { exact: true }).fill("Zoe");
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "Profile of Zoe" }).waitFor();
    await page.getByRole("row").nth(1).getByText("Zoe").waitFor();
  });

  test("sign in without a code, with the token ready to copy", async ({ visit }) => {
    const page = await visit(harness.url("/codes"));
    await twoPresses(page, ["Users"], named("More for Ada Lovelace"));
    await page.getByRole("menuitem", { name: "Sign in as Ada Lovelace" }).click();
    const copy = page.getByRole("alert").filter({ hasText: "Signed in as" }).getByText("Copy token");
    const token = await copiedBy(page, () => copy.click());
    expect((await harness.control("POST", "/sessions/introspect", { token })).json.active).toBe(true);
  });

  test("fail the next request", async ({ visit }) => {
    const page = await visit(harness.url("/codes"));
    await twoPresses(page, ["Simulate"], (there) => there.getByRole("button", { name: /^503 three times/ }));
    await page.getByText("3 left", { exact: true }).waitFor();
    expect((await harness.auth("POST", "/v1/users/session", { appId: "demo-app", user: { phone: ADA } })).status).toBe(
      503,
    );
  });

  test("reset to the fixtures", async ({ visit }) => {
    await harness.control("POST", "/profiles", { appId: "demo-app", name: "More" });
    await twoPresses(await visit(harness.url("/codes")), ["Setup", "Data"], named("Reset"));
    const found = async () => (await harness.control("GET", "/profiles?q=More&appId=demo-app")).json.total;
    await expect.poll(found).toBe(0);
  });

  test("copy the base URL for an Android emulator", async ({ visit }) => {
    const page = await visit(harness.url("/codes"));
    const url = `http://10.0.2.2:${new URL(harness.built.ready.authUrl).port}`;
    await twoPresses(page, ["Setup"], named(`Copy Base URL ${url}`));
    await expect.poll(() => clipboard(page)).toBe(url);
  });
});

/** @returns a function that presses, and how often it has. */
const counting = () => {
  const presses = { count: 0 };
  return {
    presses,
    press: async (what: Locator): Promise<void> => {
      presses.count++;
      await what.click();
    },
  };
};

describe("three presses at most from Codes", () => {
  const place = (page: Page, name: string) =>
    page.getByRole("navigation", { name: "Places" }).getByRole("link", { name });
  const adaNow = async () =>
    (await harness.control("GET", `/profiles?appId=demo-app&q=${encodeURIComponent(ADA)}`)).json.items[0];

  test("a 503 for the next request like one in the log, shown beside the old answer", async ({ visit }) => {
    const ask = () => harness.auth("POST", "/v1/users/session", { appId: "demo-app", user: { phone: ADA } });
    await ask();
    const page = await visit(harness.url("/codes?app=demo-app"));
    const { press, presses } = counting();
    await press(place(page, "Requests"));
    const menu = page.getByRole("button", { name: "More for POST /v1/users/session" });
    await press(menu);
    await press(page.getByRole("menuitem", { name: "Returns 503, the next POST" }));
    await page.getByText("1 fault on").waitFor();
    expect(presses.count).toBeLessThanOrEqual(3);
    const { items } = (await harness.control("GET", "/faults")).json;
    const match = { listener: "auth", method: "POST", path: "/v1/users/session", appId: "demo-app", to: ADA };
    expect(items).toMatchObject([{ match, effect: { status: 503 }, times: 1 }]);
    // Turned off where it was set.
    await menu.click();
    await page.getByRole("menuitem", { name: "Turn off: Returns 503" }).click();
    await page.getByText("1 fault on").waitFor({ state: "detached" });
    expect((await ask()).status).toBe(202);

    await page.getByRole("list", { name: "Requests" }).getByRole("link").last().click();
    await page.getByRole("button", { name: "Fail the next POST /v1/users/session" }).click();
    await page.getByRole("menuitem", { name: "Returns 503, the next POST" }).click();
    await page.getByRole("button", { name: "Turn off: Returns 503" }).waitFor();
    const others = { appId: "demo-app", user: { phone: "+12025550101" } };
    expect((await harness.auth("POST", "/v1/users/session", others)).status).toBe(202);
    expect((await ask()).status).toBe(503);
    await page.getByRole("heading", { name: "Failed since: 503" }).waitFor();
    await page.getByRole("heading", { name: "Response", exact: true }).waitFor();
    expect((await ask()).status).toBe(202);
  });

  test("another failure, or a form filled in from the request", async ({ visit }) => {
    const code = await harness.sendCode(ADA);
    const ask = (passcode: string) => harness.signIn(ADA, passcode);
    await ask(wrongCode(code));
    const page = await visit(harness.url("/codes?app=demo-app"));
    const { press, presses } = counting();
    await press(place(page, "Requests"));
    const other = page.getByRole("button", { name: "More for PUT /v1/users/session" });
    await press(other);
    expect(await page.getByRole("menuitem", { name: "Does not deliver the code" }).count()).toBe(0);
    await press(page.getByRole("menuitem", { name: "Rejects with “code expired”" }));
    await page.getByText("1 fault on").waitFor();
    expect(presses.count).toBeLessThanOrEqual(3);
    expect((await ask(code)).status).toBe(401);
    expect((await ask(code)).status).toBe(200);

    await other.first().click();
    await page.getByRole("menuitem", { name: "Custom fault" }).click();
    const form = page.getByRole("region", { name: "New fault" });
    expect(await form.getByLabel("Recipient").inputValue()).toBe(ADA);
    expect(await form.getByLabel("Path").inputValue()).toBe("/v1/users/session");
    await form.getByRole("button", { name: "Turn on" }).click();
    await page.getByRole("region", { name: "Fault: Returns 503" }).waitFor();
  });

  test("a 503 for the next request like a step of a login", async ({ visit }) => {
    await harness.sendCode(ADA);
    const page = await visit(harness.url("/codes?app=demo-app"));
    const { press, presses } = counting();
    await press(page.getByRole("button", { name: /Code sent by/ }));
    await press(page.getByRole("button", { name: "Fail the next POST /v1/users/session" }));
    await press(page.getByRole("menuitem", { name: "Returns 503, the next POST" }));
    await expect.poll(async () => (await harness.control("GET", "/faults")).json.total).toBe(1);
    expect(presses.count).toBeLessThanOrEqual(3);
  });

  test("change metadata in the detail", async ({ visit }) => {
    const page = await visit(harness.url("/codes?app=demo-app"));
    const { press, presses } = counting();
    await press(place(page, "Users"));
    await press(page.getByRole("row").filter({ hasText: "Ada Lovelace" }));
    await press(page.getByRole("link", { name: "Edit e" }));
    await page.getByRole("textbox", { name: "Metadata" }).fill('{ "plan": "gold" }');
    await press(page.getByRole("button", { name: "Save", exact: false }));
    await expect.poll(async () => (await adaNow()).metadata).toEqual({ plan: "gold" });
    expect(presses.count).toBeLessThanOrEqual(4);
    // Changes elsewhere are shown.
    const { userId } = await adaNow();
    await harness.control("PATCH", `/profiles/${userId}?appId=demo-app`, { metadata: { plan: "tin" } });
    await page.getByLabel("Metadata", { exact: true }).getByText('"tin"').waitFor();
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
] as const)("a link of %s to a deleted item says so", async ([screen, query], { visit }) => {
  const page = await visit(harness.url(`/${screen}/${NOBODY}${query}`));
  await page.getByRole("heading", { name: /not found$/ }).waitFor();
});
