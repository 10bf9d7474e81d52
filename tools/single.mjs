/**
 * `npm run single`: builds `dist/single/stagedoor`, one executable with Node and everything that Stagedoor serves inside
 * (Node's single executable applications). Its Node is the one that runs this.
 *
 * `-- --target linux-arm64` builds the file for another system into `dist/single/linux-arm64`, with that system's Node
 * of the same version, which npm fetches; `--node FILE` names it instead. Such a file has no code cache, and one for
 * macOS does not run before it is signed there: `codesign --sign - stagedoor`.
 *
 * `--archive` also packs the file, as a release has it, and builds it only if it is stale.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { argv, execPath, platform, version } from "node:process";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { fetchPackage, NODE } from "../test/everywhere/packages.mjs";
import { withNode } from "./bill-of-materials.mjs";
import { buildStale, ROOT } from "./build.mjs";
import { withLock } from "./lock.mjs";
import { archiveName } from "./package-manifests.mjs";

const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";
const HERE = `${platform}-${process.arch}`;
const at = (/** @type {string[]} */ ...path) => join(ROOT, ...path);

/** Stops at the first failure, with its output. @param {string} program @param {string[]} args @param {NodeJS.ProcessEnv} [env] */
const run = (program, args, env) => {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: "utf8", env: env ?? process.env });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${error?.message ?? ""}${stdout}${stderr}`);
  return stdout;
};

/** @param {string} folder below the checkout @returns {string[]} its files, with `/` */
const filesIn = (folder) =>
  readdirSync(at(folder), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => `${folder}/${name}`);

/** @returns {Record<string, string>} what the server reads at run time: path in the package → file. The UI is compressed once, for all browsers. */
const servedFiles = () => {
  const ui = ["dist/renderer", "dist/renderer/assets"].flatMap(filesIn).filter((file) => !file.endsWith(".br"));
  const packed = new Set(ui.filter((file) => file.endsWith(".gz")));
  const served = ["LICENSE", "config.schema.json", ...filesIn("dist/server/demo"), ...filesIn("fixtures")];
  return Object.fromEntries(
    [...served, ...ui]
      .filter((file) => !packed.has(`${file}.gz`) && file !== "fixtures/qa-200.json")
      .map((file) => [file, at(file)]),
  );
};

/** @param {string} node @returns {string} the text of its licence, which is next to it */
const licenceOf = (node) => {
  const bin = dirname(node);
  const places = ["LICENSE", "../LICENSE", "../share/doc/nodejs/LICENSE", "../share/doc/nodejs/copyright"];
  const file = places.map((place) => join(bin, place)).find(existsSync);
  return file === undefined ? `https://github.com/nodejs/node/blob/${version}/LICENSE` : readFileSync(file, "utf8");
};

/**
 * Symbols for debuggers are a tenth of the file. Only on Linux: elsewhere a signature would break.
 *
 * @param {string} file
 */
const strip = (file) => {
  for (const program of ["strip", "aarch64-linux-gnu-strip", "llvm-strip"])
    if (spawnSync(program, [file], { stdio: "ignore" }).status === 0) return;
  console.warn("There is no strip for this file, which is therefore larger than it could be.");
};

/**
 * @param {string} target such as `linux-x64`
 * @param {string} node its executable, of this version
 * @param {string} work an empty folder
 * @returns {Promise<string>} the built file, in that folder
 */
