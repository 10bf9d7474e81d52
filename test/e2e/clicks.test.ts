import type { Locator, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { ADA, test, useHarness, wrongCode } from "./harness.ts";

const harness = useHarness();
const NOBODY = "00000000-0000-4000-8000-000000000000";

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
