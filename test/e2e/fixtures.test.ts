import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { run } from "#test/cli/support.ts";
import { findings } from "./axe.ts";
import { clipboard, openScreen, test, useHarness } from "./harness.ts";

const harness = useHarness();
const PARTS = { export: "/fixtures", import: "/fixtures?show=import", generate: "/fixtures?show=generate" } as const;

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
const paste = (page: Page, world: unknown): Promise<void> =>
  page.getByLabel("Data to import").fill(typeof world === "string" ? world : JSON.stringify(world, null, 1));
const done = (page: Page) => page.getByRole("region", { name: "Last change" });

describe("an export", () => {
  test("equals the command line's: shown, copied, saved under the app's name", async ({ visit }) => {
    const page = await visit(harness.url("/codes?app=demo-app"));
    // Beside the page, which a large export would hold.
    const worker = page.waitForEvent("worker");
    await page.getByRole("link", { name: "Setup", exact: true }).click();
    await page.getByRole("link", { name: "Data", exact: true }).click();
    expect((await worker).url()).toContain("/export-worker");
    await page.getByText(/^1 app: 12 profiles, 5 connections;/).waitFor();
    const { out } = await run(["export", "--app", "demo-app", ...there()]);
    await page.getByRole("button", { name: "Copy JSON" }).click();
    await expect.poll(() => clipboard(page)).toBe(out);
    expect((await page.getByLabel("JSON", { exact: true }).textContent())?.trim()).toBe(out.trim());
    const coming = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download" }).click();
    const download = await coming;
    expect(download.suggestedFilename()).toMatch(/^demo-app-\d{4}-\d\d-\d\d\.json$/);
    expect(await readFile(await download.path(), "utf8")).toBe(out);
  });

  test("includes passcodes and sessions on request, is live, and has its options in the address", async ({ visit }) => {
    const appId = await newApp();
    const page = await visit(harness.url(`/setup/data?app=${appId}`));
    await page.getByLabel("Include passcodes, sessions and clocks").check();
    expect(new URL(page.url()).searchParams.get("show")).toBe("volatile");
    await page.getByText(/^1 app: 1 profile;/).waitFor();
    const [{ userId }] = (await profiles(appId)).items;
    await harness.control("POST", "/sessions", { appId, userId });
    await page.getByText(/^1 app: 1 profile, 1 session;/).waitFor();
  });
});

