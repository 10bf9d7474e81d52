/**
 * Adds optional packages of other platforms that npm omitted to package-lock.json: npm drops those that the registry
 * did not return when locking, and `npm ci` then rejects the lock on every platform. Run it after `npm install`;
 * `--check` only lists what is missing. Added entries have no digest: npm adds it where the package is installed.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "./build.mjs";

/**
 * @typedef {object} Entry an entry of `packages` in a lock file
 * @property {string} [version]
 * @property {boolean} [dev]
 * @property {string} [license]
 * @property {Record<string, string>} [engines]
 * @property {Record<string, string>} [optionalDependencies]
 */

const OPERATING_SYSTEMS = ["android", "darwin", "freebsd", "linux", "win32"];
const PROCESSORS = ["arm", "arm64", "ia32", "x64"];

/**
 * @param {Record<string, Entry>} packages the `packages` of a lock file
 * @returns {Record<string, object>} the missing entries by their path in node_modules
 */
export const missingFrom = (packages) => {
  /** @type {Record<string, object>} */
  const missing = {};
  for (const [place, entry] of Object.entries(packages))
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      if (`${place}/node_modules/${name}` in packages || `node_modules/${name}` in packages) continue;
      const words = name.split("-");
      const os = words.filter((word) => OPERATING_SYSTEMS.includes(word));
      const cpu = words.filter((word) => PROCESSORS.includes(word));
      const libc = os.includes("linux") ? [words.includes("musl") ? "musl" : "glibc"] : undefined;
      missing[`node_modules/${name}`] = {
        version,
        ...(cpu.length > 0 && { cpu }),
        ...(entry.dev === true && { dev: true }),
        ...(libc !== undefined && { libc }),
        ...(entry.license !== undefined && { license: entry.license }),
        optional: true,
        ...(os.length > 0 && { os }),
        ...(entry.engines !== undefined && { engines: entry.engines }),
      };
    }
  return missing;
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const file = join(ROOT, "package-lock.json");
  const lock = JSON.parse(await readFile(file, "utf8"));
  const missing = missingFrom(lock.packages);
  for (const place of Object.keys(missing)) console.log(place);
  if (process.argv.includes("--check")) process.exitCode = Object.keys(missing).length === 0 ? 0 : 1;
  else {
    const packages = { ...lock.packages, ...missing };
    lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)));
    await writeFile(file, `${JSON.stringify(lock, null, 2)}\n`);
  }
}
