/** Finds a browser of this machine that can be driven: Chromium, Chrome or Edge. Nothing is downloaded. */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** The headless shell first: it renders the same pages with two thirds of the CPU time. */
const NAMES = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome",
  "microsoft-edge",
];
const MAC = ["Google Chrome", "Chromium", "Microsoft Edge"].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
);
const WINDOWS = [
  "Google\\Chrome\\Application\\chrome.exe",
  "Chromium\\Application\\chrome.exe",
  "Microsoft\\Edge\\Application\\msedge.exe",
];

/**
 * @param env the environment: only CHROME_PATH counts if it is set
 * @param platform as in `process.platform`
 * @returns the path of a browser, or undefined if none is in the usual places
 */
export const findBrowser = (
  env: Readonly<Record<string, string | undefined>> = process.env,
  platform: string = process.platform,
): string | undefined => {
  if (env["CHROME_PATH"] !== undefined) return existsSync(env["CHROME_PATH"]) ? env["CHROME_PATH"] : undefined;
  const roots = [env["PROGRAMFILES"], env["PROGRAMFILES(X86)"], env["LOCALAPPDATA"]].filter(
    (root) => root !== undefined,
  );
  const places: Record<string, string[]> = {
    darwin: MAC,
    win32: roots.flatMap((root) => WINDOWS.map((name) => join(root, name))),
  };
  const inPath = (env["PATH"] ?? "").split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return (places[platform] ?? [...inPath, "/snap/bin/chromium"]).find((path) => existsSync(path));
};
