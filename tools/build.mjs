/**
 * Builds what is stale. `node tools/build.mjs` builds everything, `node tools/build.mjs server` one part, `--stale`
 * only stale parts; `npm start` and the tests of the built server call `buildStale`.
 *
 * A part is fresh if the stamp next to its output has the digest of its sources. Digests instead of times, because a
 * checkout or an unpacked archive sets times at will.
 */
import "./checkout-path.mjs";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import { billOfMaterials, notePackages } from "./bill-of-materials.mjs";
import { buildClient, buildFrameworks } from "./build-modules.mjs";
import { withLock } from "./lock.mjs";
import { buildBeside } from "./swap.mjs";

/** The root of the checkout. */
export const ROOT = fileURLToPath(new URL("..", import.meta.url));

/**
 * @typedef {object} Part
 * @property {string[]} sources files and folders that the output depends on
 * @property {string[]} output the folders below dist that it builds
 * @property {(to: string, plugins: import("vite").Plugin[]) => Promise<void>} build builds those folders inside `to`
 */

/** @type {Record<string, Part>} */
const PARTS = {
  client: {
    sources: [
      "src-client",
      "src-server/contract",
      "src-server/features",
      "tools/config/tsconfig.base.json",
      "tools/build-modules.mjs",
      "tools/documents",
      "package.json",
      "package-lock.json",
    ],
    output: ["client"],
    build: buildClient,
  },
  server: {
    sources: [
      "src-server",
      "src-programs",
      "src-client",
      "src-demo",
      "fixtures/demo.json",
      "tools/config/vite.server.config.ts",
      "tools/config/vite.demo.config.ts",
      "package.json",
      "package-lock.json",
    ],
    output: ["server"],
    build: async (to, plugins) => {
      const { build } = await import("vite");
      for (const [configFile, outDir] of [
        ["tools/config/vite.server.config.ts", "server"],
        ["tools/config/vite.demo.config.ts", "server/demo"],
      ])
        await build({
          configFile: join(ROOT, configFile ?? ""),
          logLevel: "warn",
          plugins,
          build: { outDir: join(to, outDir ?? "") },
        });
    },
  },
  frameworks: {
    sources: ["src-client", "tools/config/tsconfig.base.json", "tools/build-modules.mjs", "package-lock.json"],
    output: ["frameworks"],
    build: buildFrameworks,
  },
  ui: {
    sources: [
      "src-renderer",
      "src-main",
      "src-client",
      "src-server/contract",
      "src-server/features",
      "src-server/people",
      "electron.vite.config.ts",
      "tools/build.mjs",
      "package.json",
      "package-lock.json",
    ],
    output: ["renderer", "main"],
    build: async (to, plugins) => {
      const { build } = await import("electron-vite");
      const configFile = join(ROOT, "electron.vite.config.ts");
      await build({
        root: ROOT,
        configFile,
        logLevel: "warn",
        ignoreConfigWarning: true,
        plugins,
        build: { outDir: to },
      });
      await compressUi(join(to, "renderer/assets"));
    },
  },
};

/** Compressing smaller files has no noticeable effect. */
const LEAST_COMPRESSED = 1_024;

/** Writes brotli and gzip versions of the UI files that are worth compressing. */
const compressUi = async (/** @type {string} */ folder) => {
  const names = (await readdir(folder)).filter((name) => /\.(js|css|svg)$/.test(name));
  await Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name));
      if (text.length < LEAST_COMPRESSED) return;
      await writeFile(join(folder, `${name}.br`), await promisify(brotliCompress)(text));
      await writeFile(join(folder, `${name}.gz`), await promisify(gzip)(text, { level: 9 }));
    }),
  );
};

const DIST = join(ROOT, "dist");
const SBOM = join(DIST, "sbom.cdx.json");
/** @param {string} name of a part @returns {string} the file that lists the packages in its output */
const packagesFile = (name) => join(DIST, `.${name}.packages`);

