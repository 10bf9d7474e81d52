/** A login as a film, and rewinding it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { findings, findingsBesideColours } from "#test/e2e/axe.ts";
import { ADA, test, useHarness } from "#test/e2e/harness.ts";
import { CLI, cleanEnv, temporaryDir } from "#test/hosts/built.ts";

const harness = useHarness();
const ADMIN = { Authorization: "Bearer sk_local_demo", "Content-Type": "application/json", Connection: "close" };
/** A user without a fixed code. */
const OTHER = "+12025550102";
const CODE_SECONDS = 600;

const wrong = (code: string, n: number): string =>
  String((Number(code) + n) % 10 ** code.length).padStart(code.length, "0");

/** Five different wrong codes. @returns the right one. */
const locked = async (phone: string): Promise<string> => {
  const code = await harness.sendCode(phone);
  for (const n of [1, 2, 3, 4, 5]) await harness.signIn(phone, wrong(code, n));
  expect((await harness.signIn(phone, code)).status).toBe(401);
  return code;
};

const passcodeOf = async (phone: string) =>
  (await harness.control("GET", `/passcodes?appId=demo-app&to=${encodeURIComponent(phone)}`)).json.items[0];
const admin = (method: string, path: string, body?: object) =>
  fetch(harness.built.ready.adminUrl + path, { method, headers: ADMIN, ...(body && { body: JSON.stringify(body) }) });

const step = (page: Page, name: RegExp | string) => page.getByRole("button", { name, expanded: false });
const shown = (page: Page) => page.getByRole("listitem").filter({ has: page.getByRole("button", { expanded: true }) });
const rewind = (page: Page): Promise<void> => page.getByRole("button", { name: "Rewind to before this" }).click();
const band = (page: Page) => page.getByRole("region", { name: "Last change" });

/** Opens the newest login in the requests. */
const openLogin = async (page: Page, name = "Ada Lovelace"): Promise<void> => {
  await page.getByRole("link", { name }).first().click();
  await page.getByRole("region", { name: /^Login of/ }).waitFor();
};

describe("a login", () => {
  test("shows what was there after each step, and goes on from before the third wrong code", async ({ visit }) => {
    const code = await locked(ADA);
    const page = await visit(harness.url("/codes?app=demo-app"));
    await openLogin(page);
    await shown(page).getByText("Locked").first().waitFor();
    await step(page, wrong(code, 3)).click();
    await shown(page).getByText("2 attempts left").waitFor();
    await shown(page).getByText("Check the passcode, or request a new one.").waitFor();
    expect(await findings(page)).toEqual([]);
    await rewind(page);
    await band(page).getByText("Rewound to").waitFor();
    expect(await passcodeOf(ADA)).toMatchObject({ status: "active", attempts: 2 });
    expect((await harness.signIn(ADA, code)).status).toBe(200);
    await step(page, "signed in").click();
    await shown(page).getByText("new", { exact: true }).waitFor();
    // What the user has done since is never undone.
    await band(page).getByRole("button", { name: "Undo" }).click();
    await band(page).getByRole("alert").getByText("Ada Lovelace has changed").waitFor();
    expect((await harness.control("GET", "/sessions?appId=demo-app")).json.total).toBe(1);
  });

  test("is rewound from the inbox by keyboard alone", async ({ visit }) => {
    const code = await locked(ADA);
    const page = await visit(harness.url("/codes?app=demo-app"));
    const isStep = () => page.evaluate(() => document.activeElement?.matches("ol button[aria-expanded]"));
    await step(page, wrong(code, 5)).waitFor();
    for (let tabs = 0; tabs < 40 && !(await isStep()); tabs++) await page.keyboard.press("Tab");
    expect(await isStep()).toBe(true);
    // The last one, which was refused.
    for (const n of [5, 4, 3]) {
      await page.keyboard.press(n === 4 ? "ArrowLeft" : "ArrowUp");
      await shown(page).getByText(wrong(code, n)).first().waitFor();
    }
    await shown(page).getByText("2 attempts left").waitFor();
    await page.keyboard.press("z");
    await band(page).waitFor();
    await expect.poll(async () => (await passcodeOf(ADA)).attempts).toBe(2);
    await page.keyboard.press("u");
    await expect.poll(async () => (await passcodeOf(ADA)).status).toBe("exhausted");
    await expect.poll(() => band(page).count()).toBe(0);
  });

  test("is rewound with its key wherever the focus is, as long as the button shows", async ({ visit }) => {
    const code = await harness.sendCode(ADA);
    for (const n of [1, 2]) await harness.signIn(ADA, wrong(code, n));
    const page = await visit(harness.url("/codes?app=demo-app"));
    await openLogin(page);
    await page.getByRole("button", { name: "Rewind to before this z" }).waitFor();
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
    await page.keyboard.press("z");
    await expect.poll(async () => (await passcodeOf(ADA)).attempts).toBe(1);
  });

  test("with an expired code goes on once the clock is turned back", async ({ visit }) => {
    const code = await harness.sendCode(ADA);
    await harness.signIn(ADA, wrong(code, 1));
    await harness.control("POST", "/clock/advance?appId=demo-app", { seconds: CODE_SECONDS });
    expect((await harness.signIn(ADA, code)).status).toBe(401);
    const page = await visit(harness.url("/codes?app=demo-app"));
    await openLogin(page);
    await step(page, wrong(code, 1)).click();
    await rewind(page);
    await band(page).waitFor();
    expect((await harness.signIn(ADA, code)).status).toBe(401);
    await band(page).getByRole("button", { name: "And turn the clock back" }).click();
    await band(page).getByText("and turned the clock back").waitFor();
    expect(await band(page).getByRole("button", { name: "And turn the clock back" }).count()).toBe(0);
    await band(page).getByRole("button", { name: "Undo" }).click();
    await expect.poll(async () => (await passcodeOf(ADA)).status).toBe("expired");
    expect((await harness.control("GET", "/clock?appId=demo-app")).json.offsetSeconds).toBe(CODE_SECONDS);
    await page.getByRole("button", { name: "Redo" }).click();
    await expect.poll(async () => (await passcodeOf(ADA)).status).toBe("active");
    expect((await harness.signIn(ADA, code)).status).toBe(200);
  });

  test("where only time has passed says so, and offers to turn the clock back", async ({ visit }) => {
    const code = await harness.sendCode(ADA);
    await harness.control("POST", "/faults", { match: { method: "PUT" }, effect: { status: 503 }, times: 1 });
    await harness.signIn(ADA, code);
    await harness.control("POST", "/clock/advance?appId=demo-app", { seconds: CODE_SECONDS });
    const page = await visit(harness.url("/codes?app=demo-app"));
    await openLogin(page);
    await step(page, code)
      .or(shown(page).getByRole("button", { name: code }))
      .click();
    await rewind(page);
    await band(page).getByText("Already there: nothing has changed since before").waitFor();
    await band(page).getByRole("button", { name: "And turn the clock back" }).click();
    await band(page).getByText("and turned the clock back").waitFor();
    expect((await harness.signIn(ADA, code)).status).toBe(200);
  });

  test("of one user is rewound, and another user's is not", async ({ visit }) => {
    await locked(OTHER);
    const code = await locked(ADA);
    const before = await passcodeOf(OTHER);
    const page = await visit(harness.url("/codes?app=demo-app"));
    await openLogin(page);
    await step(page, wrong(code, 1)).click();
    await rewind(page);
    await band(page).waitFor();
    expect(await passcodeOf(ADA)).toMatchObject({ attempts: 0 });
    expect(await passcodeOf(OTHER)).toEqual(before);
  });
});

