/** The README in the tarball that `npm pack` makes. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runsOf } from "#test/docs/accepted.ts";
import pkg from "../../package.json" with { type: "json" };
import { put } from "../../tools/package-readme.mjs";

const CHECKOUT = fileURLToPath(new URL("../..", import.meta.url));
const LINK = /\]\(([^)]+)\)/g;
const run = promisify(execFile);

let root = "";
let packed = "";
const readme = (): Promise<string> => readFile(join(root, "README.md"), "utf8");

/** A checkout of its README alone, packed by its own scripts: packing this one would take its build away from others. */
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "stagedoor-readme-"));
  for (const path of ["README.md", "tools/package-start.md", "tools/package-readme.mjs", "tools/set-repository.mjs"])
    await cp(join(CHECKOUT, path), join(root, path));
  const { name, version, type, repository } = pkg;
  const scripts = { prepack: pkg.scripts.prepack.split(" && ").at(-1), postpack: pkg.scripts.postpack };
  await writeFile(join(root, "package.json"), JSON.stringify({ name, version, type, repository, scripts }));
  await mkdir(join(root, "dist"));
  await run("npm", ["pack", "--silent"], { cwd: root, shell: process.platform === "win32" });
  const archive = (await readdir(root)).find((file) => file.endsWith(".tgz")) ?? "";
  await run("tar", ["-xzf", archive], { cwd: root });
  packed = await readFile(join(root, "package/README.md"), "utf8");
});
afterAll(() => rm(root, { recursive: true, force: true }));

describe("the README of the package", () => {
  test("leaves the checkout's README as it was, also after a pack that was killed", async () => {
    const own = await readFile(join(CHECKOUT, "README.md"), "utf8");
    expect(await readme()).toBe(own);
    put(root);
    expect(await readme()).toBe(packed);
    await run("npm", ["pack", "--silent", "--dry-run"], { cwd: root, shell: process.platform === "win32" });
    expect(await readme()).toBe(own);
    expect(await readdir(join(root, "dist"))).toEqual([]);
  });

  test("says where the command is, and nothing that only a checkout can do", () => {
    expect(packed).toMatch(/^# Stagedoor\n/);
    expect(packed.split("\n## Start\n")[1]?.trim()).toMatch(/^[^\n]+\n?[^\n]*the command is `npx stagedoor`/);
    expect(packed).not.toMatch(/npm (ci|start|run)|Electron could not/);
  });

  test("links only to what this repository has at the tag of the version, and its own sections", () => {
    const links = [...packed.matchAll(LINK)].map(([, link = ""]) => link);
    expect(links.length).toBeGreaterThan(20);
    const places =
      /^https:\/\/(?:github\.com\/[^/]+\/[^/]+\/blob|raw\.githubusercontent\.com\/[^/]+\/[^/]+)\/(v[^/]+)\/(.+)$/;
    for (const link of links) {
      const [, tag, path = ""] = places.exec(link) ?? [];
      expect(tag, link).toBe(`v${pkg.version}`);
      expect(existsSync(join(CHECKOUT, path.replace(/#.*/, ""))), link).toBe(true);
    }
  });

  test("shows only commands of the package", async () => {
    const lines = [...packed.matchAll(/(?:^|`)(?:npx )?stagedoor ([^`\n]+)/gm)].map(([, line = ""]) => line);
    expect(lines.length).toBeGreaterThan(5);
    // In a sentence a command may stand without its arguments.
    for (const line of lines)
      expect(await runsOf(/ /.test(line) ? line : `${line} --help`).then(String, String), line).toMatch(
        /^1$|outputHelp/,
      );
  });
});
