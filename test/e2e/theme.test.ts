import { describe, expect } from "vitest";
import { ADA, GRACE, rowWith, test, testApart, useHarness } from "./harness.ts";

const harness = useHarness();

describe("the theme", () => {
  testApart.for([
    ["dark", "light", "dark", "rgb(16, 18, 22)"],
    ["light", "dark", "light", "rgb(246, 246, 244)"],
    ["auto", "dark", "dark", "rgb(16, 18, 22)"],
    [null, "light", "light", "rgb(246, 246, 244)"],
  ] as const)(
    "%s was chosen and the system is %s: %s from the first paint on",
    async ([chosen, system, shown, background], { context, open }) => {
      await context.addInitScript((value) => {
        if (value !== null) localStorage.setItem("mantine-color-scheme-value", value);
      }, chosen);
      // The page's own script never arrives, so only what precedes it is seen.
      await context.route("**/assets/*.js", (route) => route.abort());
      const page = await open(harness.url("/codes"), system);
      const seen = await page.evaluate(() => {
        const { backgroundColor, colorScheme } = getComputedStyle(document.documentElement);
        return { backgroundColor, colorScheme, root: document.getElementById("root")?.childElementCount };
      });
      expect(seen).toEqual({ backgroundColor: background, colorScheme: shown, root: 0 });
    },
  );

  test("uses the theme's own colors", async ({ visit }) => {
    for (const scheme of ["dark", "light"] as const) {
      const page = await visit(harness.url("/codes"), scheme);
      const [before, after] = await page.evaluate(() => [
        getComputedStyle(document.documentElement).backgroundColor,
        getComputedStyle(document.body).backgroundColor,
      ]);
      expect(before).toBe(after);
    }
  });

  test("does not animate if the system asks for less motion", async ({ visit }) => {
    const page = await visit(harness.url("/codes"));
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await rowWith(page, await harness.sendCode(GRACE)).waitFor();
    await page.evaluate(() => {
      const moved: string[] = [];
      Reflect.set(window, "moved", moved);
      for (const type of ["animationstart", "transitionstart"])
        document.addEventListener(type, ({ target }) => {
          if (!(target instanceof Element)) return;
          // Not from the running animations: on a busy machine it is over before the event.
          const { animationDuration, transitionDuration } = getComputedStyle(target);
          const timed = `${animationDuration}, ${transitionDuration}`
            .split(", ")
            .some((one) => Number.parseFloat(one) > 0);
          if (timed) moved.push(`${type} ${target.className}`);
        });
    });
    const moved = () => page.evaluate<string[]>("window.moved");
    await rowWith(page, await harness.sendCode(ADA)).waitFor();
    // A new row fades in.
    await expect.poll(async () => (await moved()).length).toBeGreaterThan(0);
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.evaluate("window.moved.length = 0");
    await rowWith(page, await harness.sendCode(ADA)).waitFor();
    await page.keyboard.press("?");
    const help = page.getByRole("dialog", { name: "Keyboard" });
    await help.waitFor();
    await page.keyboard.press("Escape");
    await help.waitFor({ state: "hidden" });
    expect(await moved()).toEqual([]);
  });
});