describe("an import", () => {
  test("is validated before it is sent: every error by path and line, with a jump to it", async ({ visit }) => {
    const page = await visit(harness.url(PARTS.import));
    const wrong = { version: 1, apps: [{ appId: "demo-app", profiles: [{ phone: 12 }, { nmae: "x" }] }] };
    await paste(page, wrong);
    await page.getByRole("heading", { name: "2 errors to fix before importing" }).waitFor();
    const faults = page.getByRole("list", { name: "Errors" }).getByRole("listitem");
    expect(await faults.first().textContent()).toContain("apps[0].profiles[0].phone must be a string");
    expect(await faults.last().textContent()).toContain('did you mean "name"?');
    await page.getByRole("button", { name: "Jump to error, line 11" }).click();
    const selected = await page.evaluate(() => {
      const area = document.activeElement;
      return area instanceof HTMLTextAreaElement ? area.value.slice(area.selectionStart, area.selectionEnd) : "";
    });
    expect(selected).toBe('"x"');
    await paste(page, '{ "version": 1,\n "apps": [,] }');
    await page.getByText("Expected a value").waitFor();
    await page.getByText("line 2", { exact: true }).waitFor();
  });

  test("is checked by the server, whose errors appear at their positions too", async ({ visit }) => {
    const page = await visit(harness.url(PARTS.import));
    const world = { version: 1, apps: [{ appId: "demo-app", profiles: [{ phone: "12" }] }] };
    await paste(page, world);
    await page.getByText("apps[0].profiles[0].phone").waitFor();
    await page.getByText("must be a phone number in E.164 form").waitFor();
    expect(await page.getByRole("button", { name: "Merge" }).isDisabled()).toBe(true);
  });

  test("shows errors of form and of the rules in one run", async ({ visit }) => {
    const page = await visit(harness.url(PARTS.import));
    const phone = "+12025550177";
    const wrong = { version: 1, apps: [{ appId: "demo-app", profiles: [{ phone }, { phone }, { nmae: "x" }] }] };
    await paste(page, wrong);
    await page.getByRole("heading", { name: "2 errors to fix before importing" }).waitFor();
    const faults = page.getByRole("list", { name: "Errors" });
    await faults.getByText("apps[0].profiles[1].phone").waitFor();
    await faults.getByText('did you mean "name"?').waitFor();
  });

  test("takes a file that is dropped on any screen, and shows its plan", async ({ visit }) => {
    const page = await visit(harness.url("/users?app=demo-app"));
    const text = JSON.stringify({ version: 1, apps: [{ appId: "demo-app", profiles: [{ name: "Dropped" }] }] });
    // The browser opens a file unless both events are prevented.
    const kept = await page.getByRole("grid").evaluate((target, content) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([content], "dropped.json", { type: "application/json" }));
      return ["dragover", "drop"].map((name) => {
        const event = new DragEvent(name, { dataTransfer, bubbles: true, cancelable: true });
        target.dispatchEvent(event);
        return event.defaultPrevented;
      });
    }, text);
    expect(kept).toEqual([true, true]);
    await page.getByText("Valid: 1 profile.").waitFor();
    expect(new URL(page.url()).searchParams.get("show")).toBe("import");
  });

  test("from a file is merged, confirmed, and undone by u", async ({ visit }) => {
    const appId = await newApp("Merging");
    const before = await state(`?appId=${appId}`);
    const page = await visit(harness.url(PARTS.import));
    const users = [
      { name: "Ada L.", phone: "+12025550100" },
      { name: "Grace", phone: "+12025550101" },
    ];
    const text = JSON.stringify({ version: 1, apps: [{ appId, profiles: users }] });
    const chosen = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Choose file" }).click();
    await (await chosen).setFiles({
      name: "w.json",
      mimeType: "application/json",
      buffer: Buffer.from(`\uFEFF${text}`),
    });
    await page.getByText("has 1 profile").waitFor();
    await page.getByText("Valid: 2 profiles.").waitFor();
    expect(await state(`?appId=${appId}`)).toEqual(before);
    await page.getByRole("button", { name: "Merge" }).click();
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
    const page = await visit(harness.url(`/setup/data?show=import&app=${appId}`));
    await paste(page, { version: 1, apps: [{ appId, profiles: [] }, { appId: "not-taken" }] });
    await page.getByText("Replace", { exact: true }).click();
    await page.getByText("Other apps are not touched.").waitFor();
    const button = page.getByRole("button", { name: "Replace", exact: true });
    await expect.poll(() => button.isEnabled()).toBe(true);
    await button.press("Enter");
    expect((await profiles(appId)).total).toBe(1);
    await page.getByRole("dialog").getByText("Its 1 profile will be deleted.").waitFor();
    await page.keyboard.press("Enter");
    await done(page).waitFor();
    expect([(await profiles(appId)).total, await isActive()]).toEqual([0, false]);
    expect((await harness.control("GET", "/apps/not-taken")).status).toBe(404);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(isActive).toBe(true);
    expect((await profiles(appId)).items[0].userId).toBe(userId);
  });

  test("says how much of it has been sent", async ({ visit }) => {
    const page = await visit(harness.url(PARTS.import));
    const users = Array.from({ length: 500 }, (_, i) => ({ name: `User ${i}`, phone: `+1202${5_560_000 + i}` }));
    await paste(page, { version: 1, apps: [{ appId: "slow", name: "Slow", profiles: users }] });
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
    await page.getByRole("button", { name: "Merge" }).click();
    await page.getByText(/^Sending \d+\.\d KiB: 40 %$/).waitFor();
    await go.evaluate((sendNow) => sendNow());
    await done(page).waitFor();
    expect((await profiles("slow")).items).toHaveLength(100);
  });

  test("too long for the field is shown by name; Dismiss removes the band", async ({ visit }) => {
    const appId = await newApp("Long");
    const page = await visit(harness.url(PARTS.import));
    const many = Array.from({ length: 6_000 }, (_, i) => ({ name: `Person ${i}`, phone: `+1303${2_000_000 + i}` }));
    const text = JSON.stringify({ version: 1, apps: [{ appId, profiles: many }] });
    const drop = await page.evaluateHandle((content) => {
      const data = new DataTransfer();
      data.items.add(new File([content], "many.json", { type: "application/json" }));
      return data;
    }, text);
    await page.getByText("or drop one here").dispatchEvent("drop", { dataTransfer: drop });
    await page.getByText("many.json, ").waitFor();
    expect(await page.getByLabel("Data to import").count()).toBe(0);
    await page.getByRole("button", { name: "Merge" }).click();
    await done(page).getByText("6,000 profiles imported · Long.").waitFor();
    await page.getByRole("button", { name: "Dismiss" }).click();
    await done(page).waitFor({ state: "detached" });
    expect((await profiles(appId)).total).toBe(6_001);
  });
});

test("a reset restores the fixtures with one press, and can be undone", async ({ visit }) => {
  const appId = "demo-mail";
  const first = (await profiles(appId)).total;
  await harness.control("POST", "/profiles", { appId, email: "more@example.com" });
  const page = await visit(harness.url(`/setup/data?app=${appId}`));
  await page.getByRole("button", { name: "Reset", exact: true }).click();
  await done(page).getByText("Reset to the fixtures · Demo Mail.").waitFor();
  expect((await profiles(appId)).total).toBe(first);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(async () => (await profiles(appId)).total).toBe(first + 1);
});

