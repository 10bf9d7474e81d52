import { describe, expect } from "vitest";
import { ADA, rowWith, test, useHarness, wrongCode } from "./harness.ts";

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

  test("complies with its policy on every screen, in menus and dialogs, dark and light", async ({ visit, faults }) => {
    await harness.sendCode(ADA);
    const page = await visit(harness.url("/"));
    await rowWith(page, "Ada Lovelace").getByRole("link").click();
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByText("Light", { exact: true }).click();
    await expect.poll(() => page.locator("html").getAttribute("data-mantine-color-scheme")).toBe("light");
    await page.getByRole("button", { name: /^App: / }).click();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Send code" }).click();
    await page.getByRole("dialog").getByText("Grace Hopper").click();
    await rowWith(page, "Grace Hopper").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Users", exact: true }).click();
    for (const screen of ["Sessions", "Connections"]) {
      await page.getByRole("link", { name: screen, exact: true }).click();
      await page.getByRole("heading", { name: screen, exact: true }).waitFor();
    }
    await page.reload();
    // The choice is remembered.
    await expect.poll(() => page.locator("html").getAttribute("data-mantine-color-scheme")).toBe("light");
    expect(faults).toEqual([]);
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

  test("fits a narrow window: the code scrolls with the list, the rail is a menu", async ({ visit }) => {
    const code = await harness.sendCode(ADA);
    const page = await visit(harness.url("/codes"));
    await page.setViewportSize({ width: 600, height: 400 });
    const hero = page.getByTestId("hero");
    await hero.waitFor();
    await page.mouse.move(300, 250);
    // Turning the wheel before the list is laid out has no effect.
    const scrolled = async () => {
      await page.mouse.wheel(0, 300);
      return (await hero.boundingBox())?.y;
    };
    await expect.poll(scrolled).toBeLessThan(0);
    // Growth above the rows does not move them.
    const row = page.getByRole("list", { name: "Passcodes" }).getByRole("link").first();
    const before = (await row.boundingBox())?.y;
    await harness.signIn(ADA, wrongCode(code));
    await page.getByText(", wrong at digit").first().waitFor({ state: "attached" });
    expect((await row.boundingBox())?.y).toBe(before);
    await row.click();
    await page.getByRole("button", { name: "Show newest" }).click();
    await page.getByRole("navigation", { name: "Places" }).getByRole("link", { name: "Setup" }).click();
    await page.getByRole("heading", { name: "Connect", exact: true }).waitFor();
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow).toBe(0);
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
