/**
 * `node tools/package-readme.mjs put | back`: npm packs the README.md at the top, which is written for a checkout. Before
 * packing (`prepack`), `put` replaces it with the package's; afterwards (`postpack`), `back` restores it.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { argv, cwd } from "node:process";
import { pathToFileURL } from "node:url";
import { repositoryOf } from "./set-repository.mjs";

/** Where the README of the checkout is in the meantime. */
const KEPT = "dist/README.checkout.md";

/** @param {string} readme @param {string} title @param {string} text @returns {string} with another text for a section */
const replaceSection = (readme, title, text) => {
  const changed = readme.replace(new RegExp(`^## ${title}$[\\s\\S]*?^(?=## )`, "m"), () => `${text}\n`);
  if (changed === readme) throw new Error(`README.md has no section "${title}"`);
  return changed;
};

/**
 * @param {{ readme: string, start: string, manifest: string }} given README.md, tools/package-start.md, package.json
 * @returns {string} the README of the package: how to start it there, absolute links
 * @throws Error if a section is missing
 */
export const packageReadme = ({ readme, start, manifest }) => {
  const place = `${repositoryOf(manifest)}/`;
  const tag = `v${JSON.parse(manifest).version}/`;
  return replaceSection(readme, "Try it", start)
    .replace(/(!\[[^\]]*\]\()(?!https?:)/g, `$1https://raw.githubusercontent.com/${place}${tag}`)
    .replace(/(?<!!)(\[[^\]]*\]\()(?!https?:)/g, `$1https://github.com/${place}blob/${tag}`);
};

/** @param {string} root of the checkout */
const filesOf = (root) => {
  /** @param {string} path */
  const read = (path) => readFileSync(join(root, path), "utf8");
  const now = read("README.md");
  const kept = existsSync(join(root, KEPT)) ? read(KEPT) : undefined;
  /** @param {string} readme */
  const made = (readme) =>
    packageReadme({ readme, start: read("tools/package-start.md"), manifest: read("package.json") });
  // After a pack that was killed, the one at the top is still the package's.
  const isPut = kept !== undefined && now === made(kept);
  return { now, kept, made, isPut };
};

/** @param {string} root of the checkout @see the top of this file */
export const put = (root) => {
  const { now, made, isPut } = filesOf(root);
  if (isPut) return;
  writeFileSync(join(root, KEPT), now);
  writeFileSync(join(root, "README.md"), made(now));
};

/** @param {string} root of the checkout @see the top of this file */
export const back = (root) => {
  const { kept, isPut } = filesOf(root);
  if (kept !== undefined && isPut) writeFileSync(join(root, "README.md"), kept);
  rmSync(join(root, KEPT), { force: true });
};

if (import.meta.url === pathToFileURL(argv[1] ?? "").href) (argv[2] === "put" ? put : back)(cwd());
