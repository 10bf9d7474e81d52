import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { findings } from "./axe.ts";
import { copiedBy, test, useHarness } from "./harness.ts";
import { settled } from "./settled.ts";

const harness = useHarness();
const ADA_ID = "3f0c2f4e-8a51-4a86-9d0e-2b7f7d1c0a01";
const GRACE_ID = "91b7a6de-5c3c-4d0f-b1a9-6f2e8c4d0a02";
const DEMO = "/profiles?app=demo-app";

const row = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text });
const names = (page: Page): Promise<string[]> => page.locator("tbody a").allTextContents();
const read = async (userId: string) => (await harness.control("GET", `/profiles/${userId}?appId=demo-app`)).json;

test("an empty form makes nobody: it says what the user signs in with", async ({ visit }) => {
  const page = await visit(harness.url("/users/new?app=demo-mail"));
  const form = page.getByRole("region", { name: "New user" });
  await form.getByRole("button", { name: /^Save(?! and)/ }).click();
  await form.getByText("Enter the email that the user signs in with").waitFor();
  expect((await harness.control("GET", "/profiles?appId=demo-mail")).json.total).toBe(6);
  await form.getByLabel("Email").fill("new@example.com");
  await form.getByRole("button", { name: /^Save(?! and)/ }).click();
  await row(page, "new@example.com").waitFor();
});

