/** A first start installs only what it needs: the rest is in tools/workbench, and none of it is there without a use. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { z } from "zod";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const manifest = z.object({
  workspaces: z.array(z.string()).optional(),
  scripts: z.record(z.string(), z.string()).default({}),
  devDependencies: z.record(z.string(), z.string()),
});
const manifestIn = async (folder: string) =>
  manifest.parse(JSON.parse(await readFile(join(ROOT, folder, "package.json"), "utf8")));

const filesIn = async (folder: string): Promise<string[]> =>
  (await readdir(join(ROOT, folder), { recursive: true }))
    .filter((name) => /\.(?:[cm]?[jt]sx?|json|css|md)$/.test(name) && !name.includes("node_modules"))
    .map((name) => `${folder}/${name}`);

/** The built modules for test frameworks, whose types come from them, are no part of a start. */
const FRAMEWORKS = "src-client/frameworks/";
const SOURCES = ["src-server", "src-programs", "src-client", "src-renderer", "src-demo", "src-main"];
const BUILD = [
  ...["electron.vite.config.ts", "tools/start.mjs", "tools/window.mjs", "tools/build.mjs", "tools/build-modules.mjs"],
  ...["tools/bill-of-materials.mjs", "tools/swap.mjs", "tools/lock.mjs", "tools/checkout-path.mjs"],
  ...["tools/config/vite.server.config.ts", "tools/config/vite.demo.config.ts", "tools/workbench.mjs"],
];

const importing = (name: string): RegExp => new RegExp(`(?:from|import|import\\() ?"${name}(?:/[^"]*)?"`);

test("nothing that a start builds imports a package of the workbench", async () => {
  const { devDependencies } = await manifestIn("tools/workbench");
  const files = [...BUILD, ...(await Promise.all(SOURCES.map(filesIn))).flat()].filter(
    (file) => !file.startsWith(FRAMEWORKS),
  );
  const texts = await Promise.all(files.map(async (file) => [file, await readFile(join(ROOT, file), "utf8")] as const));
  const found = Object.keys(devDependencies).flatMap((name) =>
    texts.filter(([, text]) => importing(name).test(text)).map(([file]) => `${file}: ${name}`),
  );
  expect(found).toEqual([]);
});

test("each package of the workbench is used by a test, a tool or a script", async () => {
  const { devDependencies } = await manifestIn("tools/workbench");
  const { scripts } = await manifestIn(".");
  const files = [...(await filesIn("test")), ...(await filesIn("tools"))].filter(
    (file) => !file.startsWith("tools/workbench"),
  );
  const texts = await Promise.all(files.map((file) => readFile(join(ROOT, file), "utf8")));
  const all = [...Object.values(scripts), ...texts].join("\n");
  expect(Object.keys(devDependencies).filter((name) => !all.includes(name))).toEqual([]);
});

test("every script that needs the workbench installs it first, and no other does", async () => {
  const { workspaces, scripts } = await manifestIn(".");
  expect(workspaces).toEqual(["tools/workbench"]);
  expect(await readFile(join(ROOT, ".npmrc"), "utf8")).toContain("workspaces=false\n");
  const without = Object.keys(scripts).filter((name) => !scripts[name]?.startsWith("node tools/workbench.mjs && "));
  expect(without.sort()).toEqual(["build:server", "dev", "postpack", "start", "version"]);
});
