/** Present by keyboard, by mouse and from the phone: a login for an audience. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { findingsAsIs } from "#test/e2e/axe.ts";
import { useHarness } from "#test/e2e/harness.ts";
import { hero, ownApps, press, standsAt, test } from "./stage-harness.ts";

const emulator = useHarness();
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const read = async (path: string) => (await emulator.control("GET", path)).json;

test("the keyboard alone plays a wrong code, an expired one and a login; R resets its app alone", async ({ open }) => {
  const before = await read("/state");
  const page = await open(emulator.url("/stage"));
  await standsAt(page, "idle");
  expect(await findingsAsIs(page)).toEqual([]);
  await press(page, " ", "filled");
  await press(page, " ", "code");
  const code = (await hero(page).textContent()) ?? "";
  expect(code).toMatch(/^\d{6}$/);
  await press(page, "w", "wrong");
  await page.getByText("4 attempts left").waitFor();
  await page.keyboard.press("t");
  await page.getByText("The clock moves on 11 minutes").waitFor();
  await press(page, " ", "expired");
  await button(page, "New code").waitFor();
  await press(page, " ", "code");
  await expect.poll(() => hero(page).textContent()).not.toBe(code);
  expect(await findingsAsIs(page)).toEqual([]);
  await press(page, " ", "signedIn");
  await page.getByText(/^Ada enters .*: signed in$/).waitFor();
  expect(await page.content()).not.toMatch(/eyJ[\w-]{20}/);
  // It stays out of the way of whatever is tested.
  expect([(await read("/apps")).total, (await read("/passcodes")).total, (await read("/requests")).total]).toEqual([
    2, 0, 0,
  ]);
  const [appId = ""] = await ownApps(emulator);
  const tookMs = await page.evaluate(async (own) => {
    const start = performance.now();
    dispatchEvent(new KeyboardEvent("keydown", { key: "r", code: "KeyR", bubbles: true, cancelable: true }));
    const isReset = async () => {
      const { total } = await (await fetch(`/emulator/v1/passcodes?appId=${own}`)).json();
      return total === 0 && document.querySelector('main[data-state="idle"]') !== null;
    };
    while (!(await isReset()));
    return performance.now() - start;
  }, appId);
  // 200 ms on a quiet machine.
  expect(tookMs).toBeLessThan(1_000);
  expect(await read("/state")).toEqual(before);
  // It begins with the first user again, at the real time.
  await press(page, " ", "filled");
  expect((await read(`/clock?appId=${appId}`)).offsetSeconds).toBe(0);
  await press(page, " ", "code");
  await page.getByText("Ada requests a code").waitFor();
});

test("the mouse alone plays a login of the second user; the next request fails once", async ({ open }) => {
  const page = await open(emulator.url("/stage"));
  await standsAt(page, "idle");
  for (const [name, state] of [
    ["Enter number", "filled"],
    ["Request code", "code"],
    ["Enter code", "signedIn"],
    ["Next user", "filled"],
  ] as const) {
    await button(page, name).click();
    await standsAt(page, state);
  }
  await button(page, "Fail next").click();
  await page.getByText("The next request fails").waitFor();
  await button(page, "Request code").click();
  await standsAt(page, "failed");
  await button(page, "Request code").click();
  await standsAt(page, "code");
  await page.getByRole("region", { name: "Newest code" }).getByText("Grace Hopper").waitFor();
  await button(page, "Start over").click();
  await standsAt(page, "idle");
});

test("keys act wherever the focus is, but in a field; Space presses the focused button", async ({ open }) => {
  const page = await open(emulator.url("/stage"));
  await standsAt(page, "idle");
  const phone = page.frameLocator("iframe");
  const field = phone.getByLabel("Phone number");
  await field.fill("+1202555010");
  await field.press("w");
  await field.press("Backspace");
  await field.press("0");
  expect(await field.inputValue()).toBe("+12025550100");
  // From a button of the phone: R is heard, and Space presses the button.
  await phone.getByRole("button", { name: "Continue" }).press(" ");
  await standsAt(page, "code");
  await phone.getByRole("button", { name: "Change details" }).press("r");
  await standsAt(page, "idle");
  await field.press("Escape");
  await press(page, " ", "filled");
  await page.getByRole("link", { name: "Leave" }).focus();
  await press(page, "r", "idle");
  await button(page, "Fail next").focus();
  await page.keyboard.press(" ");
  await page.getByText("The next request fails").waitFor();
  await standsAt(page, "idle");
});

/** Texts of the page that are cut or outside of the window, small, or hard to read, with what is wrong. */
const faultsIn = (least: { readonly label: number; readonly step: number } | null): string[] => {
  const found: string[] = [];
  const rgb = (color: string): number[] => {
    const canvas = document.createElement("canvas").getContext("2d");
    if (canvas === null) throw new Error("no canvas");
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = (color: string): number => {
    const [r = 0, g = 0, b = 0] = rgb(color).map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const back = light(getComputedStyle(document.documentElement).getPropertyValue("--sd-bg"));
  for (const element of document.querySelectorAll("main header *, main section *, main ol *, main ul *")) {
    const isText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim() !== "");
    if (!isText || element.closest('[aria-hidden="true"]:not(kbd)') !== null || element.matches(".spoken")) continue;
    const text = element.textContent ?? "";
    const { left, top, right, bottom } = element.getBoundingClientRect();
    if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight) found.push(`outside: ${text}`);
    if (element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0) found.push(`cut: ${text}`);
    const { fontSize, color } = getComputedStyle(element);
    const size = Number.parseFloat(fontSize);
    if (least && size < (element.matches("ol strong") ? least.step : least.label)) found.push(`${size} px: ${text}`);
    const ink = light(color);
    const contrast = (Math.max(ink, back) + 0.05) / (Math.min(ink, back) + 0.05);
    if (contrast < 4.5) found.push(`${contrast.toFixed(2)} to 1: ${text}`);
  }
  return found;
};