test("Reset waits until the apps are known", async ({ visit }) => {
  const appId = await newApp("Late");
  const page = await visit(harness.url("/codes"));
  let know = (): void => undefined;
  const known = new Promise<void>((resolve) => {
    know = resolve;
  });
  await page.route(/\/emulator\/v1\/apps(\?|$)/, (route) => known.then(() => route.continue()));
  await page.goto(harness.url(`/setup/data?app=${appId}`));
  const reset = page.getByRole("button", { name: "Reset", exact: true });
  await reset.waitFor();
  expect(await reset.isEnabled()).toBe(false);
  know();
  await expect.poll(() => reset.isEnabled()).toBe(true);
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
  await page.getByRole("link", { name: "Import" }).click();
  await paste(page, { version: 1, apps: [{ appId, profiles: [] }] });
  await page.getByText("Replace", { exact: true }).click();
  const button = page.getByRole("button", { name: "Replace", exact: true });
  await expect.poll(() => button.isEnabled()).toBe(true);
  await button.click();
  await dialog.getByText("Undo may not be possible").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  expect((await harness.control("PUT", `/snapshots/small?appId=${appId}`)).status).toBe(201);
  await page.goto(harness.url(`/setup/data/small@${appId}?show=snapshots&app=${appId}`));
  await page.getByRole("button", { name: "Restore" }).click();
  await dialog.getByText("Undo may not be possible: 80,000 records are replaced").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.goto(harness.url(`/setup/apps/${appId}`));
  await page.getByText("Undo may not be possible").waitFor();
});

describe("generated users", () => {
  test("are those of the command line, previewed, generated once, and undone", async ({ visit }) => {
    const [appId, other] = [await newApp("Crowd"), await newApp("Other")];
    const page = await visit(harness.url(`/setup/data?show=generate&app=${appId}`));
    await page.getByLabel("Number of users").fill("0");
    await page.getByText("Enter a number from 1 to 100,000").waitFor();
    await page.getByLabel("Number of users").fill("30");
    await page.getByLabel("Seed").fill("checkout");
    await page.getByLabel("Locale").selectOption("ja");
    const rows = page.getByRole("table", { name: "Users to generate" }).locator("tbody tr");
    const name = rows.first().locator("td").first();
    await expect.poll(() => name.textContent()).toMatch(/^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana} ]+$/u);
    const shown = await name.textContent();
    await page.setViewportSize({ width: 900, height: 600 });
    const numbers = rows.locator("td:nth-child(2)");
    const cut = await numbers.evaluateAll(
      (cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).length,
    );
    expect([await numbers.count(), cut]).toEqual([8, 0]);
    await page.getByLabel("Seed").press("Enter");
    await done(page).getByText("30 profiles imported · Crowd.").waitFor();
    await run(["seed", "--generate", "30", "--seed", "checkout", "--locale", "ja", "--app", other, ...there()]);
    const told = async (id: string) =>
      (await profiles(id)).items.map(({ name, phone, email }: Record<string, string>) => [name, phone, email]);
    expect(await told(appId)).toEqual(await told(other));
    expect((await told(appId))[1][0]).toBe(shown);
    await page.getByRole("button", { name: "Generate 30 users in Crowd" }).click();
    await page.getByRole("status").getByText("Generated 30 profiles in Crowd.").waitFor();
    expect((await profiles(appId)).total).toBe(31);
  });
});

describe("the fixtures screen", () => {
  test("opens from the palette, at each of its parts", async ({ visit }) => {
    const page = await visit(harness.url("/codes"));
    for (const [typed, title] of [
      ["export fix", "Export fixtures"],
      ["import data", "Import data"],
      ["generate users", "Generate users"],
      ["save a snap", "Save snapshot"],
    ] as const) {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "A name, phone, code, id, place or command" }).fill(typed);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: title }).waitFor();
      // Leaves a field that may have taken the focus.
      await page.keyboard.press("Escape");
    }
  });

  test("shows the server's words when reading fails", async ({ visit }) => {
    const page = await visit(harness.url("/codes"));
    await page.route("**/emulator/v1/state*", (route) =>
      route.fulfill({ status: 500, json: { message: "Internal Server Error", instruction: "See the log." } }),
    );
    await openScreen(page, ["Setup", "Data"]);
    await page.getByRole("alert").getByText("Internal Server Error. See the log.").waitFor();
  });

  test("axe finds nothing", async ({ visit }) => {
    const page = await visit(harness.url(PARTS.export));
    await page.getByText(/^\d+ apps: /).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole("link", { name: "Generate" }).click();
    await page.getByRole("table", { name: "Users to generate" }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole("link", { name: "Import" }).click();
    await paste(page, { version: 1, apps: [{ appId: "demo-app", profiles: [{ phone: "12" }] }] });
    await page.getByText("must be a phone number in E.164 form").waitFor();
    await page.getByText("Replace", { exact: true }).click();
    expect(await findings(page)).toEqual([]);
  });
});
