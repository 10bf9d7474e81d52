/** CONTRACT 23 in a browser, through nginx with the configuration of docs/deploy/proxies. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { findBrowser } from "#server/commands/find-browser.ts";
import { type Built, cleanEnv, startBuilt } from "#test/hosts/built.ts";
import { caller } from "#test/hosts/client.ts";
import { BEHIND_PROXY, missing, startProxy } from "#test/hosts/outside/proxy.ts";
import { APP } from "#test/hosts/outside/tour.ts";
import { launchBrowser, NO_BROWSER, test } from "#test/support/browser.ts";

const TOKEN = "for-the-tests-alone";
const ADA = APP.profiles[0].phone;

let built: Built;
let dir = "";
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "stagedoor-proxies-"));
  const fixtures = join(dir, "qa.json");
  await writeFile(fixtures, JSON.stringify({ apps: [APP] }));
  const env = { ...cleanEnv(), STAGEDOOR_ACCESS_TOKEN: TOKEN };
  built = await startBuilt(["--ephemeral", "--fixtures", fixtures, ...BEHIND_PROXY], env);
});
afterAll(async () => {
  await built.stop();
  await rm(dir, { recursive: true, force: true });
});

test("in a browser at https://qa.example.com: a code, a profile edited, undone and exported, and the stage", async ({
  skip,
}) => {
  const why = missing("nginx");
  if (why !== undefined) skip(why);
  if (findBrowser() === undefined && process.env["STAGEDOOR_REQUIRE_BROWSER"] !== "1") skip(NO_BROWSER);
  const { port, stop } = await startProxy("nginx", dir, built.ready);
  const browser = await launchBrowser([`--host-resolver-rules=MAP *.example.com:443 127.0.0.1:${port}`]);
  try {
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: "https://qa.example.com" });
    const page = await context.newPage();
    const failed: string[] = [];
    page.on("response", (response) => {
      if (response.status() >= 400) failed.push(`${response.status()} ${response.url()}`);
    });
    page.on("requestfailed", (asked) => {
      if (asked.failure()?.errorText !== "net::ERR_ABORTED")
        failed.push(`${asked.failure()?.errorText} ${asked.url()}`);
    });
    page.on("pageerror", (error) => failed.push(error.message));
    await page.goto(`https://qa.example.com/?access_token=${TOKEN}`);
    expect(await context.cookies()).toMatchObject([{ secure: true, httpOnly: true }]);
    const auth = caller(() => built.ready.authUrl);
    await auth("POST", "/v1/users/session", { appId: "qa", user: { phone: ADA } });
    const control = caller(() => `${built.ready.consoleUrl}/emulator/v1`, { Authorization: `Bearer ${TOKEN}` });
    const { code } = (await control("GET", "/passcodes/latest?to=%2B12025550100")).json;
    const hero = page.getByRole("region", { name: `Code ${code}` });
    await hero.getByRole("button", { name: /copy/i }).first().click();
    await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toBe(code);
    const changed = await page.evaluate(`(async () => {
      const call = async (method, path, body) => {
        const response = await fetch("/emulator/v1/" + path, { method, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
        return [response.status, await response.text()];
      };
      const { items: [{ userId }] } = await (await fetch("/emulator/v1/profiles?appId=qa")).json();
      const edited = await call("PATCH", "profiles/" + userId + "?appId=qa", { name: "Ada of QA" });
      const { items: [{ seq }] } = await (await fetch("/emulator/v1/timeline?appId=qa&limit=1")).json();
      const undone = await call("POST", "rewind", { undo: seq });
      const state = await fetch("/emulator/v1/state?appId=qa");
      return [edited[0], edited[1].includes("Ada of QA"), undone[0], state.status, (await state.text()).includes("Ada of QA")];
    })()`);
    expect(changed).toEqual([200, true, 200, 200, false]);
    await page.goto("https://qa.example.com/stage");
    await page.locator("main[data-state=idle]").waitFor();
    expect(page.frames().map((frame) => new URL(frame.url()).origin)).toContain("https://auth.qa.example.com");
    await page.keyboard.press("1");
    await page.locator("main[data-state=code]").waitFor();
    await page.keyboard.press("Space");
    await page.locator("main[data-state=signedIn]").waitFor();
    expect(failed).toEqual([]);
  } finally {
    await browser.close();
    await stop();
  }
});
