/**
 * `node tools/set-repository.mjs [owner/name]`: sets the name of the GitHub repository everywhere. `package.json`
 * states it; everything else uses relative links or the workflow context. Safe to run again with another name; without
 * one, as in `npm version`, it only sets the version of the image, of the entry in the MCP registry, and of the feature.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { argv } from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";

const FEATURE = "docs/deploy/devcontainer/stagedoor";

/** Files that contain the repository URL. A test fails if any other file does. */
export const FILES = [
  "package.json",
  "server.json",
  ".github/CONTRIBUTING.md",
  `${FEATURE}/devcontainer-feature.json`,
  `${FEATURE}/install.sh`,
];

/** The file with the image that release.yml publishes, named like the repository in lower case. */
export const IMAGE = "docs/deploy/kubernetes/image/kustomization.yaml";

/** Those of them that also have the version: the entry in the MCP registry, and the feature of dev containers. */
const VERSIONED = ["server.json", `${FEATURE}/devcontainer-feature.json`];

/**
 * @param {string} manifest text of package.json
 * @returns {string} its repository as `owner/name`
 */
export const repositoryOf = (manifest) => {
  const found = /github\.com\/([\w.-]+\/[\w.-]+?)\.git$/.exec(JSON.parse(manifest).repository?.url ?? "")?.[1];
  if (found === undefined) throw new Error("package.json: repository.url is not the URL of a GitHub repository");
  return found;
};

/**
 * @param {string} root of the checkout
 * @param {string} [name] `owner/name`; absent: unchanged
 * @returns {string[]} the files that changed
 * @throws Error if the name has another form
 */
export const setRepository = (root, name) => {
  const manifest = readFileSync(join(root, "package.json"), "utf8");
  const old = repositoryOf(manifest);
  const to = name ?? old;
  const { version } = JSON.parse(manifest);
  if (!/^[A-Za-z0-9][A-Za-z0-9-]*\/[A-Za-z0-9._-]+$/.test(to)) throw new Error(`Expected owner/name, not "${to}"`);
  return [...FILES, IMAGE].filter((file) => {
    const text = readFileSync(join(root, file), "utf8");
    const changed = (VERSIONED.includes(file) ? text.replace(/("version": ")[^"]+/g, `$1${version}`) : text)
      .replaceAll(`github.com/${old}`, `github.com/${to}`)
      .replaceAll(`io.github.${old}`, `io.github.${to}`)
      .replace(/(newName: ghcr\.io)\S+/, `$1/${to.toLowerCase()}`)
      .replace(/(newTag: ).+/, `$1${version}`);
    if (changed !== text) writeFileSync(join(root, file), changed);
    return changed !== text;
  });
};

if (import.meta.url === pathToFileURL(argv[1] ?? "").href) {
  const changed = setRepository(fileURLToPath(new URL("..", import.meta.url)), argv[2]);
  console.log(changed.length === 0 ? "Nothing to change." : `Changed ${changed.join(", ")}.`);
}
