import { describe, expect } from "vitest";
import { findings } from "./axe.ts";
import { ADA, copiedBy, GRACE, hold, rowWith, test, useHarness } from "./harness.ts";

const KATHERINE = "+12025550105";

const harness = useHarness();

const isActive = async (token: string): Promise<boolean> =>
  (await harness.control("POST", "/sessions/introspect", { token })).json.active;

describe("sessions", () => {
  test("explain how the first one is created", async ({ visit }) => {
    const page = await visit(harness.url("/users/sessions"));
    await page.getByRole("heading", { name: "No sessions yet" }).waitFor();
    await page.getByText("Sessions appear here when users sign up or sign in").waitFor();
  });

  test("appear live; revoking one invalidates its token at once, and can be undone", async ({ visit }) => {
    const page = await visit(harness.url("/users/sessions"));
    const { token } = await harness.signIn(ADA, await harness.sendCode(ADA));
    const row = rowWith(page, "Ada Lovelace");
    await row.getByText(/2[34] h .* left/).waitFor();
    await row.getByText("Node.js").waitFor();
    await row.getByRole("link").click();
    await page.getByRole("button", { name: "Revoke r", exact: true }).click();
    await row.getByText("Revoked", { exact: true }).waitFor();
    expect(await isActive(token)).toBe(false);
    await page.getByRole("button", { name: /^Undo/ }).click();
    await expect.poll(() => isActive(token)).toBe(true);
    await row.getByText(/2[34] h .* left/).waitFor();
    // From its row, without opening it.
    await row.getByRole("button", { name: "Revoke the session of Ada Lovelace" }).click();
    await row.getByText("Revoked", { exact: true }).waitFor();
    await page.getByText("Session revoked · Ada Lovelace.").waitFor();
  });

  test("of a user are all revoked, also those that no list has loaded", async ({ visit }) => {
    const userId = "3f0c2f4e-8a51-4a86-9d0e-2b7f7d1c0a01";
    const { token } = await harness.signIn(ADA, await harness.sendCode(ADA));
    // The newest 100 have expired by time; the oldest is active.
    for (let i = 0; i < 100; i++)
      await harness.control("POST", "/sessions", { appId: "demo-app", userId, ttlSeconds: 60 });
    await harness.control("POST", "/clock/advance", { seconds: 120 });
    const page = await visit(harness.url("/users?app=demo-app"));
    await page.getByRole("button", { name: "More for Ada Lovelace" }).click();
    await page.getByRole("menuitem", { name: "Revoke sessions of Ada Lovelace" }).click();
    await expect.poll(() => isActive(token)).toBe(false);
    await page.getByRole("region", { name: "Last change" }).getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => isActive(token)).toBe(true);
    await page.getByRole("row").filter({ hasText: "Ada Lovelace" }).click();
    await page.getByRole("button", { name: "More actions for Ada Lovelace" }).click();
    await page.getByRole("menuitem", { name: "Revoke sessions of Ada Lovelace" }).click();
    await expect.poll(() => isActive(token)).toBe(false);
  });

  test("revoked by keyboard leave the focus on the next row, and nothing moves", async ({ visit }) => {
    for (const phone of [ADA, GRACE]) await harness.signIn(phone, await harness.sendCode(phone));
    const page = await visit(harness.url("/users/sessions"));
    const box = () => rowWith(page, "Ada Lovelace").boundingBox();
    const before = await box();
    await page.keyboard.press("j");
    await page.keyboard.press("Tab");
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label")))
      .toBe("Revoke the session of Grace Hopper");
    await page.keyboard.press("Enter");
    await rowWith(page, "Grace Hopper").getByText("Revoked", { exact: true }).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Ada Lovelace");
    expect(await box()).toEqual(before);
  });

  test("copy their token, and can be expired", async ({ visit }) => {
    const { token } = await harness.signIn(GRACE, await harness.sendCode(GRACE));
    const page = await visit(harness.url("/users/sessions"));
    await rowWith(page, "Grace Hopper").getByRole("link").click();
    const copied = await copiedBy(page, () => page.getByRole("button", { name: "Copy token c" }).click());
    const header = await copiedBy(page, () => page.getByRole("button", { name: "Copy header" }).click());
    expect(header).toBe(`Authorization: Bearer ${copied}`);
    // The same claims; ES256 signatures are random.
    expect(copied.split(".").slice(0, 2)).toEqual(token.split(".").slice(0, 2));
    expect(await isActive(copied)).toBe(true);
    await page.getByRole("button", { name: "Expire e" }).click();
    await rowWith(page, "Grace Hopper").getByText("Expired", { exact: true }).waitFor();
    expect(await isActive(token)).toBe(false);
    await page.keyboard.press("u");
    await expect.poll(() => isActive(token)).toBe(true);
  });

  test("decode their token and say whether it is active, and why not", async ({ visit }) => {
    const { token } = await harness.signIn(KATHERINE, await harness.sendCode(KATHERINE));
    const page = await visit(harness.url("/users/sessions"));
    await rowWith(page, "Katherine Johnson").getByRole("link").click();
    const detail = page.getByRole("region", { name: "Session of Katherine Johnson" });
    await detail.getByText("Active: valid signature, not expired or revoked").waitFor();
    await detail.getByText("Claims", { exact: true }).first().click();
    const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    await detail.getByText(claims.jti, { exact: true }).last().waitFor();
    await detail.getByText(claims.iss, { exact: true }).waitFor();
    await detail.getByText(String(claims.exp)).waitFor();
    await detail.getByText(/, in 23 h 59 min/).waitFor();
    await detail.getByText("ES256", { exact: true }).waitFor();
    // In words, with the original on hover.
    expect(await detail.getByText("Node.js", { exact: true }).getAttribute("title")).toBe("node");
    await page.keyboard.press("r");
    await detail.getByText("Not active: revoked").waitFor();
  });

  test("link to the profile and to their first request", async ({ visit }) => {
    await harness.signIn(ADA, await harness.sendCode(ADA));
    const page = await visit(harness.url("/users/sessions?show=active"));
    await rowWith(page, "Ada Lovelace").first().getByRole("link").click();
    const { items } = (await harness.control("GET", "/sessions?state=active&appId=demo-app")).json;
    const href = (name: string) => page.getByRole("link", { name }).getAttribute("href");
    expect(await href("View profile")).toBe(`/users/${items[0].userId}?app=demo-app`);
    expect(await href("View request")).toBe(`/requests/${items[0].requestId}?app=demo-app`);
  });

  test("can be created without a passcode, and all of a user's revoked at once, by keyboard", async ({ visit }) => {
    const page = await visit(harness.url("/users/sessions?app=demo-mail"));
    const make = async (): Promise<void> => {
      await page.getByRole("button", { name: "New session" }).press("Enter");
      const dialog = page.getByRole("dialog", { name: "Sign in without a code" });
      await dialog.getByLabel("Find a user").fill("Anning");
      await dialog.getByRole("listitem").filter({ hasText: "Mary Anning" }).waitFor();
      await expect.poll(() => dialog.getByRole("listitem").count()).toBe(1);
      await dialog.getByLabel("Find a user").press("Enter");
      await dialog.waitFor({ state: "hidden" });
      await page.getByRole("region", { name: "Session of Mary Anning" }).waitFor();
    };
    await make();
    await make();
    const active = async (): Promise<number> =>
      (await harness.control("GET", "/sessions?appId=demo-mail&state=active")).json.total;
    await expect.poll(active).toBe(2);
    await page.getByRole("button", { name: "More for this session" }).press("Enter");
    await page.getByRole("menuitem", { name: "Revoke all 2 of this user" }).press("Enter");
    await page.getByText("Not active: revoked").waitFor();
    await expect.poll(active).toBe(0);
    await page.keyboard.press("u");
    await expect.poll(active).toBe(2);
  });

  test("have a dialog without axe findings", async ({ visit }) => {
    const page = await visit(harness.url("/users/sessions?app=demo-mail"));
    await page.getByRole("button", { name: "New session" }).click();
    const dialog = page.getByRole("dialog", { name: "Sign in without a code" });
    await dialog.getByRole("listitem").first().waitFor();
    expect(await findings(page)).toEqual([]);
  });

  test("show the server’s words when a token cannot be loaded", async ({ visit }) => {
    await harness.signIn(GRACE, await harness.sendCode(GRACE));
    const page = await visit(harness.url("/codes"));
    await page.route("**/sessions/*/token", (route) =>
      route.fulfill({ status: 404, json: { message: "Not Found", instruction: "There is no such session." } }),
    );
    await page.getByRole("link", { name: "Users" }).click();
    await page.getByRole("link", { name: "Sessions", exact: true }).click();
    await rowWith(page, "Grace Hopper").first().getByRole("link").click();
    await page.getByRole("alert").getByText("Not Found. There is no such session.").waitFor();
    expect(await page.getByRole("button", { name: "Copy token" }).isDisabled()).toBe(true);
  });

  test("show the start of the user's id until the name is loaded", async ({ visit }) => {
    const appId = "demo-app";
    const user = { appId, name: "Slow Reader", phone: "+12025550177" };
    const { userId } = (await harness.control("POST", "/profiles", user)).json;
    await harness.control("POST", "/sessions", { appId, userId });
    const page = await visit(harness.url("/setup"));
    const release = await hold(page, `**/emulator/v1/profiles/${userId}?*`);
    await page.getByRole("link", { name: "Users" }).click();
    await page.getByRole("link", { name: "Sessions", exact: true }).click();
    await rowWith(page, `${userId.slice(0, 8)}…`).waitFor();
    release();
    await rowWith(page, "Slow Reader").waitFor();
  });
});