const buildIn = async (target, node, work) => {
  const here = (/** @type {string} */ name) => join(work, name);
  const isOwn = target === HERE;
  const { build } = await import("vite");
  await build({ configFile: at("tools/config/vite.single.config.ts"), logLevel: "warn", build: { outDir: work } });
  // In ASCII, a character of the source is one byte in memory.
  const code = readFileSync(here("program.cjs"), "utf8").replaceAll(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  writeFileSync(here("program.js"), `(function (require, module, exports, __filename) {${code}\n})`);
  writeFileSync(here("program.cache"), "");
  if (isOwn) {
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(STAGEDOOR_|NODE_)/.test(name)));
    run(node, [at("tools/single/cache.cjs"), here("program.js"), here("program.cache"), ROOT], env);
  }
  const { licences, sbom } = withNode(version, licenceOf(node), {
    licences: readFileSync(at("dist/THIRD-PARTY-LICENSES.txt"), "utf8"),
    sbom: readFileSync(at("dist/sbom.cdx.json"), "utf8"),
  });
  writeFileSync(here("licences.txt"), licences);
  writeFileSync(here("sbom.cdx.json"), sbom);
  const made = here(target.startsWith("win32") ? "stagedoor.exe" : "stagedoor");
  copyFileSync(node, here("node"));
  chmodSync(here("node"), 0o755);
  if (target.startsWith("linux")) strip(here("node"));
  const canSign = platform === "darwin" && target.startsWith("darwin");
  if (canSign) run("codesign", ["--remove-signature", here("node")]);
  const buildsItself = Number(version.slice(1, 3)) >= 26;
  const config = {
    main: at("tools/single/main.cjs"),
    output: buildsItself ? made : here("blob"),
    ...(buildsItself ? { executable: here("node") } : {}),
    disableExperimentalSEAWarning: true,
    assets: {
      ...servedFiles(),
      "dist/THIRD-PARTY-LICENSES.txt": here("licences.txt"),
      "dist/sbom.cdx.json": here("sbom.cdx.json"),
      "program.js": here("program.js"),
      "program.cache": here("program.cache"),
    },
  };
  writeFileSync(here("config.json"), JSON.stringify(config));
  run(execPath, [buildsItself ? "--build-sea" : "--experimental-sea-config", here("config.json")]);
  if (!buildsItself) {
    renameSync(here("node"), made);
    const macho = target.startsWith("darwin") ? ["--macho-segment-name", "NODE_SEA"] : [];
    const postject = at("node_modules/postject/dist/cli.js");
    run(execPath, [postject, made, "NODE_SEA_BLOB", here("blob"), "--sentinel-fuse", FUSE, ...macho]);
  }
  if (canSign) run("codesign", ["--sign", "-", made]);
  chmodSync(made, 0o755);
  if (isOwn) run(made, ["--version"]);
  return made;
};

/**
 * @param {object} [options]
 * @param {string} [options.target] such as `linux-x64`; this system if absent
 * @param {string} [options.node] that system's Node, of this version; fetched with npm if absent
 * @param {boolean} [options.force] builds it even if nothing has changed since
 * @returns {Promise<string>} the path of the file, built
 * @throws {Error} what a step said; the previous file then stays
 */
export const buildSingle = async ({ target = HERE, node, force = false } = {}) => {
  await buildStale({ say: (line) => console.log(line) });
  const out = at("dist/single", target === HERE ? "" : target);
  mkdirSync(out, { recursive: true });
  return await withLock(join(out, ".building"), async () => {
    const hash = createHash("sha256").update(version);
    const parts = ["server", "ui"].map((part) => `dist/.${part}.stamp`);
    for (const file of [...parts, "tools/single.mjs", ...filesIn("tools/single"), ...filesIn("fixtures")])
      hash.update(readFileSync(at(file)));
    const digest = hash.digest("hex");
    const [file, stamp] = [join(out, `stagedoor${target.startsWith("win32") ? ".exe" : ""}`), join(out, ".stamp")];
    if (!force && existsSync(file) && existsSync(stamp) && readFileSync(stamp, "utf8") === digest) return file;
    const work = mkdtempSync(join(out, ".work-"));
    try {
      const packages = NODE[target];
      if (packages === undefined) throw new Error(`Unknown target "${target}": ${Object.keys(NODE).join(", ")}.`);
      const fetched = () =>
        join(fetchPackage(`${packages}@${version.slice(1)}`, work), `node${target.startsWith("win32") ? ".exe" : ""}`);
      const itsNode = node ?? (target === HERE ? execPath : fetched());
      if (!readFileSync(itsNode).includes(version)) throw new Error(`${itsNode} is not Node ${version}.`);
      renameSync(await buildIn(target, itsNode, work), file);
      writeFileSync(stamp, digest);
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
    return file;
  });
};

if (import.meta.url === pathToFileURL(argv[1] ?? "").href) {
  const { values } = parseArgs({
    options: { target: { type: "string" }, node: { type: "string" }, archive: { type: "boolean", default: false } },
  });
  const file = await buildSingle({ ...values, force: !values.archive });
  if (values.archive) {
    const archive = join(
      dirname(file),
      archiveName(JSON.parse(readFileSync(at("package.json"), "utf8")).version, values.target ?? HERE),
    );
    // By the ending of the name; another tar in front of Windows' own cannot make a zip.
    const tar = platform === "win32" ? `${process.env["SystemRoot"]}\\System32\\tar.exe` : "tar";
    run(tar, ["-a", "-c", "-f", archive, "-C", dirname(file), basename(file)]);
    console.log(`${archive} (${(statSync(archive).size / 1e6).toFixed(1)} MB)`);
  }
  console.log(`${file} (${(statSync(file).size / 1e6).toFixed(1)} MB, with Node ${version.slice(1)})`);
}
