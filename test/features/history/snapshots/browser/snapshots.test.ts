import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { findings } from "#test/e2e/axe.ts";
import { confirm, test, useHarness } from "#test/e2e/harness.ts";

const harness = useHarness();
const PATH = "/setup/data";

let made = 0;
/** Creates an app with two users. @returns its id and theirs. */
const newApp = async (name = "Made") => {
  const appId = `app-${++made}`;
  const users = ["Ada", "Grace"].map((given, i) => ({ name: given, phone: `+1202555010${i}` }));
  const world = { version: 1, apps: [{ appId, name, profiles: users }] };
  expect((await harness.control("PUT", "/state", { mode: "merge", state: world })).status).toBe(200);
  const { items } = (await harness.control("GET", `/profiles?appId=${appId}`)).json;
  return { appId, userIds: items.map(({ userId }: { userId: string }) => userId) };
};
const profiles = async (appId: string) => (await harness.control("GET", `/profiles?appId=${appId}`)).json;
const save = (name: string, appId?: string) =>
  harness.control("PUT", `/snapshots/${name}${appId === undefined ? "" : `?appId=${appId}`}`);
const panel = (page: Page) => page.getByRole("region", { name: "Snapshots" });
const rows = (page: Page) => panel(page).getByRole("list", { name: "Snapshots" }).getByRole("listitem");
const choose = async (page: Page, snapshot: string, name: string): Promise<void> => {
  await panel(page)
    .getByRole("button", { name: `More for ${snapshot}` })
    .click();
  await page.getByRole("menuitem", { name }).click();
};

describe("snapshots", () => {
  test("explain themselves when there are none; the first one is saved by keyboard", async ({ visit }) => {
    const { appId } = await newApp("First");
    const page = await visit(harness.url(`${PATH}?app=${appId}`));
    await panel(page).getByText("No snapshots yet.").waitFor();
    await page.keyboard.press("n");
    const name = page.getByLabel("Name");
    await expect.poll(() => name.evaluate((input) => input === document.activeElement)).toBe(true);
    await page.keyboard.type("no spaces, please");
    await page.getByText("must be letters, digits, dots, dashes and underscores").waitFor();
    expect(await page.getByRole("button", { name: "Save", exact: true }).isDisabled()).toBe(true);
    await name.fill("before-login");
    await page.keyboard.press("Enter");
    await rows(page).getByText("before-login").waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get("show")).toBeNull();
  });

  test("appear and disappear as others save and delete them", async ({ visit }) => {
    const { appId } = await newApp("Live");
    const page = await visit(harness.url(`${PATH}?app=${appId}`));
    await panel(page).getByText("No snapshots yet.").waitFor();
    await save("one", appId);
    await rows(page).getByText("2 profiles").waitFor();
    await harness.control("DELETE", `/snapshots/one?appId=${appId}`);
    await panel(page).getByText("No snapshots yet.").waitFor();
  });

  test("restore with one choice, which the history beside them undoes", async ({ visit }) => {
    const { appId, userIds } = await newApp("Restoring");
    await save("clean", appId);
    await harness.control("PATCH", `/profiles/${userIds[0]}?appId=${appId}`, { name: "Ada L." });
    const page = await visit(harness.url(`${PATH}?app=${appId}`));
    await choose(page, "clean", "Restore clean");
    await page.getByText("Restored the snapshot clean · Ada.").waitFor();
    expect((await profiles(appId)).items[0].name).toBe("Ada");
    await panel(page).getByRole("list", { name: "History" }).getByRole("button", { name: "Undo" }).first().click();
    await expect.poll(async () => (await profiles(appId)).items[0].name).toBe("Ada L.");
  });

  test("of all apps restore only the app that is shown", async ({ visit }) => {
    const [here, elsewhere] = [await newApp("Here"), await newApp("Elsewhere")];
    await save("everything");
    for (const { appId, userIds } of [here, elsewhere])
      await harness.control("PATCH", `/profiles/${userIds[0]}?appId=${appId}`, { name: "Changed" });
    const page = await visit(harness.url(`${PATH}?app=${here.appId}`));
    await choose(page, "everything", "Restore everything in Here only");
    await expect.poll(async () => (await profiles(here.appId)).items[0].name).toBe("Ada");
    expect((await profiles(elsewhere.appId)).items[0].name).toBe("Changed");
  });

  test("are deleted after a question; axe finds nothing, in the question and on a phone", async ({ visit }) => {
    const { appId } = await newApp("Deleting");
    await save("short-lived", appId);
    const page = await visit(harness.url(`${PATH}?app=${appId}`));
    await choose(page, "short-lived", "Delete short-lived");
    await page.getByRole("dialog").waitFor();
    expect(await findings(page)).toEqual([]);
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await findings(page)).toEqual([]);
    await confirm(page, "Delete");
    await expect.poll(() => rows(page).count()).toBe(0);
  });

  test("show the server's words when reading fails", async ({ visit }) => {
    const page = await visit(harness.url("/codes"));
    const json = { message: "Internal Server Error", instruction: "See the log." };
    await page.route("**/emulator/v1/snapshots", (route) => route.fulfill({ status: 500, json }));
    await page.getByRole("link", { name: "Setup", exact: true }).click();
    await page.getByRole("link", { name: "Data", exact: true }).click();
    await page.getByRole("alert").getByText("Internal Server Error. See the log.").waitFor();
    await page.unroute("**/emulator/v1/snapshots");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("button", { name: "Try again" }).waitFor({ state: "detached" });
  });
});