describe("the profile list", () => {
  test("is sorted by its columns, and says so", async ({ visit }) => {
    const page = await visit(harness.url(DEMO));
    await row(page, "Ada Lovelace").waitFor();
    await page.getByRole("button", { name: "Name", exact: true }).click();
    await expect.poll(async () => (await names(page))[1]).toBe("Alan Turing");
    expect(await page.getByRole("columnheader", { name: "Name" }).getAttribute("aria-sort")).toBe("ascending");
    await page.getByRole("button", { name: "Name", exact: true }).click();
    await expect.poll(async () => (await names(page)).indexOf("Ada Lovelace")).toBeGreaterThan(1);
    expect(new URL(page.url()).searchParams.get("show")).toBe("-name");
    await page.reload();
    await row(page, "Ada Lovelace").waitFor();
    expect(await page.getByRole("columnheader", { name: "Name" }).getAttribute("aria-sort")).toBe("descending");
  });

  test("can be searched by name, number, address, metadata; an empty result is retried", async ({ visit }) => {
    const page = await visit(harness.url(DEMO));
    await row(page, "Ada Lovelace").waitFor();
    for (const [text, found] of [
      ["hopper", "Grace Hopper"],
      ["5550105", "Katherine Johnson"],
      ["ada@example", "Ada Lovelace"],
      ["violet", "Ada Lovelace"],
      // In the page's own number format, and in others.
      ["202 555 0101", "Grace Hopper"],
      ["+1 (202) 555-0101", "Grace Hopper"],
    ] as const) {
      await page.keyboard.press("/");
      await page.keyboard.press("Control+A");
      await page.keyboard.type(text);
      await expect.poll(() => names(page)).toEqual([found]);
      await page.keyboard.press("Escape");
      await page.keyboard.press("Escape");
    }
    await page.keyboard.press("/");
    await page.keyboard.type("nobody at all");
    await page.getByRole("heading", { name: "Nothing found for “nobody at all”" }).waitFor();
    await page.getByRole("button", { name: "Show all users" }).click();
    await row(page, "Ada Lovelace").waitFor();
  });

  test("shows others' changes without moving the current row", async ({ visit }) => {
    const page = await visit(harness.url(`${DEMO}&show=-createdAt`));
    await page.setViewportSize({ width: 1280, height: 300 });
    await row(page, "Alan Turing").waitFor();
    await page.getByRole("grid").evaluate((grid) => {
      if (grid.parentElement !== null) grid.parentElement.scrollTop = 240;
    });
    const seen = row(page, "José Núñez");
    await settled(page);
    const before = (await seen.boundingBox())?.y;
    const made = await harness.control("POST", "/profiles", { appId: "demo-app", name: "Newest" });
    await expect.poll(async () => await page.getByRole("grid").getAttribute("aria-rowcount")).toBe("14");
    await expect.poll(async () => (await seen.boundingBox())?.y).toBe(before);
    const id = (await harness.control("GET", "/profiles?appId=demo-app&q=jose")).json.items[0].userId;
    await harness.control("PATCH", `/profiles/${id}?appId=demo-app`, { email: "new@example.com" });
    await seen.getByText("new@example.com").waitFor();
    await harness.control("DELETE", `/profiles/${made.json.userId}?appId=demo-app`);
    await expect.poll(async () => (await seen.boundingBox())?.y).toBe(before);
  });

  test("loses from the selection whom somebody else deletes", async ({ visit }) => {
    const [going, staying] = await Promise.all(
      ["Going", "Staying"].map(async (name) => {
        const made = await harness.control("POST", "/profiles", { appId: "demo-app", name });
        return `/profiles/${made.json.userId}?appId=demo-app`;
      }),
    );
    const page = await visit(harness.url(`${DEMO}&show=-createdAt`));
    await page.getByLabel("Select Going").click();
    await page.getByLabel("Select Staying").click();
    await page.getByText(/^2 of \d+ selected$/).waitFor();
    await harness.control("DELETE", `${going}`);
    await page.getByText(/^1 of \d+ selected$/).waitFor();
    expect(await page.getByLabel("Select Staying").isChecked()).toBe(true);
    await harness.control("DELETE", `${staying}`);
    await expect.poll(() => page.getByText(/ of \d+ selected$/).count()).toBe(0);
  });

  test("can be navigated, opened, selected, deleted and restored by keyboard alone", async ({ visit }) => {
    await harness.control("PATCH", `/profiles/${GRACE_ID}?appId=demo-app`, { testPasscode: "424242" });
    const before = await read(GRACE_ID);
    const connections = (await harness.control("GET", `/connections?appId=demo-app&userId=${GRACE_ID}`)).json;
    expect(connections.total).toBeGreaterThan(0);
    const page = await visit(harness.url(DEMO));
    await row(page, "Ada Lovelace").waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "Profile of Grace Hopper" }).waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("region", { name: /^Profile of/ }).count()).toBe(0);
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain("Grace Hopper");
    await page.keyboard.press("x");
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("Shift+X");
    await page.getByText("3 of 12 selected").waitFor();
    await page.keyboard.press("#");
    await page.getByText("3 profiles deleted").waitFor();
    await expect.poll(() => row(page, "Grace Hopper").count()).toBe(0);
    expect((await harness.control("GET", `/profiles/${GRACE_ID}?appId=demo-app`)).status).toBe(404);
    await page.keyboard.press("u");
    await row(page, "Grace Hopper").waitFor();
    expect(await read(GRACE_ID)).toEqual(before);
    expect((await harness.control("GET", `/connections?appId=demo-app&userId=${GRACE_ID}`)).json.items).toEqual(
      expect.arrayContaining(connections.items),
    );
  });
});

test("the username stays in a narrow list, also beside a detail", async ({ visit }) => {
  const page = await visit(harness.url("/users?app=demo-mail"));
  const email = page.getByRole("gridcell", { name: "@" }).first();
  await page.setViewportSize({ width: 390, height: 844 });
  await email.waitFor();
  await expect.poll(() => page.getByRole("columnheader", { name: "Phone" }).count()).toBe(0);
  await page.setViewportSize({ width: 1024, height: 700 });
  await page.getByRole("row").nth(1).click();
  await page.getByRole("button", { name: "Close Esc" }).waitFor();
  await email.waitFor();
  await page.goto(harness.url("/users?app=demo-app"));
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("gridcell", { name: "+1 202 555 0100" }).waitFor();
});

test("only the current row's controls are in the tab order", async ({ visit }) => {
  const page = await visit(harness.url(DEMO));
  await row(page, "Ada Lovelace").waitFor();
  const inOrder = page.locator("tbody :is(a, button, input):not([tabindex='-1'])");
  await expect.poll(() => inOrder.count()).toBe(2);
});

