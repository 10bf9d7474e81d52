/** An exploration in the console: the matrix, and in each cell the login of its run. */
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { findings } from "#test/e2e/axe.ts";
import { ADA, clipboard, copiedBy, drop as dropFile, paste, test, useHarness } from "#test/e2e/harness.ts";

const harness = useHarness();

/** @returns a login whose last response was lost, as a file, and its code. */
const lostLogin = async () => {
  const code = await harness.sendCode(ADA);
  const fault = { match: { method: "PUT" }, effect: { status: 504, after: true }, times: 1 };
  expect((await harness.control("POST", "/faults", fault)).status).toBe(201);
  for (const status of [504, 401]) expect((await harness.signIn(ADA, code)).status).toBe(status);
  const [{ id }] = (await harness.control("GET", "/requests?limit=1")).json.items;
  return { code, bundle: (await harness.control("GET", `/requests/${id}/bundle`)).json };
};

const RUN = {
  step: "PUT session #1",
  kind: "504",
  result: "failed",
  known: false,
  exitCode: 1,
  ms: 900,
  after: { requests: 1, lastStatus: 401 },
  left: { usedCodes: 1, lostSessions: 1 },
  repeat: "stagedoor explore --only 'PUT session #1:504' -- npm test",
};
const passed = { ...RUN, result: "passed", exitCode: 0, left: { usedCodes: 0, lostSessions: 0 } };
const matrix = (film?: unknown) => ({
  version: 1,
  steps: ["POST session #1", "PUT session #1"],
  kinds: ["lost", "504", "nocode"],
  runs: [
    ...["lost", "504", "nocode"].map((kind) => ({ ...passed, step: "POST session #1", kind })),
    { ...RUN, kind: "lost", result: "timedOut", known: true },
    { ...RUN, ...(film === undefined ? {} : { film }) },
  ],
});

const drop = (page: Page, text: string) => dropFile(page, { file: "exploration.json", text });

describe("an exploration", () => {
  test("is opened by dropping its file; each cell has the login of its run", async ({ visit }) => {
    const { code, bundle } = await lostLogin();
    // Another Stagedoor has seen it.
    expect((await harness.control("DELETE", "/state")).status).toBe(204);
    expect((await harness.control("DELETE", "/requests")).status).toBe(204);
    const page = await visit(harness.url("/codes"));
    await drop(page, JSON.stringify(matrix(bundle)));
    await page.getByRole("heading", { name: "Exploration" }).waitFor();
    await page.getByText("3 of 5 runs passed, 1 failure known").waitFor();
    expect(await findings(page)).toEqual([]);
    const table = page.getByRole("table", { name: "Steps by kinds of failure" });
    await table.getByRole("link", { name: "PUT session #1, lost: timed out, known" }).waitFor();
    await table.getByRole("link", { name: "PUT session #1, 504: failed" }).click();
    const panel = page.getByRole("region", { name: "PUT session #1, 504" });
    await panel
      .getByText("last response: 401; ended with 1, the user was not signed in; left behind: 1 used code")
      .waitFor();
    await panel.getByText(RUN.repeat).waitFor();
    // The film: the code that was used by a request whose response was lost, and the session that nobody got.
    const steps = panel.getByRole("list").filter({ hasText: "Code sent by" }).getByRole("listitem");
    await expect.poll(() => steps.count()).toBe(3);
    await steps.nth(1).getByText(code).first().waitFor();
    await steps.nth(1).getByText("Fault: ").waitFor();
    await steps.nth(2).getByText("Active until").waitFor();
    // It is no login of this Stagedoor.
    expect(await panel.getByText("View request").count()).toBe(0);
    expect(await findings(page)).toEqual([]);
    expect(await copiedBy(page, () => page.getByRole("button", { name: "Copy as Markdown" }).click())).toContain(
      "| PUT session #1 | ⏱ | ✗ |  |",
    );
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });
  });

  test("is opened by pasting it; its cells are reached by keys", async ({ visit }) => {
    const page = await visit(harness.url("/users"));
    await paste(page, JSON.stringify(matrix(), null, 2));
    const cell = (name: string) => page.getByRole("link", { name, exact: true });
    await cell("POST session #1, lost: passed").focus();
    await page.keyboard.press("Tab");
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label")))
      .toBe("POST session #1, 504: passed");
    await page.keyboard.press("Enter");
    await page.getByText("This file has no logins.").waitFor();
    await page.getByRole("link", { name: "Requests", exact: true }).last().click();
    await page.getByRole("link", { name: "Outcomes", exact: true }).click();
    await page.getByRole("heading", { name: "Outcomes" }).waitFor();
    await page.getByRole("link", { name: "Exploration" }).click();
    await page.getByText("3 of 5 runs passed").waitFor();
  });

  test("is explained where none is open, and a damaged one is named", async ({ visit }) => {
    const page = await visit(harness.url("/requests/exploration"));
    await page.getByText("No exploration open").waitFor();
    await page.getByRole("button", { name: "Copy Command" }).click();
    expect(await clipboard(page)).toContain("stagedoor explore --out DIR");
    await drop(page, '{"version": 1, "steps": [], "kinds": ["lots"], "runs": []}');
    await page.getByText("exploration.json is not the JSON of an exploration").waitFor();
    await page.getByText("No exploration open").waitFor();
  });
});

test("a login that is dropped is shown step by step", async ({ visit }) => {
  const { bundle } = await lostLogin();
  const page = await visit(harness.url("/codes"));
  await drop(page, JSON.stringify(bundle, null, 2));
  const dialog = page.getByRole("dialog", { name: /^Login of/ });
  await dialog.getByText("carried out; the answer was lost").waitFor();
  expect(await findings(page)).toEqual([]);
});
