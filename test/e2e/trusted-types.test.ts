/** The console's policy requires Trusted Types, and lets pass what the console itself needs. */
import { expect } from "vitest";
import { SCREENS } from "#contract/control/screens.ts";
import { test, useHarness } from "./harness.ts";

const { url, sendCode, signIn, control } = useHarness();

test("no screen breaks the policy, whichever is opened first", async ({ visit }) => {
  const code = await sendCode("+12025550100");
  expect((await signIn("+12025550100", code)).status).toBe(200);
  const { items } = (await control("GET", "/requests?limit=1")).json;
  // The pages without a frame have their own tests.
  const framed = SCREENS.filter((screen) => screen !== "mini" && screen !== "stage");
  for (const screen of [...framed, `requests/${items[0]?.id}`]) {
    const page = await visit(url(`/${screen}`));
    // Mantine's styles are there.
    const main = await page.evaluate(() => getComputedStyle(document.body).getPropertyValue("--mantine-scale").trim());
    expect([screen, main]).toEqual([screen, "1"]);
    await page.close();
  }
});

test("markup and scripts of other origins do not get in, whoever writes them", async ({ newPage }) => {
  const page = await newPage();
  await page.goto(url("/codes"));
  const refused = await page.evaluate(() => {
    const tries: Readonly<Record<string, () => unknown>> = {
      markup: () => {
        document.createElement("div").innerHTML = "<img src=x>";
      },
      document: () => document.write("<p>"),
      parser: () => new DOMParser().parseFromString("<p>", "text/html"),
      script: () => {
        document.createElement("script").text = "1";
      },
      url: () => {
        document.createElement("script").src = "/assets/../livez";
      },
      worker: () => new Worker("https://example.com/worker.js"),
    };
    return Object.entries(tries)
      .filter(([, attempt]) => {
        try {
          attempt();
          return false;
        } catch (error) {
          return error instanceof TypeError;
        }
      })
      .map(([name]) => name);
  });
  expect(refused).toEqual(["markup", "document", "parser", "script", "url", "worker"]);
});
