/**
 * The shell in real Electron, as `npm start` runs it. Skipped, with the reason, where Electron's binary is not installed; with
 * STAGEDOOR_REQUIRE_ELECTRON=1, as in `npm run desktop:check`, it fails instead.
 */
import { createServer, type Server } from "node:http";
import { fileURLToPath } from "node:url";
import { _electron, type ElectronApplication } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { electronBinary } from "../../tools/window.mjs";

const SHELL = fileURLToPath(new URL("../../dist/main", import.meta.url));
const PAGE = '<!doctype html><title>Stagedoor</title><a href="https://evil.example/" target="_blank">out</a>';

const NO_ELECTRON = "Electron's binary is not installed (npx install-electron)";
const NO_DISPLAY = "there is no display for a window";
const binary = await electronBinary(process.env);
if (binary === undefined && process.env["STAGEDOOR_REQUIRE_ELECTRON"] === "1") throw new Error(NO_ELECTRON);
const shown =
  process.platform !== "linux" || process.env["DISPLAY"] !== undefined || process.env["WAYLAND_DISPLAY"] !== undefined;

let server: Server | undefined;
let shell: ElectronApplication | undefined;
let consoleUrl = "";

beforeAll(async () => {
  if (binary === undefined || !shown) return;
  server = createServer((_request, response) => response.setHeader("content-type", "text/html").end(PAGE));
  const listening = server;
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  const address = listening.address();
  consoleUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : address}`;
  const asRoot = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const args = [...asRoot, SHELL, `--console-url=${consoleUrl}`];
  shell = await _electron.launch({ executablePath: binary, args });
});

afterAll(async () => {
  await shell?.close();
  server?.close();
});

test("the window shows the console, and refuses to navigate away", async ({ skip }) => {
  if (binary === undefined) skip(NO_ELECTRON);
  if (!shown) skip(NO_DISPLAY);
  const page = await shell?.firstWindow();
  expect(await page?.title()).toBe("Stagedoor");
  expect(await page?.evaluate(() => "require" in globalThis || "process" in globalThis)).toBe(false);
  await page?.click("a");
  await page?.evaluate(() => location.assign("https://evil.example/"));
  expect(shell?.windows()).toHaveLength(1);
  expect(page?.url()).toBe(`${consoleUrl}/`);
});
