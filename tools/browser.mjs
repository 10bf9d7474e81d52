/** The Chromium of this machine, for pictures of the product. */
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const BROWSERS = ["chromium-headless-shell", "chromium", "google-chrome"].map((name) => `/usr/bin/${name}`);

/** @returns {Promise<import("playwright-core").Browser>} a browser; CHROME_PATH names it if it is in no usual place */
export const openBrowser = async () => {
  const executablePath = process.env["CHROME_PATH"] ?? BROWSERS.find((path) => existsSync(path));
  if (executablePath === undefined) throw new Error("No Chromium was found; set CHROME_PATH to one.");
  return await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
};
