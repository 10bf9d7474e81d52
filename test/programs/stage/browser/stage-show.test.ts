/** The show: it survives F5, another tab and its server, and a clicker or any keyboard can give it. */
import { randomInt } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { useHarness } from "#test/e2e/harness.ts";
import { startBuilt } from "#test/hosts/built.ts";
import { caller } from "#test/hosts/client.ts";
import { hero, stageApp, stageApps, standsAt, test } from "./stage-harness.ts";

const emulator = useHarness();
const FIXTURES = fileURLToPath(new URL("../../../../fixtures/stage.json", import.meta.url));

const startShow = async (...more: string[]) => {
  const built = await startBuilt(["--ephemeral", "--fixtures", FIXTURES, ...more]);
  onTestFinished(async () => void (await built.stop()));
  return built;
};

/** Presses a key as a keyboard of another layout, or one that is held, would. */
const dispatch = (page: Page, init: { key: string; code: string; repeat?: boolean }) =>
  page.evaluate((event) => {
    window.dispatchEvent(new KeyboardEvent("keydown", { ...event, bubbles: true, cancelable: true }));
  }, init);

test("F5, leaving and another tab go on with the stage; two at a time stay apart", async ({ open }) => {
  const page = await open(emulator.url("/stage"));
  await standsAt(page, "idle");
  const appId = await stageApp(emulator);
  const phone = "+12025550177";
  expect((await emulator.auth("POST", "/v1/users/session", { appId, user: { phone } })).status).toBe(200);
  await page.keyboard.press("b");
  await page.reload();
  await standsAt(page, "idle");
  await page.locator("main[data-blurred]").waitFor();
  await page.keyboard.press("g");
  await page.getByText("1 of 1 are in").waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("1");
  await standsAt(page, "code");
  await page.keyboard.press("Escape");
  await page.waitForURL("**/inbox");
  await page.goBack();
  await standsAt(page, "idle");
  expect((await stageApps(emulator)).map((app) => app.appId)).toEqual([appId]);

  const other = await open(emulator.url("/stage"));
  await standsAt(other, "idle");
  expect((await stageApps(emulator)).length).toBe(2);
  await page.close();
  const third = await open(emulator.url("/stage"));
  await standsAt(third, "idle");
  await third.keyboard.press("g");
  await third.getByText("1 of 1 are in").waitFor();
  expect((await stageApps(emulator)).length).toBe(2);
});

test("an app that is deleted under the stage is made again at once, under its id and with its people", async ({
  open,
}) => {
  const page = await open(emulator.url("/stage"));
  await standsAt(page, "idle");
  const appId = await stageApp(emulator);
  expect((await emulator.control("DELETE", `/apps/${appId}`)).status).toBe(204);
  await page.keyboard.press("r");
  await expect.poll(async () => (await stageApps(emulator)).map((app) => app.appId)).toEqual([appId]);
  await standsAt(page, "idle");
  await page.keyboard.press("2");
  await standsAt(page, "code");
  await page.getByRole("region", { name: "Newest code" }).getByText("Grace Hopper").waitFor();
  expect(await page.getByText("Not Found").count()).toBe(0);
});

test("other people in the source come with the next F5", async ({ open }) => {
  const page = await open(emulator.url("/stage?appId=demo-app"));
  await standsAt(page, "idle");
  const appId = await stageApp(emulator);
  const profile = { appId: "demo-app", phone: "+12025550188", name: "Mary", metadata: { persona: "Is new" } };
  expect((await emulator.control("POST", "/profiles", profile)).status).toBe(201);
  await page.reload();
  await page.getByRole("button", { name: "Mary" }).waitFor();
  expect((await stageApps(emulator)).map((app) => app.appId)).toEqual([appId]);
});

test("a server that is stopped is called disconnected, and goes on", async ({ open, skip }) => {
  skip(process.platform === "win32", "Windows cannot stop a process for a while");
  const { ready, child } = await startShow();
  const page = await open(`${ready.consoleUrl}/stage`);
  await standsAt(page, "idle");
  child.kill("SIGSTOP");
  await page.getByText("Disconnected from Stagedoor").first().waitFor({ timeout: 10_000 });
  child.kill("SIGCONT");
  await standsAt(page, "idle");
  await page.keyboard.press("1");
  await standsAt(page, "code");
});

