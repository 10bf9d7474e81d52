import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { run } from "#test/cli/support.ts";
import { findings } from "./axe.ts";
import { drop, openScreen, paste, test, useHarness } from "./harness.ts";

const harness = useHarness();
const DATA = "/setup/data";

const there = (): string[] => ["--url", harness.built.ready.consoleUrl];
const state = async (query = "") => (await harness.control("GET", `/state${query}`)).json;
const profiles = async (appId: string) => (await harness.control("GET", `/profiles?appId=${appId}&limit=100`)).json;
let made = 0;
/** Creates an app with one user. @returns its id. */
const newApp = async (name = "Made"): Promise<string> => {
  const appId = `app-${++made}`;
  const world = { version: 1, apps: [{ appId, name, profiles: [{ name: "Ada", phone: "+12025550100" }] }] };
  expect((await harness.control("PUT", "/state", { mode: "merge", state: world })).status).toBe(200);
  return appId;
};
const pasteWorld = (page: Page, world: unknown): Promise<void> => paste(page, JSON.stringify(world, null, 1));
const done = (page: Page) => page.getByRole("region", { name: "Last change" });

test("an export equals the command line's, under the app's name", async ({ visit }) => {
  const page = await visit(harness.url(`${DATA}?app=demo-app`));
  await page.getByText("12 profiles, 5 connections. Contains secrets.").waitFor();
  const { out } = await run(["export", "--app", "demo-app", ...there()]);
  const coming = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download" }).click();
  const download = await coming;
  expect(download.suggestedFilename()).toMatch(/^demo-app-\d{4}-\d\d-\d\d\.json$/);
  expect(await readFile(await download.path(), "utf8")).toBe(out);
});