describe("the profile form", () => {
  test("shows the server's errors, keeps the input, saves, and saves another", async ({ visit }) => {
    const page = await visit(harness.url(DEMO));
    await row(page, "Ada Lovelace").waitFor();
    await page.keyboard.press("n");
    await page.getByLabel("Name", { exact: true }).fill("Emmy Noether");
    await page.getByLabel("Phone", { exact: true }).fill("+12025550100");
    await page.getByLabel("Email", { exact: true }).fill("nowhere");
    await page.getByLabel("Fixed code").fill("12");
    await page.keyboard.press("Enter");
    await page.getByText("must be an email address").waitFor();
    await page.getByText("must be 4 to 10 digits").waitFor();
    await page.getByLabel("Email", { exact: true }).fill("emmy@example.com");
    await page.getByLabel("Fixed code").fill("123456");
    await page.keyboard.press("Enter");
    await page.getByText("has already been taken").waitFor();
    await page.getByLabel("Phone", { exact: true }).fill("+12025550188");
    await page.getByRole("button", { name: "Save and add another" }).click();
    await page.getByText("Saved Emmy Noether.", { exact: true }).waitFor();
    const name = page.getByLabel("Name", { exact: true });
    await expect.poll(() => name.evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await name.inputValue()).toBe("");
    await page.keyboard.type("Sofia Kovalevskaya");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("region", { name: "Profile of Sofia Kovalevskaya" }).waitFor();
    const [emmy] = (await harness.control("GET", "/profiles?appId=demo-app&q=emmy")).json.items;
    expect(emmy).toMatchObject({ phone: "+12025550188", email: "emmy@example.com", testPasscode: "123456" });
  });

  test("edits metadata as JSON: marks errors, and removes deleted keys", async ({ visit }) => {
    const page = await visit(harness.url(`/users/${ADA_ID}~edit?app=demo-app`));
    const json = page.getByLabel("Metadata", { exact: true });
    await json.fill('{\n  "plan" "pro"\n}');
    await page.getByText("Line 2, column 10: Expected a colon").waitFor();
    await json.fill('{"plan":"free","home_town":"London"}');
    await page.getByRole("button", { name: /^Save/ }).click();
    await page.getByRole("region", { name: "Profile of Ada Lovelace" }).getByText('"homeTown"').waitFor();
    expect((await read(ADA_ID)).metadata).toEqual({ plan: "free", homeTown: "London" });
  });

  test("confirms before losing input, and keeps it for a return", async ({ visit }) => {
    const page = await visit(harness.url(`/users/${ADA_ID}~edit?app=demo-app`));
    await page.getByLabel("Name", { exact: true }).fill("Countess Lovelace");
    await page.keyboard.press("Escape");
    await page.getByText("Discard your changes?").waitFor();
    await page.getByRole("button", { name: "Keep editing" }).click();
    await page.getByRole("link", { name: "Sessions", exact: true }).click();
    await page.getByRole("heading", { name: "Sessions", level: 1 }).waitFor();
    await page.goBack();
    await page.getByText("Restored your unsaved changes.").waitFor();
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Countess Lovelace");
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Discard" }).click();
    await page.getByRole("region", { name: "Profile of Ada Lovelace" }).waitFor();
    expect((await read(ADA_ID)).name).toBe("Ada Lovelace");
  });
});

