/** Sessions: wrong tokens to copy, and a test of the developer's own backend. */
import { describe, expect } from "vitest";
import { DEFECT_NAMES, DEFECTS } from "#contract/service/token-defects.ts";
import { findings } from "#test/e2e/axe.ts";
import { ADA, copiedBy, rowWith, test, useHarness } from "#test/e2e/harness.ts";
import { keysOf, keysOnce, listenWith, plainly, verifier } from "#test/http/tokens/backends.ts";

const harness = useHarness();

describe("a user's session", () => {
  test("offers every wrong token to copy, with its defect", async ({ visit }) => {
    await harness.signIn(ADA, await harness.sendCode(ADA));
    const page = await visit(harness.url("/users/sessions"));
    await rowWith(page, "Ada Lovelace").getByRole("link").click();
    const open = () => page.getByRole("button", { name: "Copy an invalid token…" }).click();
    await open();
    await page.getByRole("menuitem").first().waitFor();
    expect(await page.getByRole("menuitem").count()).toBe(DEFECT_NAMES.length);
    expect(await findings(page)).toEqual([]);
    const choose = (name: string) => page.getByRole("menuitem", { name: `${name} ` }).click();
    const expired = await copiedBy(page, () => choose("expired"));
    const introspect = async (token: string) => (await harness.control("POST", "/sessions/introspect", { token })).json;
    expect(await introspect(expired)).toEqual({ active: false, reason: "expired" });
    await open();
    const unsigned = await copiedBy(page, () => choose("algNone"));
    expect(await introspect(unsigned)).toEqual({ active: false, reason: "algorithm_none" });
  });

  test("tests a backend, and shows the verdict as a table", async ({ visit }) => {
    await harness.signIn(ADA, await harness.sendCode(ADA));
    const { authUrl } = harness.built.ready;
    const careless = await listenWith(plainly(verifier(authUrl, { issuer: authUrl })));
    const page = await visit(harness.url("/users/sessions"));
    await rowWith(page, "Ada Lovelace").getByRole("link").click();
    await page.getByRole("button", { name: "More for this session" }).click();
    await page.getByRole("menuitem", { name: "Test my backend" }).click();
    const dialog = page.getByRole("dialog", { name: "Test my backend" });
    await dialog.getByRole("textbox", { name: "URL" }).fill("http://8.8.8.8/");
    await dialog.getByRole("button", { name: "Run test" }).click();
    await dialog.getByText(/neither loopback nor private/).waitFor();
    await dialog.getByRole("textbox", { name: "URL" }).fill(careless.url);
    await dialog.getByRole("button", { name: "Run test" }).click();
    await dialog.getByText("The backend accepts 2 tokens that it must refuse.").waitFor();
    const row = (name: string) => dialog.getByRole("row").filter({ hasText: name });
    expect(await row("wrongAudience").textContent()).toMatch(/200Accepted/);
    expect(await row("algNone").textContent()).toMatch(/401Refused/);
    await row("tampered").getByText(DEFECTS.tampered.why).waitFor();
    expect(await findings(page)).toEqual([]);
    expect(careless.seen).toHaveLength(17);
  });

  test("tests a backend with a key that is new, and then retired", async ({ visit }) => {
    await harness.signIn(ADA, await harness.sendCode(ADA));
    const { authUrl, adminUrl } = harness.built.ready;
    const options = { issuer: authUrl, audience: adminUrl };
    const careful = await listenWith(plainly(verifier(authUrl, options, keysOf(authUrl, { cooldownDuration: 0 }))));
    const page = await visit(harness.url("/users/sessions"));
    await rowWith(page, "Ada Lovelace").getByRole("link").click();
    await page.getByRole("button", { name: "More for this session" }).click();
    await page.getByRole("menuitem", { name: "Test my backend" }).click();
    const dialog = page.getByRole("dialog", { name: "Test my backend" });
    await dialog.getByRole("switch", { name: "Rotate the key as well" }).press("Space");
    await dialog.getByRole("textbox", { name: "URL" }).fill(careful.url);
    await dialog.getByRole("button", { name: "Run test" }).click();
    await dialog.getByText("The backend accepts the valid token and refuses the invalid ones.").waitFor();
    const row = (name: string) => dialog.getByRole("row").filter({ hasText: name });
    expect(await row("newKey").textContent()).toMatch(/It must be accepted\.200Accepted/);
    expect(await row("retiredKey").textContent()).toMatch(/Most libraries accept it\.200Accepted/);
    const once = await listenWith(plainly(verifier(authUrl, options, await keysOnce(authUrl, "start"))));
    // The wait is the server's.
    await page.route("**/token-check", (route) =>
      route.continue({ postData: { ...route.request().postDataJSON(), cooldownSeconds: 0 } }),
    );
    await dialog.getByRole("textbox", { name: "URL" }).fill(once.url);
    await dialog.getByRole("button", { name: "Run test" }).click();
    await dialog.getByText(/does not accept a token of a new key/).waitFor();
    expect(await row("newKey").textContent()).toMatch(/401Refused/);
    expect(await findings(page)).toEqual([]);
  });
});