describe("an import", () => {
  test("is checked before anything changes: every error of form and of the rules, by path and line", async ({
    visit,
  }) => {
    const page = await visit(harness.url(DATA));
    const phone = "+12025550177";
    await pasteWorld(page, {
      version: 1,
      apps: [{ appId: "demo-app", profiles: [{ phone }, { phone }, { nmae: "x" }] }],
    });
    await page.getByRole("heading", { name: "2 errors to fix before importing" }).waitFor();
    const faults = page.getByRole("list", { name: "Errors" }).getByRole("listitem");
    expect(await faults.first().textContent()).toContain("line 11apps[0].profiles[1].phone: ");
    expect(await faults.last().textContent()).toContain('did you mean "name"?');
    expect(await page.getByRole("button", { name: "Import", exact: true }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Cancel" }).click();
    await paste(page, '{ "version": 1,\n "apps": [,] }');
    await page.getByText("Line 2, column 11: Expected a value").waitFor();
  });

  test("takes a file that is dropped on any screen, and shows its plan", async ({ visit }) => {
    const page = await visit(harness.url("/users?app=demo-app"));
    const text = JSON.stringify({ version: 1, apps: [{ appId: "demo-app", profiles: [{ name: "Dropped" }] }] });
    // The browser opens a file unless both events are prevented.
    const kept = await drop(page, { file: "dropped.json", text });
    expect(kept).toEqual([true, true]);
    await page.getByText("Valid: 1 profile.").waitFor();
    expect(new URL(page.url()).pathname).toBe(DATA);
  });

  test("from a file is merged, confirmed, and undone by u", async ({ visit }) => {
    const appId = await newApp("Merging");
    const before = await state(`?appId=${appId}`);
    const page = await visit(harness.url(DATA));
    const users = [
      { name: "Ada L.", phone: "+12025550100" },
      { name: "Grace", phone: "+12025550101" },
    ];
    const text = JSON.stringify({ version: 1, apps: [{ appId, profiles: users }] });
    const chosen = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Choose file…" }).click();
    await (await chosen).setFiles({
      name: "w.json",
      mimeType: "application/json",
      buffer: Buffer.from(`\uFEFF${text}`),
    });
    await page.getByText("has 1 profile").waitFor();
    await page.getByText("Valid: 2 profiles.").waitFor();
    expect(await state(`?appId=${appId}`)).toEqual(before);
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await done(page).getByText("2 profiles changed · Merging.").waitFor();
    expect((await profiles(appId)).items.map(({ name }: { name: string }) => name)).toEqual(["Ada L.", "Grace"]);
    // Also after visiting another screen.
    await openScreen(page, ["Users"]);
    await openScreen(page, ["Setup", "Data"]);
    await done(page).waitFor();
    await page.keyboard.press("u");
    await done(page).waitFor({ state: "detached" });
    expect(await state(`?appId=${appId}`)).toEqual(before);
  });

  test("of one app among several replaces it after a second press, and can be undone completely", async ({ visit }) => {
    const appId = await newApp("Replaced");
    const [{ userId }] = (await profiles(appId)).items;
    const session = (await harness.control("POST", "/sessions", { appId, userId })).json;
    const { token } = (await harness.control("GET", `/sessions/${session.id}/token`)).json;
    const isActive = async () => (await harness.control("POST", "/sessions/introspect", { token })).json.active;
    const page = await visit(harness.url(`/setup/data?app=${appId}`));
    await pasteWorld(page, { version: 1, apps: [{ appId, profiles: [] }, { appId: "not-taken" }] });
    await page.getByLabel(`Replace all data of ${appId}`).check();
    await page.getByText("Other apps are not touched.").waitFor();
    const button = page.getByRole("button", { name: "Import", exact: true });
    await expect.poll(() => button.isEnabled()).toBe(true);
    await button.press("Enter");
    expect((await profiles(appId)).total).toBe(1);
    await page.getByRole("dialog").getByText(`1 profile of ${appId} will be deleted.`).waitFor();
    await page.keyboard.press("Enter");
    await done(page).waitFor();
    expect([(await profiles(appId)).total, await isActive()]).toEqual([0, false]);
    expect((await harness.control("GET", "/apps/not-taken")).status).toBe(404);
    await done(page).getByRole("button", { name: "Undo" }).click();
    await expect.poll(isActive).toBe(true);
    expect((await profiles(appId)).items[0].userId).toBe(userId);
  });

  test("says how much of it has been sent", async ({ visit }) => {
    const page = await visit(harness.url(DATA));
    const users = Array.from({ length: 500 }, (_, i) => ({ name: `User ${i}`, phone: `+1202${5_560_000 + i}` }));
    await pasteWorld(page, { version: 1, apps: [{ appId: "slow", name: "Slow", profiles: users }] });
    await page.getByText(/^Valid: 500 profiles/).waitFor();
    // Two fifths have been sent, and the rest waits for `go`: how fast a real one goes, the machine decides.
    const go = await page.evaluateHandle(() => {
      const { send } = XMLHttpRequest.prototype;
      const held: (() => void)[] = [];
      XMLHttpRequest.prototype.send = function (body) {
        held.push(() => send.call(this, body));
        this.upload.dispatchEvent(new ProgressEvent("progress", { lengthComputable: true, loaded: 2, total: 5 }));
      };
      return () => {
        XMLHttpRequest.prototype.send = send;
        for (const sendNow of held) sendNow();
      };
    });
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await page.getByText("Sending: 40 %").waitFor();
    await go.evaluate((sendNow) => sendNow());
    await done(page).waitFor();
    expect((await profiles("slow")).items).toHaveLength(100);
  });
});

test("a reset says first what the fixtures do not have, and can be undone", async ({ visit }) => {
  const appId = "demo-mail";
  const first = (await profiles(appId)).total;
  const page = await visit(harness.url(`${DATA}?app=${appId}`));
  const reset = page.getByRole("button", { name: "Reset", exact: true });
  await reset.click();
  await done(page).getByText("Reset to the fixtures · Demo Mail.").waitFor();
  await harness.control("POST", "/profiles", { appId, email: "more@example.com" });
  await page.getByText("The fixtures do not have 1 profile of demo-mail.").waitFor();
  await reset.click();
  await expect.poll(async () => (await profiles(appId)).total).toBe(first);
  await page.getByRole("region", { name: "Last change" }).getByRole("button", { name: "Undo" }).click();
  await expect.poll(async () => (await profiles(appId)).total).toBe(first + 1);
});

test("what is too large to undo says so before: a reset, an import, a snapshot, an app", async ({ visit }) => {
  const appId = await newApp("Huge");
  const page = await visit(harness.url("/codes"));
  // As if there were 80,000 profiles.
  await page.route(/\/emulator\/v1\/apps(\?|$)/, async (route) => {
    // A kept connection may have just been closed by the server.
    const response = await route.fetch({ maxRetries: 3 });
    const { items, ...rest } = await response.json();
    const huge = items.map((app: { counts: object }) => ({ ...app, counts: { ...app.counts, profiles: 80_000 } }));
    await route.fulfill({ response, json: { ...rest, items: huge } });
  });
  await page.goto(harness.url(`/setup/data?app=${appId}`));
  await page.getByRole("button", { name: "Reset", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Undo may not be possible: 80,000 records are replaced").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  expect((await profiles(appId)).total).toBe(1);
  await pasteWorld(page, { version: 1, apps: [{ appId, profiles: [] }] });
  await page.getByLabel(`Replace all data of ${appId}`).check();
  const button = page.getByRole("button", { name: "Import", exact: true });
  await expect.poll(() => button.isEnabled()).toBe(true);
  await button.click();
  await dialog.getByText("Undo may not be possible").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  expect((await harness.control("PUT", `/snapshots/small?appId=${appId}`)).status).toBe(201);
  await page.goto(harness.url(`${DATA}?app=${appId}`));
  await page.getByRole("button", { name: "More for small" }).click();
  await page.getByRole("menuitem", { name: "Restore small" }).click();
  await dialog.getByText("Undo may not be possible: 80,000 records are replaced").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.goto(harness.url(`/setup/apps/${appId}`));
  await page.getByRole("button", { name: "Delete app" }).click();
  await dialog.getByText("Undo may not be possible").waitFor();
});

test("generated users are those of the command line, and generated once", async ({ visit }) => {
  const [appId, other] = [await newApp("Crowd"), await newApp("Other")];
  const page = await visit(harness.url(`/setup/data?show=generate&app=${appId}`));
  await page.getByLabel("Number of users").fill("0");
  await page.getByText("Enter a number from 1 to 100,000").waitFor();
  expect(await findings(page)).toEqual([]);
  await page.getByLabel("Number of users").fill("30");
  await page.getByLabel("Seed").fill("checkout");
  await page.getByLabel("Locale").selectOption("ja");
  await page.getByLabel("Seed").press("Enter");
  await done(page).getByText("30 profiles imported · Crowd.").waitFor();
  await run(["seed", "--generate", "30", "--seed", "checkout", "--locale", "ja", "--app", other, ...there()]);
  const told = async (id: string) =>
    (await profiles(id)).items.map(({ name, phone, email }: Record<string, string>) => [name, phone, email]);
  expect(await told(appId)).toEqual(await told(other));
  await page.getByRole("button", { name: "Generate 30 users in Crowd" }).click();
  await page.getByRole("status").getByText("Generated 30 profiles in Crowd.").waitFor();
  expect((await profiles(appId)).total).toBe(31);
});

test("the screen opens from the palette at each of its parts, and axe finds nothing", async ({ visit }) => {
  const page = await visit(harness.url("/codes"));
  for (const [typed, title] of [
    ["import data", "Import"],
    ["generate users", "Generate users"],
    ["save a snap", "Snapshots"],
  ] as const) {
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "A name, phone, code, id, place or command" }).fill(typed);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: title, exact: true }).waitFor();
    // Leaves a field that may have taken the focus.
    await page.keyboard.press("Escape");
  }
  expect(await findings(page)).toEqual([]);
  await pasteWorld(page, { version: 1, apps: [{ appId: "demo-app", profiles: [{ phone: "12" }] }] });
  await page.getByText("must be a phone number in E.164 form").waitFor();
  expect(await findings(page)).toEqual([]);
});