test.for([
  [720, 480],
  [900, 600],
  [1280, 800],
  [1920, 1080],
] as const)("at %i × %i nothing is cut, and all can be read", async ([width, height], { open }) => {
  const page = await open(emulator.url("/stage"));
  await page.setViewportSize({ width, height });
  await standsAt(page, "idle");
  const isLarge = width === 1920 ? { label: 20, step: 24 } : null;
  const look = async (): Promise<void> => {
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await page.evaluate(faultsIn, isLarge)).toEqual([]);
    }
  };
  await look();
  await press(page, " ", "filled");
  await press(page, " ", "code");
  await look();
  // A digit of the typeface is 0.73 of its size high.
  const size = await hero(page).evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));
  expect((size * 0.73) / height).toBeGreaterThan(0.12);
  await press(page, "w", "wrong");
  for (const _ of [1, 2, 3, 4]) await page.keyboard.press("t");
  await expect.poll(() => page.getByText("The clock moves on 11 minutes").count()).toBe(4);
  await press(page, " ", "expired");
  await page.keyboard.press("f");
  await page.getByText("The next request fails").waitFor();
  // The oldest steps went as a whole.
  const list = page.getByRole("list", { name: "This login" });
  const bottoms = await list.locator("li").evaluateAll((items) => {
    const { right } = items[0]?.parentElement?.getBoundingClientRect() ?? { right: 0 };
    return items.filter((item) => item.getBoundingClientRect().left < right).map((item) => item.textContent);
  });
  expect(bottoms[0]).toContain("The next request fails");
  expect(bottoms.length).toBeGreaterThan(2);
});

test("while the server is away a key is not done, and said; the page goes on when it is back", async ({ open }) => {
  const page = await open(emulator.url("/stage"));
  await standsAt(page, "idle");
  await press(page, " ", "filled");
  await page.route("**/emulator/v1/**", (route) => route.abort());
  await page.evaluate(() => dispatchEvent(new Event("offline")));
  await page.keyboard.press("f");
  await page
    .getByText(/Disconnected from Stagedoor|Something went wrong/)
    .first()
    .waitFor();
  await page.unroute("**/emulator/v1/**");
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await standsAt(page, "filled");
  await press(page, " ", "code");
  const [appId = ""] = await ownApps(emulator);
  expect((await read(`/faults?appId=${appId}`)).total).toBe(0);
});

test("? shows the QR code and codes of real phones while the network is open, and says so while it is not", async ({
  open,
}) => {
  const page = await open(emulator.url("/stage"));
  await standsAt(page, "idle");
  await page.keyboard.press("?");
  await page.getByText("The network is closed.").waitFor();
  expect((await emulator.control("PUT", "/lan", { open: true })).status).toBe(200);
  await button(page, "Show QR ?").waitFor();
  await page.keyboard.press("?");
  await page.getByRole("img", { name: /^QR code of http/ }).waitFor();
  const [appId = ""] = await ownApps(emulator);
  await emulator.auth("POST", "/v1/users/session", { appId, user: { phone: "+12025550101" } });
  const codes = page.getByRole("list", { name: "Codes of real phones" });
  await codes.getByText("+1 202 555 0101").waitFor();
  await page.keyboard.press("Escape");
  await hero(page).or(page.getByText("Who signs in?")).waitFor();
  await emulator.control("PUT", "/lan", { open: false });
});
