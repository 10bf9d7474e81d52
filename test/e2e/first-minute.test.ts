/** The first minute with one's own app: its failures are in the inbox, with what to do. */
import { describe, expect } from "vitest";
import { findings } from "./axe.ts";
import { ADA, test, useHarness } from "./harness.ts";

const harness = useHarness();
const send = (body: object, path = "/v1/users/session"): Promise<Response> =>
  fetch(`${harness.built.ready.authUrl}${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });

describe("the inbox shows the newest login of any ending", () => {
  test("an unknown app id is created in one click, like its request, and its own Connect follows", async ({
    visit,
  }) => {
    const page = await visit(harness.url("/codes"));
    const body = { application: "acme-ios", account: { phone: "+12025550188" } };
    expect((await send(body)).status).toBe(422);
    const band = page.getByRole("region", { name: "Newest login" });
    await band.getByText('No app "acme-ios"').waitFor();
    expect(await findings(page)).toEqual([]);
    await band.getByRole("button", { name: "Create acme-ios" }).click();
    await page.waitForURL(/\/setup\?.*app=acme-ios/);
    expect((await send(body)).status).toBe(200);
    await page.goto(harness.url("/codes"));
    await band.getByText("is new and signed up at once. Ask again for a code.").waitFor();
    await band.getByRole("button", { name: "Send a code" }).click();
    await page.getByRole("region", { name: /^Newest code \d{6}$/ }).waitFor();
    expect(await band.count()).toBe(0);
  });

  test("a wrong prefix says the right URL; a code that comes later takes its place", async ({ visit }) => {
    const page = await visit(harness.url("/codes"));
    await send({ appId: "demo-app", user: { phone: ADA } }, "/api/v1/users/session");
    const band = page.getByRole("region", { name: "Newest login" });
    await band.getByText("starts with /api, which does not belong there").waitFor();
    await harness.sendCode(ADA);
    await expect.poll(() => band.count()).toBe(0);
  });

  test("the palette creates it, too", async ({ visit }) => {
    const page = await visit(harness.url("/users/sessions"));
    await send({ appId: "acme-web", user: { email: "ada@example.com" } });
    await page.keyboard.press("Control+k");
    await page.keyboard.type("create");
    await page.getByRole("option", { name: /^Create acme-web/ }).click();
    await page.waitForURL(/\/setup\?.*app=acme-web/);
  });

  test("the rail is marked in a page that is opened later, once in a tab", async ({ visit }) => {
    await harness.sendCode(ADA);
    expect((await send({ appId: "acme-late", user: { phone: ADA } })).status).toBe(401);
    const page = await visit(harness.url("/users"));
    const inbox = page.getByRole("navigation", { name: "Places" }).getByRole("link", { name: /^Codes/ });
    await expect.poll(() => inbox.textContent()).toContain("a request failed");
    await inbox.click();
    await page.getByRole("region", { name: "Newest login" }).waitFor();
    await expect.poll(() => inbox.textContent()).not.toContain("a request failed");
    await page.goto(harness.url("/users"));
    await page.getByText("Ada Lovelace").first().waitFor();
    expect(await inbox.textContent()).not.toContain("a request failed");
  });

  test("elsewhere the rail is marked until the inbox is shown; the request has the button as well", async ({
    visit,
  }) => {
    const page = await visit(harness.url("/users"));
    const inbox = page.getByRole("navigation", { name: "Places" }).getByRole("link", { name: /^Codes/ });
    let nth = 0;
    // At most one a second is told.
    const marked = async (): Promise<string | null> => {
      await send({ appId: `acme-${++nth}`, user: { email: "ada@example.com" } });
      return await inbox.textContent();
    };
    await expect.poll(marked).toContain("a request failed");
    await inbox.click();
    await page.getByRole("region", { name: "Newest login" }).getByRole("link", { name: "Show request" }).click();
    await page.getByRole("button", { name: `Create acme-${nth}` }).waitFor();
    expect(await inbox.textContent()).not.toContain("a request failed");
  });
});
