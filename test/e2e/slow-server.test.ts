/** A server that answers late: the page says so, and an answer leads nowhere once its place has been left. */
import { expect } from "vitest";
import { hold, test, useHarness } from "./harness.ts";

const harness = useHarness();

test("after 3 s the status says Waiting…, and the page stays where the user went", async ({ visit }) => {
  const page = await visit(harness.url("/users/new?app=demo-app"));
  await page.getByLabel("Name", { exact: true }).fill("Late");
  const go = await hold(page, /\/emulator\/v1\/profiles$/);
  await page.keyboard.press("Enter");
  await page.getByTestId("connection").getByText("Waiting…").waitFor();
  await page.getByRole("link", { name: "Requests", exact: true }).click();
  await page.getByRole("heading", { name: "Requests", level: 1 }).waitFor();
  const answered = page.waitForResponse((response) => response.request().method() === "POST");
  go();
  await answered;
  await page.getByTestId("connection").getByText("Running").waitFor();
  expect(new URL(page.url()).pathname).toBe("/requests");
  expect((await harness.control("GET", "/profiles?q=Late")).json.total).toBe(1);
});
