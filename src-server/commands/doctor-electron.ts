/**
 * Whether the desktop window can be had (`stagedoor doctor`). The emulator works without it.
 */
import { readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { type Environment, environment } from "#server/config.ts";
import type { Finding } from "./doctor-findings.ts";

/** Electron's folder. Requiring `electron` itself would download its binary, there and then. */
const electronFolder = (): string | undefined => {
  try {
    return dirname(createRequire(import.meta.url).resolve("electron/package.json"));
  } catch {
    return undefined;
  }
};

const textOf = (file: string): string => {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return "";
  }
};

/** @returns where Electron's binary is, or that it is not. Never `bad`: the console is in any browser too. */
export const checkElectron = (env: Environment = environment()): Finding => {
  const folder = electronFolder();
  const other = env.ELECTRON_OVERRIDE_DIST_PATH || undefined;
  if (folder === undefined && other === undefined)
    return { check: "electron", level: "ok", text: "Electron: not installed; the console is in your browser" };
  const name = textOf(join(folder ?? "", "path.txt")) || (process.platform === "win32" ? "electron.exe" : "electron");
  const binary = join(other ?? join(folder ?? "", "dist"), name);
  if (statSync(binary, { throwIfNoEntry: false })?.isFile() === true)
    return { check: "electron", level: "ok", text: `Electron: ${binary}`, file: binary };
  return {
    check: "electron",
    level: "warn",
    text: `Electron: no binary at ${binary}; the console is in your browser all the same`,
    advice: "A start in the checkout fetches it, unless it is without a display.",
    file: binary,
  };
};
