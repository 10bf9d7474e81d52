import { describe, expect } from "vitest";
import { findings } from "./axe.ts";
import { clipboard, confirm, openScreen, rowWith, test, useHarness } from "./harness.ts";
import { settled } from "./settled.ts";

const harness = useHarness();

const read = async (appId: string) => (await harness.control("GET", `/apps/${appId}`)).json;
const make = async (fields: object): Promise<string> => (await harness.control("POST", "/apps", fields)).json.appId;

describe("apps", () => {
  test("can be created by keyboard; the server's errors appear at their fields", async ({ visit }) => {
    const page = await visit(harness.url("/setup/apps"));
    await rowWith(page, "demo-app").waitFor();
    await page.getByRole("button", { name: "New app" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Checkout");
    await page.getByLabel("Strategy", { exact: true }).selectOption("email");
    await page.getByLabel("App id", { exact: true }).fill("demo-app");
    await page.keyboard.press("Enter");
    await page.getByText("has already been taken").waitFor();
    await page.getByLabel("App id", { exact: true }).fill("checkout");
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "App Checkout" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/setup/apps/checkout");
    expect(await read("checkout")).toMatchObject({ name: "Checkout", strategy: "email", settings: {} });
  });

  test("have settings with descriptions and defaults, which can be reset", async ({ visit }) => {
    const appId = await make({ name: "Settings" });
    const page = await visit(harness.url(`/setup/apps/${appId}`));
    await page.getByText("Number of digits.").waitFor();
    const length = page.getByLabel("Code length", { exact: true });
    expect(await length.inputValue()).toBe("6");
    await length.fill("3");
    await page.getByLabel("Sign-ups", { exact: true }).selectOption("closed");
    await page.getByText("2 changes", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("must be 4 or more", { exact: true }).waitFor();
    await expect.poll(() => length.evaluate((input) => input === document.activeElement)).toBe(true);
    await length.fill("8");
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await read(appId)).settings).toEqual({ passcode: { length: 8 }, signUp: "closed" });
    // From now on the form starts with the response to saving.
    await settled(page);
    await page.getByRole("button", { name: "Reset Code length" }).click();
    await page.getByRole("button", { name: "Reset Sign-ups" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await expect.poll(async () => JSON.stringify((await read(appId)).settings)).not.toContain("length");
    await expect.poll(() => length.inputValue()).toBe("6");
  });

  test("can have a brand: a colour, and a logo that is small enough", async ({ visit }) => {
    const appId = await make({ name: "Branded" });
    const page = await visit(harness.url(`/setup/apps/${appId}`));
    await page.getByLabel("Colour", { exact: true }).fill("#cf2e4c");
    const upload = async (name: string, mimeType: string, buffer: Buffer) => {
      const chooser = page.waitForEvent("filechooser");
      await page.getByRole("button", { name: "Upload Logo" }).click();
      await (await chooser).setFiles({ name, mimeType, buffer });
    };
    await upload("large.png", "image/png", Buffer.alloc(60_000));
    await page.getByText("large.png is too large: at most 48 KiB.").waitFor();
    const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    await upload("logo.png", "image/png", Buffer.from(png, "base64"));
    await page.getByRole("img", { name: "Logo" }).waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await expect
      .poll(async () => (await read(appId)).settings)
      .toEqual({ brand: { color: "#cf2e4c", logo: `data:image/png;base64,${png}` } });
  });

  test("show changed settings first, and find settings by description and name", async ({ visit }) => {
    const appId = await make({ name: "Differing", settings: { limits: { otpPerMinute: 3 } } });
    const page = await visit(harness.url(`/setup/apps/${appId}`));
    const form = page.getByRole("form", { name: "Settings" });
    await form.getByLabel("Codes per user and minute", { exact: true }).waitFor();
    expect((await form.getByRole("heading").allTextContents()).slice(0, 2)).toEqual([
      "Changed from the default",
      "General",
    ]);
    for (const sought of ["wrong attempts", "maxAttempts"]) {
      await form.getByLabel("Search settings").fill(sought);
      await expect.poll(() => form.getByRole("heading").allTextContents()).toEqual(["Passcodes"]);
      await form.getByLabel("Wrong attempts until locked", { exact: true }).waitFor();
    }
    await form.getByLabel("Search settings").fill("nothing-such");
    await form.getByText("No setting matches “nothing-such”.").waitFor();
  });

  test("confirm before discarding unsaved settings, and keep them while another app is shown", async ({ visit }) => {
    const appId = await make({ name: "Unsaved" });
    const page = await visit(harness.url(`/setup/apps/${appId}`));
    const panel = page.getByRole("region", { name: "App Unsaved" });
    const length = page.getByLabel("Code length", { exact: true });
    await length.fill("8");
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByText("Discard your changes?").waitFor();
    await page.getByRole("button", { name: "Keep editing" }).click();
    expect(await length.inputValue()).toBe("8");
    await rowWith(page, "demo-app").getByRole("link").click();
    await page.getByRole("region", { name: "App Demo" }).waitFor();
    await rowWith(page, appId).getByRole("link").click();
    await panel.getByText("1 change", { exact: true }).waitFor();
    expect(await length.inputValue()).toBe("8");
    await length.press("Escape");
    await page.getByRole("button", { name: "Discard" }).click();
    await panel.waitFor({ state: "hidden" });
    await rowWith(page, appId).getByRole("link").click();
    await panel.waitFor();
    await expect.poll(() => length.inputValue()).toBe("6");
    await page.getByRole("button", { name: "Close" }).click();
    await panel.waitFor({ state: "hidden" });
    expect((await read(appId)).settings).toEqual({});
  });

  test("confirm before discarding a new app", async ({ visit }) => {
    const page = await visit(harness.url("/setup/apps"));
    await rowWith(page, "demo-app").waitFor();
    await page.keyboard.press("n");
    const name = page.getByLabel("Name", { exact: true });
    await name.fill("Begun");
    await name.press("Escape");
    await page.getByRole("button", { name: "Keep editing" }).click();
    expect(await name.inputValue()).toBe("Begun");
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "Discard" }).click();
    await page.getByRole("region", { name: "New app" }).waitFor({ state: "hidden" });
  });

  test("list the usernames that would collide when the strategy changes", async ({ visit }) => {
    const appId = await make({ name: "Colliding" });
    for (const phone of ["+12025550101", "+12025550102"])
      await harness.control("POST", "/profiles", { appId, phone, email: "same@example.com" });
    const page = await visit(harness.url(`/setup/apps/${appId}`));
    await page.getByLabel("Strategy", { exact: true }).selectOption("email");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").getByText("By email these usernames would belong to several profiles").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Discard" }).click();
    await page.getByRole("region", { name: "App Colliding" }).waitFor({ state: "hidden" });
    await rowWith(page, appId).getByRole("link").click();
    await expect.poll(() => page.getByLabel("Strategy", { exact: true }).inputValue()).toBe("phone");
  });

  test("mask the secret until asked, copy it, and regenerate it after a second press", async ({ visit }) => {
    const appId = await make({ name: "Secretive" });
    const { secret } = await read(appId);
    const page = await visit(harness.url(`/setup/apps/${appId}`));
    const shown = page.getByTestId("secret");
    expect(await shown.textContent()).not.toContain(secret);
    await page.getByRole("button", { name: "Copy Secret" }).click();
    await expect.poll(() => clipboard(page)).toBe(secret);
    await page.getByRole("button", { name: "Show", exact: true }).click();
    expect(await shown.textContent()).toBe(secret);
    await page.getByRole("button", { name: "Regenerate" }).click();
    await confirm(page, "Regenerate");
    await expect.poll(async () => (await read(appId)).secret).not.toBe(secret);
    const { secret: renewed } = await read(appId);
    await expect.poll(() => shown.textContent()).toBe(renewed);
  });

  test("are deleted after a question", async ({ visit }) => {
    const appId = await make({ name: "Short-lived" });
    const page = await visit(harness.url(`/setup/apps/${appId}`));
    await page.getByRole("button", { name: "Delete app" }).click();
    await confirm(page, "Delete app");
    await expect.poll(() => rowWith(page, appId).count()).toBe(0);
    expect((await harness.control("GET", `/apps/${appId}`)).status).toBe(404);
  });

  test("show how much each contains, live", async ({ visit }) => {
    const appId = await make({ name: "Growing" });
    const page = await visit(harness.url("/setup/apps"));
    await rowWith(page, appId).getByText("0 profiles").waitFor();
    await harness.control("POST", "/profiles", { appId, phone: "+12025550177" });
    await rowWith(page, appId).getByText("1 profile", { exact: true }).waitFor();
  });

  test("stay listed if a later request fails", async ({ visit }) => {
    const page = await visit(harness.url("/setup/apps"));
    await rowWith(page, "demo-app").waitFor();
    await page.route("**/emulator/v1/apps", (route) => route.abort());
    const failed = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/apps"));
    await harness.control("PATCH", "/apps/demo-mail", { name: "Demo Mail" });
    await failed;
    await settled(page);
    expect(await page.getByRole("heading", { name: "This list could not be read" }).count()).toBe(0);
    expect(await rowWith(page, "demo-app").count()).toBe(1);
  });

  test("are found by name; an empty result repeats the search", async ({ visit }) => {
    const page = await visit(harness.url("/setup/apps"));
    await page.keyboard.press("/");
    await page.getByRole("searchbox").fill("demo mail");
    await rowWith(page, "demo-mail").waitFor();
    await expect.poll(() => rowWith(page, "demo-app").count()).toBe(0);
    await page.keyboard.press("/");
    await page.getByRole("searchbox").fill("nothing-such");
    await page.getByRole("heading", { name: "Nothing found for “nothing-such”" }).waitFor();
  });

  test("axe finds nothing", async ({ visit }) => {
    const page = await visit(harness.url("/setup/apps/demo-app"));
    await page.getByLabel("Code length", { exact: true }).fill("3");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("must be 4 or more", { exact: true }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole("button", { name: "New app" }).click();
    await page.getByRole("region", { name: "New app" }).waitFor();
    expect(await findings(page)).toEqual([]);
  });
});

describe("without any app", () => {
  const bare = useHarness(() => ["--ephemeral"]);

  test("every list says to create one first", async ({ visit }) => {
    for (const appId of ["demo-app", "demo-mail"]) await bare.control("DELETE", `/apps/${appId}`);
    const page = await visit(bare.url("/codes"));
    for (const [place, tab] of [["Codes"], ["Users", "Sessions"], ["Users"], ["Users", "Connections"]] as const) {
      await openScreen(page, tab === undefined ? [place] : [place, tab]);
      await page.getByRole("heading", { name: tab ?? place, level: 1 }).waitFor();
      await page.getByRole("link", { name: "Create app" }).waitFor();
    }
    await page.getByRole("link", { name: "Create app" }).click();
    await page.getByRole("region", { name: "New app" }).waitFor();
  });
});
