/** Nothing on Codes moves by itself: measured by the browser's own layout shifts. */
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { ADA, GRACE, test, useHarness, wrongCode } from "./harness.ts";

const harness = useHarness();
const SIZES = [
  { width: 1920, height: 1080 },
  { width: 1280, height: 800 },
  { width: 900, height: 600 },
  { width: 720, height: 480 },
  { width: 320, height: 640 },
];

/** How late a slow disk answers. */
const LATE_MS = 300;

/** @returns what has moved since the page was opened, by how much and which elements. */
const moved = (page: Page): Promise<string[]> =>
  page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const found: string[] = [];
        const observer = new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) {
            const { value, sources } = entry as unknown as {
              value: number;
              sources: { node: Element | null; previousRect: DOMRect; currentRect: DOMRect }[];
            };
            const nodes = sources.map(
              ({ node, previousRect, currentRect }) =>
                `${node?.nodeName} ${node?.textContent?.slice(0, 30)} ${JSON.stringify(previousRect)} ${JSON.stringify(currentRect)}`,
            );
            found.push(`${Math.round(entry.startTime)} ms: ${value.toFixed(4)} ${nodes.join(" | ")}`);
          }
        });
        observer.observe({ type: "layout-shift", buffered: true });
        // Buffered entries come with the next task.
        setTimeout(() => resolve(found), 50);
      }),
  );

const rows = (page: Page) => page.getByRole("list", { name: "Logins" }).getByRole("listitem");

describe.each(SIZES)("at $width × $height", (size) => {
  test("nothing moves while codes, names, steps, advice and 200 logins arrive", async ({ visit }) => {
    await harness.sendCode(GRACE);
    const code = await harness.sendCode(ADA);
    const page = await visit(harness.url("/setup/apps"));
    await page.setViewportSize(size);
    await page.goto(harness.url("/codes?app=demo-app"));
    await rows(page).first().getByText("Waiting").waitFor();
    await harness.signIn(ADA, wrongCode(code));
    await rows(page).first().getByText("1 wrong code").waitFor();
    await harness.auth("POST", "/v1/users/session", { appId: "no-such", user: { phone: ADA } });
    await harness.signIn(ADA, code);
    await page.getByText("Unknown app").first().waitFor();
    const phones = Array.from({ length: 200 }, (_, n) => `+120255502${String(n).padStart(2, "0").slice(-2)}${n % 7}`);
    for (const phone of phones) await harness.auth("POST", "/v1/users/session", { appId: "demo-app", user: { phone } });
    const last = await harness.sendCode("+12025550107");
    await page.getByTestId("code").getByText(last.slice(0, 3)).waitFor();
    await rows(page).first().getByText("José Núñez").waitFor();
    expect(await rows(page).first().textContent()).toContain(last.slice(0, 3));
    expect(await moved(page)).toEqual([]);
  });
});

test("nothing moves when typefaces and codes come later than the requests", async ({ visit }) => {
  await harness.sendCode(ADA);
  const page = await visit(harness.url("/setup/apps"));
  await page.route(/\.woff2$|\/passcodes\?/, async (route) => {
    const answer = await route.fetch();
    setTimeout(() => void route.fulfill({ response: answer }).catch(() => undefined), LATE_MS);
  });
  await page.goto(harness.url("/codes?app=demo-app"));
  await rows(page).first().getByText("Waiting").waitFor();
  await rows(page).first().getByText("Ada Lovelace").waitFor();
  expect(await moved(page)).toEqual([]);
});

test.for(["More for Ada Lovelace", "Fail…"])(
  "a newer code takes the detail once “%s” is closed",
  async (name, { visit }) => {
    await harness.sendCode(ADA);
    const page = await visit(harness.url("/codes?app=demo-app"));
    await page.getByRole("region", { name: "Login of Ada Lovelace" }).getByRole("button", { name }).click();
    await page.getByRole("menuitem").first().waitFor();
    const newer = await harness.sendCode(GRACE);
    await rows(page).first().getByText("Grace Hopper").waitFor();
    await page.getByRole("region", { name: "Login of Ada Lovelace" }).waitFor();
    await page.keyboard.press("Escape");
    await page
      .getByRole("region", { name: "Login of Grace Hopper" })
      .getByTestId("code")
      .getByText(newer.slice(0, 3))
      .waitFor();
  },
);
