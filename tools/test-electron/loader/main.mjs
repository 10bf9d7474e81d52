/**
 * The default app of the Electron that tests use: `electron [switches] [-r <module>] <app folder> [arguments]`, like Electron's
 * own, which the package that holds the binary does not have.
 */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { app } from "electron";

const require = createRequire(import.meta.url);
const given = process.argv.slice(1);
if (given.includes("--version")) {
  console.log(`v${process.versions["electron"]}`);
  process.exit(0);
}
const preloaded = given.indexOf("-r") + 1;
if (preloaded > 0) require(resolve(given[preloaded] ?? ""));
const folder = given.find((argument, at) => !argument.startsWith("-") && (preloaded === 0 || at !== preloaded));
if (folder === undefined) throw new Error("No app folder is given.");
Object.defineProperty(process, "defaultApp", { value: true, enumerable: true });
const manifestFile = join(resolve(folder), "package.json");
const manifest = existsSync(manifestFile) ? JSON.parse(readFileSync(manifestFile, "utf8")) : {};
/** Calls of Electron's own default app, which its types leave out. @param {string} name @param {string} value */
const set = (name, value) => Reflect.apply(Reflect.get(app, name), app, [value]);
if (manifest.version) set("setVersion", manifest.version);
if (manifest.productName ?? manifest.name) app.name = manifest.productName ?? manifest.name;
if (manifest.desktopName) set("setDesktopName", manifest.desktopName);
set("setAppPath", resolve(folder));
try {
  await import(pathToFileURL(require.resolve(resolve(folder))).href);
} catch (error) {
  console.error(error instanceof Error ? error.stack : error);
  process.exit(1);
}
