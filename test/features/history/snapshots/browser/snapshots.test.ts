import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { findings } from "#test/e2e/axe.ts";
import { confirm, rowWith, test, useHarness } from "#test/e2e/harness.ts";

const harness = useHarness();
const PATH = "/fixtures?show=snapshots";

let made = 0;
/** Creates an app with two users. @returns its id and theirs. */
const newApp = async (name = "Made") => {
  const appId = `app-${++made}`;
  const users = ["Ada", "Grace"].map((given, i) => ({
    name: given,
    phone: `+1202555010${i}`,
    metadata: { plan: "free" },
  }));
  const world = { version: 1, apps: [{ appId, name, profiles: users }] };
  expect((await harness.control("PUT", "/state", { mode: "merge", state: world })).status).toBe(200);
  const { items } = (await harness.control("GET", `/profiles?appId=${appId}`)).json;
  return { appId, userIds: items.map(({ userId }: { userId: string }) => userId) };
};
const profiles = async (appId: string) => (await harness.control("GET", `/profiles?appId=${appId}`)).json;
const save = (name: string, appId?: string) =>
  harness.control("PUT", `/snapshots/${name}${appId === undefined ? "" : `?appId=${appId}`}`);
const detailOf = (page: Page, name: string) => page.getByRole("region", { name: `Snapshot ${name}` });
const focused = (page: Page): Promise<string> => page.evaluate(() => document.activeElement?.textContent ?? "");

describe("snapshots", () => {
  test("explain themselves when there are none; the first one is saved by keyboard", async ({ visit }) => {
    const { appId } = await newApp("First");
    const page = await visit(harness.url(`${PATH}&app=${appId}`));
    await page.getByRole("heading", { name: "No snapshots yet" }).waitFor();
    await page.keyboard.press("n");
    const name = page.getByLabel("Name");
    await expect.poll(() => name.evaluate((input) => input === document.activeElement)).toBe(true);
    await page.keyboard.type("no spaces, please");
    await page.getByText("must be letters, digits, dots, dashes and underscores").waitFor();
    expect(await page.getByRole("button", { name: "Save", exact: true }).isDisabled()).toBe(true);
    await name.fill("before-login");
    await page.keyboard.press("Enter");
    await detailOf(page, "before-login").waitFor();
    expect(new URL(page.url()).pathname).toBe(`/setup/data/${encodeURIComponent(`before-login@${appId}`)}`);
    await page.keyboard.press("Escape");
    await detailOf(page, "before-login").waitFor({ state: "detached" });
    await rowWith(page, "before-login").waitFor();
  });

  test("appear and disappear as others save and delete them", async ({ visit }) => {
    const { appId } = await newApp("Live");
    const page = await visit(harness.url(`${PATH}&app=${appId}`));
    await page.getByRole("heading", { name: "No snapshots yet" }).waitFor();
    await save("one", appId);
    const row = rowWith(page, "one");
    await row.getByText("Live", { exact: true }).waitFor();
    await harness.control("DELETE", `/snapshots/one?appId=${appId}`);
    await page.getByRole("heading", { name: "No snapshots yet" }).waitFor();
  });

  test("restore with one press, which can be undone", async ({ visit }) => {
    const { appId, userIds } = await newApp("Restoring");
    await save("clean", appId);
    await harness.control("PATCH", `/profiles/${userIds[0]}?appId=${appId}`, { name: "Ada L." });
    const page = await visit(harness.url(`${PATH}&app=${appId}`));
    // By keyboard: to the row, into it, and out again.
    await rowWith(page, "clean").waitFor();
    await page.keyboard.press("j");
    await expect.poll(() => focused(page)).toContain("clean");
    await page.keyboard.press("Enter");
    const detail = detailOf(page, "clean");
    await detail.getByRole("button", { name: "Restore" }).click();
    await page.getByText("Restored the snapshot clean · Ada.").waitFor();
    expect((await profiles(appId)).items[0].name).toBe("Ada");
    await page.keyboard.press("u");
    await expect.poll(async () => (await profiles(appId)).items[0].name).toBe("Ada L.");
    await page.keyboard.press("Escape");
    await expect.poll(() => focused(page)).toContain("clean");
  });

  test("of all apps restore only the app that is shown", async ({ visit }) => {
    const [here, elsewhere] = [await newApp("Here"), await newApp("Elsewhere")];
    await save("everything");
    for (const { appId, userIds } of [here, elsewhere])
      await harness.control("PATCH", `/profiles/${userIds[0]}?appId=${appId}`, { name: "Changed" });
    const page = await visit(harness.url(`/setup/data/everything@?show=snapshots&app=${here.appId}`));
    const detail = detailOf(page, "everything");
    await detail.getByText("Here only").waitFor();
    await detail.getByRole("button", { name: "Restore" }).click();
    await expect.poll(async () => (await profiles(here.appId)).items[0].name).toBe("Ada");
    expect((await profiles(elsewhere.appId)).items[0].name).toBe("Changed");
    await page.getByRole("button", { name: "Dismiss" }).click();
  });

  test("are deleted after a second press; a link to a deleted one says so", async ({ visit }) => {
    const { appId } = await newApp("Deleting");
    await save("short-lived", appId);
    const page = await visit(harness.url(`/setup/data/short-lived@${appId}?show=snapshots`));
    const detail = detailOf(page, "short-lived");
    await detail.getByRole("button", { name: "Delete" }).click();
    await confirm(page, "Delete");
    await expect.poll(() => rowWith(page, "short-lived").count()).toBe(0);
    await page.goto(harness.url(`/setup/data/short-lived@${appId}?show=snapshots`));
    await page.getByRole("heading", { name: "Snapshot not found" }).waitFor();
  });

  test("show the server's words when reading fails", async ({ visit }) => {
    const page = await visit(harness.url("/codes"));
    const json = { message: "Internal Server Error", instruction: "See the log." };
    await page.route("**/emulator/v1/snapshots", (route) => route.fulfill({ status: 500, json }));
    await page.getByRole("link", { name: "Setup", exact: true }).click();
    await page.getByRole("link", { name: "Data", exact: true }).click();
    await page.getByRole("link", { name: "Snapshots" }).click();
    await page.getByRole("alert").getByText("Internal Server Error. See the log.").waitFor();
    await page.unroute("**/emulator/v1/snapshots");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("button", { name: "Try again" }).waitFor({ state: "detached" });
  });

  test("axe finds nothing", async ({ visit }) => {
    const { appId } = await newApp("Axe");
    const page = await visit(harness.url(`${PATH}&app=${appId}`));
    await page
      .getByRole("heading", { name: /No snapshots yet|Fixtures/ })
      .first()
      .waitFor();
    expect(await findings(page)).toEqual([]);
    await save("seen", appId);
    await rowWith(page, "seen").getByRole("link").click();
    await detailOf(page, "seen").waitFor();
    await detailOf(page, "seen").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").waitFor();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.setViewportSize({ width: 600, height: 800 });
    expect(await findings(page)).toEqual([]);
  });
});