/** Writes licences and SBOM for all built parts. */
const writeBillOfMaterials = async () => {
  const lists = await Promise.all(PART_NAMES.map((name) => readFile(packagesFile(name), "utf8").catch(() => "")));
  const folders = [...new Set(lists.join("\n").split("\n").filter(Boolean))];
  await rm(SBOM, { force: true });
  const { licences, sbom } = await billOfMaterials(ROOT, folders);
  await writeFile(join(DIST, "THIRD-PARTY-LICENSES.txt"), licences);
  await writeFile(SBOM, sbom);
};

/** The parts in build order. */
export const PART_NAMES = Object.keys(PARTS);
/** Those that `npm start` and its commands need: the modules for test frameworks have the types of frameworks. */
export const START_PARTS = PART_NAMES.filter((name) => name !== "frameworks");

/**
 * @param {string} path
 * @returns {Promise<string[]>} the files at or below the path, sorted, relative to the checkout
 */
const filesAt = async (path) => {
  if (!existsSync(join(ROOT, path))) return [];
  const entries = await readdir(join(ROOT, path), { withFileTypes: true, recursive: true }).catch(() => undefined);
  if (entries === undefined) return [path];
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .sort();
};

/**
 * @param {Part} part
 * @returns {Promise<string>}
 */
const digestOf = async (part) => {
  const hash = createHash("sha256").update(process.version);
  for (const source of part.sources)
    for (const file of await filesAt(source)) hash.update(`\0${file}\0`).update(await readFile(join(ROOT, file)));
  return hash.digest("hex");
};

/**
 * @param {string} name
 * @returns {Promise<{ part: Part, stamp: string, digest: string, fresh: boolean }>}
 */
const inspect = async (name) => {
  const part = PARTS[name];
  if (part === undefined) throw new Error(`There is no part "${name}"; there are ${PART_NAMES.join(", ")}.`);
  const stamp = join(ROOT, `dist/.${name}.stamp`);
  const digest = await digestOf(part);
  const isThere = part.output.every((folder) => existsSync(join(DIST, folder))) && existsSync(packagesFile(name));
  const fresh = isThere && (await readFile(stamp, "utf8").catch(() => "")) === digest;
  return { part, stamp, digest, fresh };
};

/** @returns {Promise<string | undefined>} the name of a stale part that `npm start` needs, if there is one */
export const stalePart = async () => {
  for (const name of START_PARTS) if (!(await inspect(name)).fresh) return name;
  return undefined;
};

/**
 * Builds the stale ones of the given parts. Concurrent processes take turns.
 *
 * @param {object} [options]
 * @param {string[]} [options.parts] names of parts; all if absent
 * @param {boolean} [options.force] build fresh parts too
 * @param {(line: string) => void} [options.say] receives one line about what is built
 * @returns {Promise<string[]>} the names of the parts that were built
 * @throws what the bundler throws; the previous build then stays, and the next call tries again
 */
export const buildStale = async ({ parts = PART_NAMES, force = false, say = () => {} } = {}) => {
  await mkdir(join(ROOT, "dist"), { recursive: true });
  return await withLock(join(ROOT, "dist/.building"), async () => {
    const built = [];
    for (const name of parts) {
      const { part, stamp, digest, fresh } = await inspect(name);
      if (fresh && !force) continue;
      say(`Building the ${name} …`);
      await rm(stamp, { force: true });
      /** @type {Set<string>} */
      const packages = new Set();
      await buildBeside(DIST, part.output, (to) => part.build(to, [notePackages(ROOT, packages)]));
      await writeFile(packagesFile(name), [...packages].sort().join("\n"));
      await writeFile(stamp, digest);
      built.push(name);
    }
    if (built.length > 0 || !existsSync(SBOM)) await writeBillOfMaterials();
    return built;
  });
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const force = !process.argv.includes("--stale");
  const named = process.argv.slice(2).filter((argument) => argument !== "--stale");
  await buildStale({ parts: named.length > 0 ? named : PART_NAMES, force, say: (line) => console.log(line) });
}
