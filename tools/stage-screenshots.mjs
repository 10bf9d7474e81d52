/**
 * Makes the pictures of docs/stage.md: `node tools/stage-screenshots.mjs`, after a build. Every moment of a login on the
 * stage, in both themes and two sizes, and two of them in other languages, as small WebP files. For these alone:
 * `node tools/stage-screenshots.mjs languages`. Japanese needs a font of the system.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { openBrowser } from "./browser.mjs";
import { ROOT } from "./build.mjs";

const OUT = join(ROOT, "docs/screenshots/stage");
const SIZES = [
  [1280, 720, 45],
  [1920, 1080, 30],
];
/** What is pressed, one after the other, and how the phone then stands. */
const MOMENTS = /** @type {const} */ ([
  ["idle", [], "idle"],
  ["arrived", ["1"], "code"],
  ["wrong", ["w"], "wrong"],
  ["signed-in", [" "], "signedIn"],
  ["expired", ["r", "1", "t", " "], "expired"],
  ["blurred", ["r", "2", "b"], "code"],
  ["room", ["b", "r", "g"], "idle"],
  // Of a slow network: the last, as its request goes on.
  ["typed", ["r", "3"], "asking"],
]);
/** The languages of the other pictures, and their moments. */
const LANGUAGES = ["de", "es", "ja"];
const SPOKEN = ["arrived", "signed-in"];
/** @type {Readonly<Record<string, string>>} */
const STATES = { r: "idle", 1: "code", 2: "code", 3: "asking", w: "wrong" };

const cli = join(ROOT, "dist/server/cli.js");
const server = spawn(process.execPath, [cli, "stage", "--no-open", "--json"], { stdio: ["ignore", "pipe", "inherit"] });
process.on("exit", () => server.kill());
const [line] = await once(createInterface({ input: server.stdout }), "line");
const { url, consoleUrl } = JSON.parse(line);
/** @param {string} path */
const control = async (path) => JSON.parse(await (await fetch(`${consoleUrl}/emulator/v1/${path}`)).text());

/** Twenty phones of an audience sign up, and most of them ask for a code. @param {string} appId */
const fillRoom = async (appId) => {
  const { urls } = await control("status");
  for (let at = 0; at < 20; at++) {
    const body = JSON.stringify({ appId, user: { phone: `+120255501${60 + at}` } });
    const request = { method: "POST", headers: { "Content-Type": "application/json" }, body };
    await fetch(`${urls.auth}/v1/users/session`, request);
    if (at % 5 !== 2) await fetch(`${urls.auth}/v1/users/session`, request);
  }
};

await mkdir(OUT, { recursive: true });
const browser = await openBrowser();
/** Takes the pictures of a language. @param {string} language @param {number[]} size @param {readonly string[]} names */
const take = async (language, [width = 0, height = 0, quality = 0], names) => {
  const { origin, searchParams } = new URL(url);
  const app = `${origin}/emulator/v1/apps/${searchParams.get("appId") ?? "front-row"}`;
  const body = JSON.stringify({ settings: { locale: language } });
  await fetch(app, { method: "PATCH", headers: { "Content-Type": "application/json" }, body });
  for (const colorScheme of /** @type {const} */ (["dark", "light"])) {
    const page = await browser.newPage({ viewport: { width, height }, colorScheme, reducedMotion: "reduce" });
    const cdp = await page.context().newCDPSession(page);
    /** @param {string} state */
    const standsAt = (state) => page.locator(`main[data-state="${state}"]`).waitFor();
    const spoken = new URL(url);
    spoken.searchParams.set("lang", language);
    await page.goto(spoken.href);
    await standsAt("idle");
    await page.evaluate("document.fonts.ready.then(() => undefined)");
    // The buttons have gone.
    await page.mouse.move(width - 5, height / 2);
    await page.locator("main[data-quiet]").waitFor();
    for (const [name, keys, state] of MOMENTS) {
      for (const key of keys) {
        await page.keyboard.press(key);
        const next = STATES[key];
        if (next !== undefined) await standsAt(next);
      }
      await standsAt(state);
      if (name === "room") {
        const { items } = await control("apps");
        for (const { appId, lease } of items) if (lease !== undefined) await fillRoom(appId);
      }
      if (!names.includes(name)) continue;
      if (state === "code") await page.locator('[data-testid="message"][data-shown]').waitFor();
      // What has just come is drawn, and its fading is over.
      await page.waitForTimeout(500);
      const { data } = await cdp.send("Page.captureScreenshot", { format: "webp", quality });
      await writeFile(
        join(OUT, `${[name, ...(language === "en" ? [] : [language]), colorScheme, width].join("-")}.webp`),
        Buffer.from(data, "base64"),
      );
    }
    await page.close();
  }
};
if (process.argv[2] !== "languages")
  for (const size of SIZES)
    await take(
      "en",
      size,
      MOMENTS.map(([name]) => name),
    );
for (const language of LANGUAGES) await take(language, SIZES[0] ?? [], SPOKEN);
await browser.close();
server.kill();
