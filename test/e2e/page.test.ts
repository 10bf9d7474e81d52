import { describe, expect } from "vitest";
import { ADA, GRACE, test, useHarness } from "./harness.ts";

const harness = useHarness();

describe("the page", () => {
  test("has a content security policy that allows only its own files, with a new nonce each time", async () => {
    const policies = await Promise.all(
      ["/", "/inbox", "/sessions/some-id"].map(async (path) => {
        const answer = await fetch(harness.url(path));
        const policy = answer.headers.get("content-security-policy") ?? "";
        const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? "missing";
        const html = await answer.text();
        expect(html).toContain(nonce);
        expect(html).not.toContain("__CSP_NONCE__");
        return policy;
      }),
    );
    expect(new Set(policies).size).toBe(3);
    for (const policy of policies) {
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toContain("unsafe");
    }
  });

  test("begins without zod and the schemas of the contract, which only some screens need", async () => {
    const html = await (await fetch(harness.url("/"))).text();
    const scripts = [...html.matchAll(/\/assets\/[\w.-]+\.js/g)].map(([path]) => path);
    const texts = await Promise.all(scripts.map(async (path) => await (await fetch(harness.url(path))).text()));
    expect(texts.length).toBeGreaterThan(1);
    expect(texts.filter((text) => text.includes("ZodError"))).toEqual([]);
  });

  test("fills the window exactly, including the live region", async ({ visit }) => {
    const page = await visit(harness.url("/codes"));
    await page.getByText("Running", { exact: true }).waitFor();
    await harness.sendCode(ADA);
    await expect.poll(() => page.locator("[aria-live=polite]").textContent()).toContain("New code");
    const footer = await page.getByRole("contentinfo").boundingBox();
    expect((footer?.y ?? 0) + (footer?.height ?? 0)).toBe(page.viewportSize()?.height);
    expect(await page.locator("[aria-live=polite]").boundingBox()).toMatchObject({ width: 1, height: 1 });
  });

  test("marks data that is only in memory", async ({ visit }) => {
    const page = await visit(harness.url("/codes"));
    await page.getByText("Data only in memory").waitFor();
  });

  test("fits a phone: the newest code above the list, a login over it, the places below", async ({ visit }) => {
    await harness.sendCode(GRACE);
    const code = await harness.sendCode(ADA);
    const page = await visit(harness.url("/codes?app=demo-app"));
    await page.setViewportSize({ width: 320, height: 640 });
    const list = page.getByRole("list", { name: "Logins" });
    expect((await list.boundingBox())?.y).toBeGreaterThan((await page.getByTestId("code").boundingBox())?.y ?? 0);
    await list.getByRole("link", { name: "Grace Hopper" }).click();
    const detail = page.getByRole("region", { name: "Login of Grace Hopper" });
    await detail.getByText("Code sent by SMS").waitFor();
    await detail.getByRole("link", { name: "← Codes" }).click();
    await page.getByTestId("code").getByText(code.slice(0, 3)).waitFor();
    await page.getByRole("navigation", { name: "Places" }).getByRole("link", { name: "Setup" }).click();
    await page.getByRole("heading", { name: "Connect", exact: true }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
  });

  test("switches the app by keyboard", async ({ visit }) => {
    const page = await visit(harness.url("/codes"));
    await page.getByRole("button", { name: "App: All apps" }).press("Enter");
    await page.getByRole("menuitemradio", { name: "All apps" }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect.poll(() => new URL(page.url()).search).toMatch(/^\?app=demo-(app|mail)$/);
    const switcher = page.getByRole("button", { name: /^App: Demo/ });
    await expect.poll(() => switcher.evaluate((button) => button === document.activeElement)).toBe(true);
  });

  test("loads at most 200 kB of HTML, script and style, compressed", async ({ visit }) => {
    const page = await visit(harness.url("/codes"));
    const sizes = await page.evaluate(() => {
      const loaded = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
        .filter((entry) => entry instanceof PerformanceResourceTiming)
        .filter(({ name }) => !/\.woff2$|\/emulator\//.test(name));
      // What the palette needs is loaded a second later.
      const later = loaded.find(({ name }) => name.includes("palette-options"))?.startTime ?? Number.POSITIVE_INFINITY;
      return loaded.filter(({ startTime }) => startTime < later).map(({ encodedBodySize }) => encodedBodySize);
    });
    expect(sizes.length).toBeGreaterThan(3);
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(200_000);
  });
});