test("of a download is a film without a rewind", async ({ visit }) => {
  const code = await locked(ADA);
  const [{ id }] = (await harness.control("GET", "/requests?appId=demo-app&limit=1")).json.items;
  const { dir, remove } = await temporaryDir();
  const file = join(dir, "login.json");
  await writeFile(file, (await harness.control("GET", `/requests/${id}/bundle`)).text);
  const child = spawn(process.execPath, [CLI, "open", file, "--headless", "--json"], {
    env: cleanEnv(),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const [line] = await once(child.stdout, "data");
  const page = await visit(JSON.parse(String(line)).url);
  await shown(page).getByText("Locked").first().waitFor();
  await step(page, wrong(code, 2)).click();
  await shown(page).getByText("3 attempts left").waitFor();
  expect(await page.getByRole("button", { name: "Rewind to before this" }).count()).toBe(0);
  child.kill("SIGTERM");
  await ended;
  await remove();
});

describe("a deleted profile", () => {
  const deleted = async () => {
    const { token } = await harness.signIn(ADA, await harness.sendCode(ADA));
    const { userId } = (await harness.control("GET", `/profiles?appId=demo-app&q=${encodeURIComponent(ADA)}`)).json
      .items[0];
    expect((await admin("DELETE", `/v1/profiles/${userId}`)).status).toBe(204);
    return { token, userId };
  };
  const isActive = async (token: string) =>
    (await harness.control("POST", "/sessions/introspect", { token })).json.active;

  test("comes back with its sessions", async ({ visit }) => {
    const { token, userId } = await deleted();
    expect(await isActive(token)).toBe(false);
    const page = await visit(harness.url("/codes?app=demo-app"));
    await page.getByRole("main").locator("[data-row-link]").first().click();
    await shown(page).getByText("Profile deleted: Ada Lovelace").waitFor();
    await rewind(page);
    await band(page).getByText("Rewound to").waitFor();
    expect(await isActive(token)).toBe(true);
    expect((await harness.control("GET", `/profiles/${userId}`)).json.name).toBe("Ada Lovelace");
  });

  test("whose number somebody else has taken stays deleted, and the page says who has it", async ({ visit }) => {
    const { userId } = await deleted();
    await admin("POST", "/v1/profiles", { phone: ADA, name: "Eve" });
    const page = await visit(harness.url("/codes?app=demo-app"));
    await page.getByRole("main").locator("[data-row-link]").first().click();
    await shown(page).getByText("Profile deleted: Ada Lovelace").waitFor();
    await rewind(page);
    await page.getByRole("alert").getByText("Eve").waitFor();
    expect(await band(page).count()).toBe(0);
    expect((await harness.control("GET", `/profiles/${userId}`)).status).toBe(404);
  });
});

test("axe finds nothing in a film and its band, at every size", async ({ visit }) => {
  await locked(ADA);
  for (const path of ["/codes?app=demo-app"]) {
    const page = await visit(harness.url(path));
    await step(page, /Code sent by SMS/).click();
    await shown(page).getByText("5 attempts left").waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("z");
    await band(page).waitFor();
    for (const [width, height] of [
      [1280, 800],
      [900, 600],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height });
      expect(await (width === 1280 ? findings : findingsBesideColours)(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(
        0,
      );
    }
    await page.keyboard.press("u");
    await expect.poll(() => band(page).count()).toBe(0);
  }
});