test("after a restart on the same ports the audience's phones go on", async ({ open, newPage }) => {
  const ports = ["--console-port", `${randomInt(10_240, 21_000)}`, "--auth-port", `${randomInt(21_000, 32_768)}`];
  const first = await startShow(...ports);
  const page = await open(`${first.ready.consoleUrl}/stage`);
  await standsAt(page, "idle");
  const appId = await stageApp({ control: caller(() => `${first.ready.consoleUrl}/emulator/v1`) });
  const phone = await newPage();
  await phone.goto(`${first.ready.authUrl}/emulator/demo/?appId=${appId}`);
  await phone.getByLabel("Phone number").fill("+12025550166");
  await first.stop("SIGKILL");
  await standsAt(page, "away");
  const second = await startShow(...ports);
  await standsAt(page, "idle");
  const control = caller(() => `${second.ready.consoleUrl}/emulator/v1`);
  await expect.poll(async () => (await control("GET", `/apps/${appId}`)).status).toBe(200);
  await phone.getByRole("button", { name: "Continue" }).click();
  await phone.getByRole("heading", { name: "Account created" }).waitFor();
  // A full Chromium draws no frames of a page behind another one.
  await page.bringToFront();
  await page.keyboard.press("g");
  await page.getByText("1 of 1 are in").waitFor();
});

/** How the phone stands after each step of the shipped show. */
const SHOW = "code signedIn idle code wrong signedIn idle code code expired idle code locked idle code".split(" ");

test("PageDown gives the whole show of fixtures/stage.json, PageUp goes back", async ({ open }) => {
  const { ready } = await startShow();
  const page = await open(`${ready.consoleUrl}/stage`);
  await standsAt(page, "idle");
  const codes: string[] = [];
  for (const [at, state] of SHOW.entries()) {
    await page.keyboard.press("PageDown");
    await standsAt(page, state);
    // Moving the clock changes nothing on the phone.
    if (at === SHOW.indexOf("expired") - 1) await page.getByText("The code expired").waitFor();
    if (state === "code") await hero(page).waitFor();
    codes.push((await hero(page).isVisible()) ? ((await hero(page).textContent()) ?? "") : "");
  }
  await page.keyboard.press("PageDown");
  await page.getByText("End of the show.").waitFor();
  for (let at = SHOW.length - 2; at >= 0; at--) {
    await page.keyboard.press("PageUp");
    await standsAt(page, SHOW[at] ?? "");
    const before = codes[at] ?? "";
    if (before === "") continue;
    await expect.poll(() => hero(page).textContent()).toBe(before);
  }
  await page.keyboard.press("PageUp");
  await standsAt(page, "idle");
  await page.keyboard.press("PageUp");
  await page.getByText("Nothing to go back to.").waitFor();
  // And forward again, from where it is.
  await page.keyboard.press("ArrowRight");
  await standsAt(page, "code");
  await page.keyboard.press("ArrowRight");
  await standsAt(page, "signedIn");
});

const LAYOUTS = {
  French: [
    ["&", "Digit1", "code"],
    ["w", "KeyZ", "wrong"],
    [" ", "Space", "signedIn"],
    ["r", "KeyR", "idle"],
    ["é", "Digit2", "code"],
    ["t", "KeyT", "code"],
    [" ", "Space", "expired"],
    ["r", "KeyR", "idle"],
  ],
  Russian: [
    ["1", "Digit1", "code"],
    ["ц", "KeyW", "wrong"],
    [" ", "Space", "signedIn"],
    ["к", "KeyR", "idle"],
    ["2", "Digit2", "code"],
    ["е", "KeyT", "code"],
    [" ", "Space", "expired"],
    ["к", "KeyR", "idle"],
  ],
  Arabic: [
    ["١", "Digit1", "code"],
    ["ص", "KeyW", "wrong"],
    [" ", "Space", "signedIn"],
    ["ق", "KeyR", "idle"],
  ],
  "full-width": [
    ["１", "Digit1", "code"],
    ["ｗ", "KeyW", "wrong"],
    ["　", "Space", "signedIn"],
    ["ｒ", "KeyR", "idle"],
  ],
} as const;

