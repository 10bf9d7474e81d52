/** Setup › Keys: the keys that sign tokens, rotated and retired. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exportPKCS8, generateKeyPair } from "jose";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { findings } from "#test/e2e/axe.ts";
import { ADA, clipboard, confirm, GRACE, openScreen, test, testApart, useHarness } from "#test/e2e/harness.ts";

const rows = (page: Page) => page.getByRole("list", { name: "Signing keys" }).getByRole("listitem");

describe("keys", () => {
  // Keys outlive a reset, so not the server of the other tests.
  const harness = useHarness(() => ["--ephemeral"]);
  const kids = async (): Promise<string[]> =>
    (await harness.control("GET", "/signing-keys")).json.items.map(({ kid }: { kid: string }) => kid);
  const isActive = async (token: string): Promise<boolean> =>
    (await harness.control("POST", "/sessions/introspect", { token })).json.active;

  test("are listed live, rotated and retired, by keyboard", async ({ visit }) => {
    const page = await visit(harness.url("/setup"));
    await openScreen(page, ["Setup", "Keys"], (link) => link.press("Enter"));
    const [first = ""] = await kids();
    await rows(page).filter({ hasText: first }).getByText("Current").waitFor();
    const { token } = await harness.signIn(ADA, await harness.sendCode(ADA));
    await rows(page).filter({ hasText: first }).getByText("1 token").waitFor();

    await page.getByRole("button", { name: "Rotate…" }).press("Enter");
    const choice = page.getByRole("menuitem", { name: /^ES256 Used by 2 apps/ });
    await choice.waitFor();
    await page.getByRole("menuitem", { name: /^RS256 No app uses it now/ }).waitFor();
    expect(await findings(page)).toEqual([]);
    await choice.press("Enter");
    await expect.poll(() => rows(page).count()).toBe(2);
    const previous = rows(page).filter({ hasText: first });
    await previous.getByText("Previous").waitFor();
    expect(await rows(page).first().textContent()).toContain("Current");
    expect(await isActive(token)).toBe(true);

    // Somebody else rotates and signs in.
    await harness.control("POST", "/signing-keys/rotate", { algorithm: "EdDSA" });
    await expect.poll(() => rows(page).count()).toBe(3);
    await rows(page).first().getByText("EdDSA").waitFor();
    await harness.signIn(GRACE, await harness.sendCode(GRACE));
    await expect.poll(() => rows(page).getByText("1 token").count()).toBe(2);

    const choose = async (name: string): Promise<void> => {
      await previous.getByRole("button", { name: `More for key ${first}` }).press("Enter");
      await page.getByRole("menuitem", { name }).press("Enter");
    };
    await choose("Copy key id");
    await expect.poll(() => clipboard(page)).toBe(first);
    await choose("Retire…");
    await page.getByText("Tokens of active sessions that become invalid: 1.").waitFor();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press("Escape");
    expect(await isActive(token)).toBe(true);
    await choose("Retire…");
    await confirm(page, "Retire");
    await expect.poll(kids).toHaveLength(2);
    await expect.poll(() => rows(page).count()).toBe(2);
    expect(await isActive(token)).toBe(false);
  });

  test("a pasted token is checked beside them", async ({ visit }) => {
    const { token } = await harness.signIn(ADA, await harness.sendCode(ADA));
    const page = await visit(harness.url("/setup/keys"));
    const field = page.getByRole("textbox", { name: "Token" });
    await field.fill("no token");
    await page.getByText("This is not a token.").waitFor();
    await field.fill(`Authorization: Bearer ${token}`);
    await page.getByText("Valid: the session is active").waitFor();
    await page.getByText("Ada Lovelace").waitFor();
    expect(await findings(page)).toEqual([]);
  });

  testApart("are counted again as time goes, because sessions expire without an event", async ({ visit }) => {
    const page = await visit(harness.url("/setup/keys"));
    await page.clock.install();
    await page.reload();
    await rows(page).first().waitFor();
    const counted = page.waitForRequest((request) => request.url().endsWith("/signing-keys"));
    await page.clock.runFor(15_000);
    await counted;
  });

  test("fit a narrow window, and are in the palette", async ({ visit }) => {
    await harness.control("POST", "/signing-keys/rotate", { algorithm: "ES256" });
    const page = await visit(harness.url("/codes"), "light");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("Signing keys");
    await page.keyboard.press("Enter");
    await rows(page).first().waitFor();
    for (const size of [
      { width: 1280, height: 800 },
      { width: 900, height: 600 },
      { width: 390, height: 844 },
      { width: 320, height: 640 },
    ]) {
      await page.setViewportSize(size);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(
        0,
      );
      for (const control of [
        page.getByRole("button", { name: "Rotate…" }),
        page.getByRole("button", { name: /^More for key/ }),
      ]) {
        const box = await control.first().boundingBox();
        expect(box && box.x >= 0 && box.x + box.width <= size.width, JSON.stringify([size, box])).toBe(true);
      }
    }
  });
});

describe("a key of one's own", () => {
  let dir = "";
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), "stagedoor-own-key-"));
    const { privateKey } = await generateKeyPair("RS256", { extractable: true });
    writeFileSync(join(dir, "key.pem"), await exportPKCS8(privateKey));
  });
  afterAll(() => rmSync(dir, { recursive: true, force: true }));
  const harness = useHarness(() => ["--ephemeral", "--signing-key", join(dir, "key.pem")]);

  test("cannot be changed, and the page says why", async ({ visit }) => {
    const page = await visit(harness.url("/setup/keys"));
    await page.getByText("Stagedoor signs with your own key (--signing-key)").waitFor();
    await rows(page).filter({ hasText: "RS256" }).getByText("unknown age").waitFor();
    expect(await page.getByRole("button", { name: "Rotate…" }).count()).toBe(0);
    expect(await findings(page)).toEqual([]);
  });
});
