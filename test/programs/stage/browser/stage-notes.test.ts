/** The presenter's notes: a second window in step with its stage. */
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { findingsAsIs } from "#test/e2e/axe.ts";
import { useHarness } from "#test/e2e/harness.ts";
import { standsAt, test } from "./stage-harness.ts";

const FIXTURES = fileURLToPath(new URL("../../../../fixtures/stage.json", import.meta.url));
const emulator = useHarness(() => ["--ephemeral", "--fixtures", FIXTURES]);

test("the notes say what comes next and give the show, each those of the stage that opened them", async ({ open }) => {
  const page = await open(emulator.url("/stage"));
  await standsAt(page, "idle");
  const other = await open(emulator.url("/stage"));
  await standsAt(other, "idle");
  await page.bringToFront();
  const opened = page.waitForEvent("popup");
  await page.keyboard.press("n");
  const notes = await opened;
  const next = notes.getByTestId("next");
  await next.getByText("1 · Maya Chen: Signs in every day").waitFor();
  await notes.getByText("1 of 15").waitFor();
  expect(await findingsAsIs(notes)).toEqual([]);

  await notes.keyboard.press("PageDown");
  await standsAt(page, "code");
  await next.getByText("Space · enter code").waitFor();
  await notes.getByText("2 of 15").waitFor();
  await notes.getByRole("button", { name: "Next" }).click();
  await standsAt(page, "signedIn");
  // In step with keys of the stage, too.
  await page.keyboard.press("PageUp");
  await standsAt(page, "code");
  await next.getByText("Space · enter code").waitFor();
  await notes.getByRole("button", { name: "Back" }).click();
  await standsAt(page, "idle");
  await notes.keyboard.press("b");
  await page.locator("main[data-blurred]").waitFor();
  await notes.locator('button[aria-pressed="true"]').getByText("blur").waitFor();
  await notes.keyboard.press(" ");
  await notes.getByText("No code yet.").waitFor();
  // A stage that is loaded again finds its notes.
  await page.reload();
  await standsAt(page, "idle");
  await notes.keyboard.press("PageDown");
  await standsAt(page, "code");
  expect(await other.locator("main").getAttribute("data-state")).toBe("idle");
});

test("without a stage the notes say how to open one", async ({ open }) => {
  const page = await open(emulator.url("/stage/notes"));
  await page.getByText("Open the stage and press N there.").waitFor();
});
