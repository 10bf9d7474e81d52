/** What the console shows as one login is what the rows say, whatever the settings are by now. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { ADA, GRACE, rowWith, test, useHarness, wrongCode } from "./harness.ts";

const harness = useHarness();

const open = async (page: Page, name: string, nth = 0) => {
  await rowWith(page, name).getByRole("link").nth(nth).click();
  return page.getByRole("region", { name: /^Login of/ });
};

test("logins of before stay as they were when the app's wire settings change", async ({ visit }) => {
  const codes = new Map([ADA, GRACE].map((phone) => [phone, ""]));
  for (const phone of codes.keys()) {
    codes.set(phone, await harness.sendCode(phone));
    await harness.signIn(phone, wrongCode(codes.get(phone) ?? ""));
    await harness.signIn(phone, codes.get(phone) ?? "");
  }
  const wire = { userField: "person", passcodeField: "otp" };
  expect((await harness.control("PATCH", "/apps/demo-app", { settings: { wire } })).status).toBe(200);
  const page = await visit(harness.url("/requests?show=logins"));
  await expect.poll(() => page.locator("[data-row-link]").count()).toBe(2);
  for (const [name, phone] of [
    ["Ada Lovelace", ADA],
    ["Grace Hopper", GRACE],
  ] as const) {
    const story = await open(page, name);
    await story.getByText("Signed in after 1 wrong code").waitFor();
    const steps = story.getByRole("listitem");
    expect(await steps.count()).toBe(3);
    for (const typed of [wrongCode(codes.get(phone) ?? ""), codes.get(phone) ?? ""])
      await steps.filter({ hasText: typed }).waitFor();
    expect(await story.getByText("No passcode in the request").count()).toBe(0);
    await page.keyboard.press("Escape");
  }
  await page.goto(harness.url("/requests"));
  await rowWith(page, `typed ${codes.get(GRACE)}`)
    .getByText(GRACE, { exact: true })
    .waitFor();
});

test("a login that begins with a code from the console has the same requests on the screen and in its bundle", async ({
  visit,
}) => {
  await harness.signIn(ADA, await harness.sendCode(ADA));
  const { userId } = (await harness.control("GET", `/profiles?appId=demo-app&q=${encodeURIComponent(ADA)}`)).json
    .items[0];
  const { code } = (await harness.control("POST", "/passcodes", { appId: "demo-app", userId })).json;
  const page = await visit(harness.url("/requests?show=logins"));
  await expect.poll(() => page.locator("[data-row-link]").count()).toBe(2);
  await rowWith(page, "Code sent, not entered yet").waitFor();
  await harness.signIn(ADA, code);
  await expect.poll(() => rowWith(page, "Signed in").count()).toBe(2);
  const story = await open(page, "Ada Lovelace");
  await story.getByText("Sent from the console").waitFor();
  expect(await story.getByRole("listitem").count()).toBe(2);
  const [newest] = (await harness.control("GET", "/requests?limit=1")).json.items;
  const { requests } = (await harness.control("GET", `/requests/${newest.id}/bundle`)).json;
  expect(requests.map(({ method, status }: { method: string; status: number }) => [method, status])).toEqual([
    ["PUT", 200],
  ]);
  await page.keyboard.press("Escape");
  const before = await open(page, "Ada Lovelace", 1);
  await before.getByText("Requested a code").waitFor();
  expect(await before.getByRole("listitem").count()).toBe(2);
});
