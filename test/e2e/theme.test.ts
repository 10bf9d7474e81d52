import { describe, expect } from "vitest";
import { test, useStage } from "./stage.ts";

const stage = useStage();

describe("the theme", () => {
  test.for([
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
      // The page's own script never comes: what is seen is what was there before it.
      await context.route("**/assets/*.js", (route) => route.abort());
      const page = await open(stage.url("/inbox"), system);
      const seen = await page.evaluate(() => {
        const { backgroundColor, colorScheme } = getComputedStyle(document.documentElement);
        return { backgroundColor, colorScheme, root: document.getElementById("root")?.childElementCount };
      });
      expect(seen).toEqual({ backgroundColor: background, colorScheme: shown, root: 0 });
    },
  );

  test("goes by the colours of the theme itself", async ({ visit }) => {
    for (const scheme of ["dark", "light"] as const) {
      const page = await visit(stage.url("/inbox"), scheme);
      const [before, after] = await page.evaluate(() => [
        getComputedStyle(document.documentElement).backgroundColor,
        getComputedStyle(document.body).backgroundColor,
      ]);
      expect(before).toBe(after);
    }
  });
});
