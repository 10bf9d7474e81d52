/** Undo is the server's: several levels, in every window, after a reload, and never over a stranger. */
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { findings } from "#test/e2e/axe.ts";
import { ADA, test, useHarness } from "#test/e2e/harness.ts";

const harness = useHarness();
const band = (page: Page) => page.getByRole("region", { name: "Last change" });
const undone = (page: Page) => page.getByRole("region", { name: "Last undo" });
const profiles = async (appId: string) => (await harness.control("GET", `/profiles?appId=${appId}&limit=100`)).json;
const undo = (page: Page): Promise<void> => band(page).getByRole("button", { name: "Undo u" }).click();

/** An app with 70 users. */
const crowd = async (): Promise<string> => {
  const { appId } = (await harness.control("POST", "/apps", { name: "Crowd" })).json;
  const users = Array.from({ length: 70 }, (_, n) => ({ name: `User ${n}`, phone: `+1303555${1_000 + n}` }));
  await harness.control("PUT", "/state", { mode: "merge", state: { version: 1, apps: [{ appId, profiles: users }] } });
  return appId;
};
const ada = async () =>
  (await harness.control("GET", `/profiles?appId=demo-app&q=${encodeURIComponent(ADA)}`)).json.items[0];

/** Saves a new name in the open form. */
const rename = async (page: Page, name: string): Promise<void> => {
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByRole("button", { name: "Save" }).click();
  await expect.poll(async () => (await ada()).name).toBe(name);
};

describe("70 deleted profiles", () => {
  test("stay deleted while somebody has signed up with one of their numbers, whom the band names", async ({
    visit,
  }) => {
    const appId = await crowd();
    const before = await profiles(appId);
    const [page, other] = [await visit(harness.url(`/users?app=${appId}`)), await visit(harness.url("/codes"))];
    await page.getByLabel("Select all").click();
    await page.keyboard.press("#");
    await band(page).getByText("70 profiles deleted · Crowd.").waitFor();
    await band(other).getByText("70 profiles deleted · Crowd.").waitFor();
    const user = { phone: "+13035551051", name: "Stranger" };
    expect((await harness.auth("POST", "/v1/users/session", { appId, user })).status).toBe(200);
    const stranger = (await profiles(appId)).items;
    await undo(page);
    await band(page)
      .getByRole("alert")
      .getByText(/\+13035551051 belongs to "Stranger" .* Nothing was changed/)
      .waitFor();
    expect((await profiles(appId)).items).toEqual(stranger);
    expect(await findings(page)).toEqual([]);
    // Once nobody is in the way, from the other window.
    await harness.control("DELETE", `/profiles/${stranger[0].userId}?appId=${appId}`);
    await undo(other);
    await expect.poll(async () => await profiles(appId)).toEqual(before);
    await undone(page).getByText("Undone: 70 profiles deleted · Crowd.").waitFor();
  });
});

describe("changes", () => {
  test("are undone level by level, also after a reload, with u and in the history", async ({ visit }) => {
    const { userId, name } = await ada();
    const page = await visit(harness.url(`/users/${userId}~edit?app=demo-app`));
    await rename(page, "Second");
    await page.goto(harness.url(`/users/${userId}~edit?app=demo-app`));
    await rename(page, "Third");
    await band(page).getByText("Profile updated: name · Third.").waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Third" }).waitFor();
    await page.keyboard.press("u");
    await expect.poll(async () => (await ada()).name).toBe("Second");
    await undone(page).getByRole("button", { name: "Redo" }).waitFor();
    await page.keyboard.press("u");
    await expect.poll(async () => (await ada()).name).toBe(name);

    await page.keyboard.press("Control+k");
    await page.keyboard.type("history");
    await page.keyboard.press("Enter");
    const rows = page.getByRole("list", { name: "History" }).getByRole("listitem");
    await rows.first().getByText("undone").waitFor();
    expect(await findings(page)).toEqual([]);
    // The older one first: it is not in the way of anything.
    await rows.nth(1).getByRole("button", { name: "Redo" }).click();
    await expect.poll(async () => (await ada()).name).toBe("Second");
    await harness.control("PATCH", `/profiles/${userId}?appId=demo-app`, { name: "By another" });
    await rows.nth(1).getByRole("button", { name: "Undo" }).click();
    await rows.nth(1).getByRole("alert").getByText("By another has changed since. Nothing was changed.").waitFor();
    expect((await ada()).name).toBe("By another");
  });

  test("made elsewhere while a form is open are told, and stay when it is saved", async ({ visit }) => {
    const { userId, metadata } = await ada();
    const page = await visit(harness.url(`/users/${userId}~edit?app=demo-app`));
    await page.getByLabel("Name", { exact: true }).fill("Mine");
    const theirs = { email: "elsewhere@example.com", metadata: { seat: 7 } };
    await harness.control("PATCH", `/profiles/${userId}?appId=demo-app`, theirs);
    await page.getByRole("status").getByText("Changed elsewhere: email, metadata.").waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await expect.poll(async () => (await ada()).name).toBe("Mine");
    expect(await ada()).toMatchObject({ email: "elsewhere@example.com", metadata: { ...metadata, seat: 7 } });
  });

  test("of a scenario are named as such beside a code, lead to the profile, and can be undone", async ({ visit }) => {
    const { userId } = await ada();
    await harness.sendCode(ADA);
    await harness.control("PATCH", `/profiles/${userId}?appId=demo-app`, { scenario: "locked" });
    const page = await visit(harness.url("/codes?app=demo-app"));
    const words = page.getByText("Scenario: Locked out");
    await words.waitFor();
    expect(await page.getByRole("link", { name: "Locked out" }).getAttribute("href")).toContain(`/users/${userId}`);
    await words.getByRole("button", { name: "Turn off" }).click();
    await band(page).getByText("Profile updated: scenario · Ada Lovelace.").waitFor();
    expect((await ada()).scenario).toBeNull();
    await undo(page);
    await words.waitFor();
    expect((await ada()).scenario).toBe("locked");
  });
});
