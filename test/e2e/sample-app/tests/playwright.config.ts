/**
 * Playwright's own runner: several workers, each with a Chromium of its own (CHROME_PATH, else the one that Playwright has
 * installed), on the one Stagedoor that STAGEDOOR_CONSOLE_URL names.
 */
import { defineConfig } from "@playwright/test";
import { WORKERS } from "./workers.ts";

const { CHROME_PATH: executablePath } = process.env;

// biome-ignore lint/style/noDefaultExport: Playwright finds it so
export default defineConfig({
  testMatch: "**/*.spec.ts",
  fullyParallel: true,
  workers: WORKERS,
  timeout: 240_000,
  reporter: "line",
  // Nothing is kept of a run.
  preserveOutput: "never",
  use: { launchOptions: { args: ["--disable-gpu"], ...(executablePath === undefined ? {} : { executablePath }) } },
});
