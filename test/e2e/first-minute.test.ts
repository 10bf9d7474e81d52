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
    const body = { application: "acme-ios", account: { phone: "+12025550188" } };
    expect((await send(body)).status).toBe(422);
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

  test("marks the rail in a page that is opened later, once in a tab", async ({ visit }) => {
    await harness.sendCode(ADA);
    expect((await send({ appId: "acme-late", user: { phone: ADA } })).status).toBe(401);
    const page = await visit(harness.url("/users"));
    await expect.poll(() => rail(page).textContent()).toContain("a request failed");
    await rail(page).click();
    await expect.poll(() => rail(page).textContent()).not.toContain("a request failed");
    await page.goto(harness.url("/users"));
    await page.getByText("Ada Lovelace").first().waitFor();
    expect(await rail(page).textContent()).not.toContain("a request failed");
  });
});
