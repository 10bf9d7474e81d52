/** The shell in real Electron, as `npm start` runs it. */
import { createServer, type Server } from "node:http";
import type { ElectronApplication } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listen } from "#test/hosts/listen.ts";
import { LACK, useDesktop } from "./desktop.ts";

const PAGE = '<!doctype html><title>Stagedoor</title><a href="https://evil.example/" target="_blank">out</a>';

let server: Server | undefined;
let shell: ElectronApplication | undefined;
let consoleUrl = "";

describe.skipIf(LACK !== undefined)("the window in Electron", () => {
  const desktop = useDesktop();
  beforeAll(async () => {
    server = createServer((_request, response) => response.setHeader("content-type", "text/html").end(PAGE));
    consoleUrl = `http://127.0.0.1:${await listen(server)}`;
    shell = await desktop.launch(`--console-url=${consoleUrl}`);
  });
  afterAll(async () => {
    await shell?.close();
    server?.close();
  });

  test("it shows the console, and refuses to navigate away", async () => {
    const page = await shell?.firstWindow();
    expect(await page?.title()).toBe("Stagedoor");
    expect(await page?.evaluate(() => "require" in globalThis || "process" in globalThis)).toBe(false);
    await page?.click("a");
    await page?.evaluate(() => location.assign("https://evil.example/"));
    expect(shell?.windows()).toHaveLength(1);
    expect(page?.url()).toBe(`${consoleUrl}/`);
  });

  test("its pages are in Chromium's sandbox, and an ordinary user runs it", async () => {
    const seen = await shell?.evaluate(({ app }) => ({
      sandboxed:
        app.getAppMetrics().filter(({ type }) => type === "Tab").length > 0 && !app.commandLine.hasSwitch("no-sandbox"),
      user: process.getuid?.(),
    }));
    expect(seen?.sandboxed).toBe(true);
    expect(seen?.user).not.toBe(0);
  });
});
