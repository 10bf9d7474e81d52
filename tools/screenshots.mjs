/**
 * Creates docs/screenshots: `node tools/screenshots.mjs`, after a build. Uses the real server with the demo data and an
 * hour of logins, simulated by moving the clock, and a local Chromium (set CHROME_PATH if it is in an unusual place).
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { openBrowser } from "./browser.mjs";
import { ROOT } from "./build.mjs";

const OUT = join(ROOT, "docs/screenshots");
const ANY_PORTS = ["admin", "auth", "console"].flatMap((name) => [`--${name}-port`, "0"]);

/**
 * @param {string} url
 * @param {string} method
 * @param {unknown} body
 * @returns {Promise<any>} the response body, undefined if empty
 */
const call = async (url, method, body) => {
  const response = await fetch(url, {
    method,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return text === "" ? undefined : JSON.parse(text);
};

/** @returns {Promise<{ authUrl: string, consoleUrl: string, stop: () => Promise<void>, kill: () => void }>} a new server on free ports */
const startServer = async () => {
  const cli = join(ROOT, "dist/server/cli.js");
  const data = await mkdtemp(join(tmpdir(), "stagedoor-screenshots-"));
  const server = spawn(process.execPath, [cli, "start", "--headless", "--json", "--data", data, ...ANY_PORTS], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(server, "exit");
  /** @type {string} */
  const line = await new Promise((resolve, reject) => {
    createInterface({ input: server.stdout }).once("line", resolve);
    ended.then(([code]) => reject(new Error(`The server ended with ${code}.`)), reject);
  });
  const stop = async () => {
    server.kill();
    await ended;
    await rm(data, { recursive: true });
  };
  return { ...JSON.parse(line), stop, kill: () => server.kill() };
};

const server = await startServer();
process.on("exit", () => server.kill());
const control = `${server.consoleUrl}/emulator/v1`;
const session = `${server.authUrl}/v1/users/session`;
/** @param {number} seconds */
const secondsAgo = (seconds) => call(`${control}/clock`, "PUT", seconds === 0 ? {} : { offsetSeconds: -seconds });
/** @param {number} n */
const demoPhone = (n) => `+1202555010${n}`;
const [ada, hedy] = [demoPhone(0), demoPhone(9)];

const LOCKED = ["000001", "000002", "000003", "000004", "000005"];
/** Seconds ago, the user, and what is entered: a code, the one that was sent, or that with another last digit. */
const LOGINS = /** @type {const} */ ([
  [3700, demoPhone(2), []],
  [2460, demoPhone(7), ["sent"]],
  [1880, demoPhone(5), []],
  [1830, demoPhone(5), ["sent"]],
  [1320, demoPhone(4), LOCKED],
  [840, ada, ["misread", "sent"]],
  [516, hedy, []],
  [130, demoPhone(1), []],
  [12, ada, ["misread"]],
]);
for (const [seconds, phone, entered] of LOGINS) {
  await secondsAgo(seconds);
  // Soon after an earlier request it would be advised against as a press too many.
  await new Promise((resolve) => setTimeout(resolve, 400));
  const body = { appId: "demo-app", user: { phone } };
  await call(session, "POST", body);
  const { code } = await call(`${control}/passcodes/latest?to=${encodeURIComponent(phone)}`, "GET", undefined);
  /** @type {Readonly<Record<string, string>>} */
  const words = { sent: code, misread: `${code.slice(0, -1)}${(Number(code.at(-1)) + 3) % 10}` };
  for (const text of entered) await call(session, "PUT", { ...body, passcode: words[text] ?? text });
}
await secondsAgo(0);

await mkdir(OUT, { recursive: true });
const browser = await openBrowser();
for (const colorScheme of /** @type {const} */ (["dark", "light"])) {
  const page = await browser.newPage({
    viewport: { width: 1280, height: 800 },
    deviceScaleFactor: 2,
    colorScheme,
    reducedMotion: "reduce",
  });
  // Present, with a code that has arrived.
  await page.goto(`${server.consoleUrl}/stage?appId=demo-app`);
  for (const state of ["idle", "filled", "code"]) {
    await page.locator(`main[data-state="${state}"]`).waitFor();
    if (state !== "code") await page.keyboard.press("Space");
  }
  await page.getByText("Waiting for the correct code").waitFor();
  await page.screenshot({ path: join(OUT, `present-${colorScheme}.png`) });
  // A login as a film, at the third of five wrong codes.
  await page.goto(`${server.consoleUrl}/codes?app=demo-app`);
  await page.getByText("Locked").first().click({ force: true });
  await page.getByRole("button", { name: /000 ?003/ }).click();
  await page.evaluate("document.activeElement?.blur()");
  await page.screenshot({ path: join(OUT, `rewind-${colorScheme}.png`) });
  await page.close();
}

/** @param {import("playwright-core").Page} page @returns {Promise<string>} what it shows, as the source of an image */
const imageOf = async (page) => `data:image/png;base64,${(await page.screenshot()).toString("base64")}`;

// An app's code screen next to Codes.
for (const colorScheme of /** @type {const} */ (["dark", "light"])) {
  const look = /** @type {const} */ ({ deviceScaleFactor: 2, colorScheme, reducedMotion: "reduce" });
  const phone = await browser.newPage({ viewport: { width: 360, height: 640 }, ...look });
  await phone.goto(`${server.authUrl}/emulator/demo/?appId=demo-app`);
  await phone.getByLabel("Phone number").fill(colorScheme === "dark" ? ada : hedy);
  await phone.getByRole("button", { name: "Continue" }).click();
  await phone.getByLabel("Code").waitFor();
  const codes = await browser.newPage({ viewport: { width: 900, height: 640 }, ...look });
  await codes.goto(`${server.consoleUrl}/codes?app=demo-app`);
  for (const text of ["Waiting", "José Núñez"]) await codes.getByText(text).first().waitFor();
  await codes.evaluate("document.activeElement?.blur(); document.fonts.ready.then(() => undefined)");
  const both = await browser.newPage({ viewport: { width: 1300, height: 680 }, ...look });
  const frame = `border-radius:12px;outline:1px solid ${colorScheme === "dark" ? "#444" : "#bbb"}`;
  await both.setContent(
    `<body style="margin:0;height:100vh;display:flex;gap:20px;align-items:center;justify-content:center;background:${
      colorScheme === "dark" ? "#0d1117" : "#fff"
    }"><img width="360" style="${frame}" src="${await imageOf(phone)}"><img width="900" style="${frame}" src="${await imageOf(codes)}">`,
  );
  await both.screenshot({ path: join(OUT, `login-${colorScheme}.png`) });
  for (const page of [phone, codes, both]) await page.close();
}
await browser.close();
await server.stop();