test("keyboards of other layouts, and keys that are held", async ({ open }) => {
  const page = await open(emulator.url("/stage"));
  await standsAt(page, "idle");
  for (const presses of Object.values(LAYOUTS))
    for (const [key, code, state] of presses) {
      if (code === "KeyT") await page.getByText("Waiting for the code").waitFor();
      await dispatch(page, { key, code });
      for (let times = 0; times < 5; times++) await dispatch(page, { key, code, repeat: true });
      await standsAt(page, state);
      if (code === "KeyT") await page.getByText("The code expired").waitFor();
    }
  const appId = await stageApp(emulator);
  await page.keyboard.press("1");
  await standsAt(page, "code");
  const before = (await emulator.control("GET", `/clock?appId=${appId}`)).json.offsetSeconds;
  await dispatch(page, { key: "t", code: "KeyT" });
  for (let times = 0; times < 3; times++) await dispatch(page, { key: "t", code: "KeyT", repeat: true });
  await page.getByText("The code expired").waitFor();
  const after = (await emulator.control("GET", `/clock?appId=${appId}`)).json.offsetSeconds;
  expect(after - before).toBeLessThan(605);
  // The full stop of a clicker, on a French keyboard.
  await dispatch(page, { key: ":", code: "Period" });
  await dispatch(page, { key: ":", code: "Period", repeat: true });
  await page.locator("main[data-blurred]").waitFor();
});

test("a key that cannot act says why, for two seconds", async ({ open }) => {
  const page = await open(emulator.url("/stage"));
  await standsAt(page, "idle");
  await page.keyboard.press(" ");
  const why = page.getByText("No code yet.");
  await why.waitFor();
  const box = await why.boundingBox();
  expect(box?.width).toBeGreaterThan(40);
  await why.waitFor({ state: "detached", timeout: 4_000 });
  await page.keyboard.press("9");
  await page.getByText("No person on key 9.").waitFor();
  await page.evaluate(() =>
    localStorage.setItem("stagedoor.settings", JSON.stringify({ state: { singleKeys: false } })),
  );
  await page.reload();
  await standsAt(page, "idle");
  await page.keyboard.press("1");
  await page.getByText("Single keys are off").waitFor();
});

test("after the fifth wrong code it says that this was the last attempt", async ({ open }) => {
  const page = await open(emulator.url("/stage"));
  await standsAt(page, "idle");
  await page.keyboard.press("1");
  await standsAt(page, "code");
  for (let left = 4; left >= 0; left--) {
    await page.keyboard.press("w");
    if (left > 0) await page.getByText(`${left} attempt${left === 1 ? "" : "s"} left`).waitFor();
  }
  await page.getByText("That was the last attempt").waitFor();
  await page.getByText("Last attempt used").waitFor();
  await page.keyboard.press(" ");
  await standsAt(page, "locked");
});

test("people anywhere in a large app are found, more than nine too, and those without a number are named", async ({
  open,
}) => {
  const strangers = Array.from({ length: 130 }, (_one, at) => ({ phone: `+1202555${String(2000 + at)}` }));
  const people = Array.from({ length: 12 }, (_one, at) => ({
    phone: `+120255501${String(at + 10)}`,
    name: `Person ${at + 1}`,
    metadata: {
      persona: `Story ${at + 1}${at === 5 ? ", which goes on and on until it has taken a good many lines of its column" : ""}`,
    },
  }));
  const nameless = { email: "lea@example.com", name: "Lea", metadata: { persona: "Has no number" } };
  const world = { apps: [{ appId: "large", strategy: "phone", profiles: [...strangers, ...people, nameless] }] };
  expect((await emulator.control("PUT", "/state", { mode: "merge", state: world })).status).toBe(200);
  const page = await open(emulator.url("/stage?appId=large"));
  await standsAt(page, "idle");
  await page.getByText("Lea has no phone number").waitFor();
  await page.setViewportSize({ width: 1024, height: 768 });
  const cut = await page.getByRole("list", { name: "Who may sign in" }).evaluate((list) => {
    const foot = document.querySelector("footer")?.getBoundingClientRect();
    const isCut = (item: Element): boolean => item.getBoundingClientRect().bottom > (foot?.top ?? 0);
    // In both columns: half a person in each.
    return [...list.children].filter((item) => isCut(item) || item.getClientRects().length > 1).length;
  });
  expect(cut).toBe(0);
  // One button for each: above, and once somebody signs in below.
  const last = page.getByRole("button", { name: "Person 12" });
  expect(await last.textContent()).toContain("Story 12");
  await last.click();
  await standsAt(page, "code");
  expect(await last.getAttribute("title")).toBe("Person 12: Story 12");
  await page.keyboard.press("b");
  await expect.poll(() => last.getAttribute("title")).toBeNull();
});