describe("a profile's detail", () => {
  test("shows sessions, passcodes and connections live, with their actions", async ({ visit }) => {
    const page = await visit(harness.url(`/users/${ADA_ID}`));
    const detail = page.getByRole("region", { name: "Profile of Ada Lovelace" });
    const tab = (name: string) => detail.getByRole("link", { name: new RegExp(`^${name}`) }).click();
    await tab("Sessions");
    await detail.getByText("No sessions yet.").waitFor();
    await tab("Logins");
    await detail.getByRole("button", { name: "Send code" }).click();
    const passcodes = async () => (await harness.control("GET", "/passcodes?limit=1")).json.items;
    await expect.poll(passcodes).toHaveLength(1);
    const [{ code }] = await passcodes();
    await detail.getByRole("link", { name: code }).waitFor();
    await tab("Sessions");
    await detail.getByRole("button", { name: "Sign in" }).click();
    await detail.getByRole("link", { name: /Chrome/ }).waitFor();
    const copy = page.getByRole("alert").filter({ hasText: "Signed in as Ada Lovelace" }).getByText("Copy token");
    expect((await copiedBy(page, () => copy.click())).split(".")).toHaveLength(3);
    const menu = async (name: string) => {
      await detail.getByRole("button", { name: "More actions for Ada Lovelace" }).click();
      await page.getByRole("menuitem", { name }).click();
    };
    await menu("Revoke sessions of Ada Lovelace");
    await detail.getByText("Revoked", { exact: true }).waitFor();
    await tab("Connections");
    await detail.getByRole("button", { name: "Add connection" }).click();
    await page.getByRole("dialog").getByLabel("Service", { exact: true }).fill("Opera");
    await page.keyboard.press("Enter");
    await detail.getByText("Opera").waitFor();
    await menu("Delete Ada Lovelace");
    await page.getByRole("button", { name: /^Undo/ }).click();
    await expect.poll(async () => (await read(ADA_ID)).name).toBe("Ada Lovelace");
  });

  test("with a blank or long name has a title of at most two lines", async ({ visit }) => {
    const made = async (name: string): Promise<string> =>
      (await harness.control("POST", "/profiles", { appId: "demo-app", name })).json.userId;
    const page = await visit(harness.url(`/users/${await made(" ")}?app=demo-app`));
    await page.getByRole("heading", { name: "(no name)" }).waitFor();
    await page.goto(harness.url(`/users/${await made("long ".repeat(50))}?app=demo-app`));
    const title = page.getByRole("heading", { name: /^long long/ });
    await title.waitFor();
    await settled(page);
    expect((await title.boundingBox())?.height).toBeLessThanOrEqual(64);
  });

  test("of an unknown user says so", async ({ visit }) => {
    const page = await visit(harness.url("/users/00000000-0000-4000-8000-000000000000"));
    await page.getByRole("heading", { name: "User not found" }).waitFor();
  });
});

describe("axe finds nothing", () => {
  for (const [name, path, text] of [
    ["list and detail", `/profiles/${ADA_ID}?app=demo-app`, "Fixed code"],
    ["sessions of a user", `/users/${ADA_ID}~sessions?app=demo-app`, "No sessions yet."],
    ["form", `/profiles/${ADA_ID}~edit?app=demo-app`, "Metadata"],
    ["new", "/profiles/new", "Save and add another"],
    ["nothing found", "/profiles?q=nobody", "Nothing found"],
  ] as const)
    test(name, async ({ visit }) => {
      const page = await visit(harness.url(path));
      // Exact, because the header always has "Send code".
      await page
        .getByText(text, { exact: text === "Fixed code" })
        .first()
        .waitFor();
      await page.getByText("Running", { exact: true }).waitFor();
      expect(await findings(page)).toEqual([]);
    });

  test("selection and undo, narrow", async ({ visit }) => {
    const page = await visit(harness.url(DEMO));
    await page.setViewportSize({ width: 900, height: 600 });
    await page.getByLabel("Select all").click();
    await page.getByText(/ of \d+ selected$/).waitFor();
    await page.getByLabel("Select Ada Lovelace").click();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByText(/ of \d+ selected$/).count()).toBe(0);
    await page.getByLabel("Select Alan Turing").click();
    await page.getByRole("button", { name: "Delete #" }).click();
    await page.getByRole("button", { name: /^Undo/ }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole("button", { name: /^Undo/ }).click();
    await page.getByLabel("Select Alan Turing").waitFor();
  });
});

describe("while the server is disconnected", () => {
  test("the list keeps its last state, and a save reports its failure", async ({ visit }) => {
    const page = await visit(harness.url(`/users/${ADA_ID}~edit?app=demo-app`));
    await page.getByLabel("Name", { exact: true }).fill("Ada King");
    const { comeBack } = await harness.crash();
    await page.getByText("Stagedoor is not running.").waitFor();
    await row(page, "Ada Lovelace").waitFor();
    await page.getByRole("button", { name: /^Save/ }).click();
    await page.getByText("Stagedoor does not respond at").waitFor();
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Ada King");
    await comeBack();
    await page.getByText("Running", { exact: true }).waitFor();
    await page.getByRole("button", { name: /^Save/ }).click();
    await page.getByRole("region", { name: "Profile of Ada King" }).waitFor();
  });
});
