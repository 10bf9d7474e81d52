/** The first minute with one's own app: its failures are in Codes, with what to do. */
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { findings } from "./axe.ts";
import { ADA, test, useHarness } from "./harness.ts";

const harness = useHarness();
const send = (body: object): Promise<Response> =>
  fetch(`${harness.built.ready.authUrl}/v1/users/session`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
const login = (page: Page) => page.getByRole("region", { name: /^Login of/ });
const rail = (page: Page) => page.getByRole("navigation", { name: "Places" }).getByRole("link", { name: /^Codes/ });

describe("a request that failed", () => {
  test("with an unknown app id: the app is created in one click, like its request, and its own Connect follows", async ({
    visit,
  }) => {
    const page = await visit(harness.url("/codes"));
    const body = { appId: "acme-ios", user: { phone: "+12025550188" } };
    expect((await send(body)).status).toBe(401);
    await login(page).getByText("There is no app acme-ios.").waitFor();
    expect(await findings(page)).toEqual([]);
    await login(page).getByRole("button", { name: "Create acme-ios" }).click();
    await page.waitForURL(/\/setup\?.*app=acme-ios/);
    expect((await send(body)).status).toBe(200);
    await page.goto(harness.url("/codes"));
    await login(page).getByText("New here: signed up without a code.").waitFor();
    await login(page).getByRole("button", { name: "New code" }).click();
    await page.getByTestId("code").waitFor();
  });

  test("offers its app in the palette, too", async ({ visit }) => {
    const page = await visit(harness.url("/users/sessions"));
    await send({ appId: "acme-web", user: { email: "ada@example.com" } });
    await page.keyboard.press("Control+k");
    await page.keyboard.type("create");
    await page.getByRole("option", { name: /^Create acme-web/ }).click();
    await page.waitForURL(/\/setup\?.*app=acme-web/);
  });

  test("marks the rail elsewhere, until Codes is shown", async ({ visit }) => {
    const page = await visit(harness.url("/users"));
    let nth = 0;
    // At most one a second is told.
    const marked = async (): Promise<string | null> => {
      await send({ appId: `acme-${++nth}`, user: { phone: ADA } });
      return await rail(page).textContent();
    };
    await expect.poll(marked).toContain("a request failed");
    await rail(page).click();
    await expect.poll(() => rail(page).textContent()).not.toContain("a request failed");
  });
});
