/**
 * Lists the packages in the builds and their licences: `dist/THIRD-PARTY-LICENSES.txt` and the CycloneDX SBOM
 * `dist/sbom.cdx.json`. Both come from the bundler's module graph, so they list exactly what is shipped.
 */
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * @typedef {object} Shipped a package whose code, styles or fonts are in a build
 * @property {string} name
 * @property {string} version
 * @property {string} license an SPDX expression
 * @property {string} text of its licence files
 * @property {string} purl the package URL
 * @property {string | undefined} digest of its archive: base64 of a SHA-512
 */

/** Modules that the bundler itself adds to its output. */
const HELPER = /^\0(vite|rolldown)\//;

/**
 * @param {string} root of the checkout
 * @param {string} id of a module, or the path of an asset
 * @returns {string | undefined} the folder of its package, relative to the checkout; undefined for our own code
 */
const folderOf = (root, id) => {
  const helper = HELPER.exec(id)?.[1];
  if (helper !== undefined) return `node_modules/${helper}`;
  const path = id.replace(root, "/").replaceAll("\\", "/");
  return /\/((?:node_modules\/(?:@[^/]+\/)?[^/]+\/)+)/.exec(path)?.[1]?.replace(/\/$/, "");
};

/**
 * A Vite plugin that collects the packages of all modules and assets (such as fonts) in a build.
 *
 * @param {string} root of the checkout
 * @param {Set<string>} folders receives their folders, relative to the checkout
 * @returns {import("vite").Plugin}
 */
export const notePackages = (root, folders) => ({
  name: "stagedoor:note-packages",
  generateBundle(_, bundle) {
    const written = Object.values(bundle).flatMap((file) =>
      file.type === "chunk" ? Object.keys(file.modules) : file.originalFileNames,
    );
    for (const id of [...this.getModuleIds(), ...written]) {
      const folder = folderOf(root, id);
      if (folder !== undefined) folders.add(folder);
    }
  },
});

const LICENCE_FILE = /^(licen[cs]e|copying|notice)([.-].*)?$/i;

/**
 * @param {string} folder of a package
 * @param {{ license: string, author?: string | { name: string } }} manifest
 * @returns {Promise<string>} the text of its licence; the standard text if it ships none
 * @throws Error if tools/licences has no text for its licence either
 */
const licenceText = async (folder, { license, author }) => {
  const files = (await readdir(folder)).filter((file) => LICENCE_FILE.test(file)).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
  // Vite appends the licences of everything it bundles, which is not in the code that it adds to our pages.
  const own = texts.map((text) => text.split("# Licenses of bundled dependencies")[0]?.replaceAll("\r\n", "\n").trim());
  if (own.length > 0) return own.join("\n\n");
  const standard = await readFile(new URL(`./licences/${license}.txt`, import.meta.url), "utf8");
  const holder = typeof author === "object" ? author.name : (author ?? "its authors");
  return `Copyright (c) ${holder}\n\n${standard.trim()}`;
};

/**
 * @param {string} root
 * @param {string} folder of a package, relative to it
 * @param {Record<string, { integrity?: string }>} locked the `packages` of package-lock.json
 * @returns {Promise<Shipped>}
 */
const describe = async (root, folder, locked) => {
  const manifest = JSON.parse(await readFile(join(root, folder, "package.json"), "utf8"));
  const { name, version, license } = manifest;
  if (typeof license !== "string") throw new Error(`${folder} names no licence: it cannot be shipped.`);
  const text = await licenceText(join(root, folder), manifest);
  const digest = /^sha512-(.+)$/.exec(locked[folder]?.integrity ?? "")?.[1];
  return { name, version, license, text, purl: `pkg:npm/${name.replace("@", "%40")}@${version}`, digest };
};

/** @param {Shipped} one @returns {object} a component of the SBOM */
const componentOf = ({ name, version, license, purl, digest }) => {
  const [, group, short = name] = /^(@[^/]+)\/(.+)$/.exec(name) ?? [];
  const hash = digest === undefined ? undefined : Buffer.from(digest, "base64").toString("hex");
  return {
    type: "library",
    "bom-ref": purl,
    ...(group === undefined ? {} : { group }),
    name: short,
    version,
    ...(hash === undefined ? {} : { hashes: [{ alg: "SHA-512", content: hash }] }),
    licenses: [{ license: { id: license } }],
    purl,
  };
};

/**
 * @param {string} root of the checkout
 * @param {readonly string[]} folders of the packages, relative to it
 * @returns {Promise<{ licences: string, sbom: string }>} the text of both files
 * @throws Error with the name of a package whose licence is unknown
 */
export const billOfMaterials = async (root, folders) => {
  const { packages } = JSON.parse(await readFile(join(root, "package-lock.json"), "utf8"));
  const own = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const present = folders.filter((folder) => existsSync(join(root, folder, "package.json")));
  const all = await Promise.all(present.map((folder) => describe(root, folder, packages)));
  const shipped = [...new Map(all.map((one) => [one.purl, one])).values()].sort((a, b) => (a.purl < b.purl ? -1 : 1));
  const head = `Stagedoor contains code, styles and fonts of ${shipped.length} packages, under these licences.\n`;
  const parts = shipped.map(
    ({ name, version, license, text }) => `${"-".repeat(78)}\n${name} ${version} (${license})\n\n${text}\n`,
  );
  const ref = `pkg:npm/${own.name}@${own.version}`;
  const component = { type: "application", "bom-ref": ref, name: own.name, version: own.version };
  const bom = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: { ...component, licenses: [{ license: { id: own.license } }], purl: ref } },
    components: shipped.map(componentOf),
    dependencies: [{ ref, dependsOn: shipped.map(({ purl }) => purl) }],
  };
  return { licences: [head, ...parts].join("\n"), sbom: `${JSON.stringify(bom, null, 2)}\n` };
};

/**
 * Adds Node, which the single executable contains.
 *
 * @param {string} version such as `v20.19.0`
 * @param {string} text of its licence, with those of what it contains
 * @param {{ licences: string, sbom: string }} bill
 * @returns {{ licences: string, sbom: string }}
 */
export const withNode = (version, text, { licences, sbom }) => {
  const bom = JSON.parse(sbom);
  const purl = `pkg:github/nodejs/node@${version}`;
  const node = { type: "platform", "bom-ref": purl, name: "node", version: version.slice(1), purl };
  bom.components.push({ ...node, licenses: [{ license: { id: "MIT" } }] });
  bom.dependencies[0].dependsOn.push(purl);
  const part = `${"-".repeat(78)}\nnode ${version.slice(1)} (MIT)\n\n${text.trim()}\n`;
  return { licences: `${licences}\n${part}`, sbom: `${JSON.stringify(bom, null, 2)}\n` };
};
