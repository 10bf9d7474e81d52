/**
 * `npm run docs`: writes the generated files (documents/documents.ts). `--check` writes nothing, and exits with status
 * 1 if one of them is stale.
 */
import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runnerImport } from "vite";
import { ROOT } from "./build.mjs";

/** @type {{ module: typeof import("./documents/documents.ts") }} */
const { module } = await runnerImport(join(ROOT, "tools/documents/documents.ts"), {
  root: ROOT,
  configFile: false,
  logLevel: "error",
});

/**
 * @param {string} path
 * @param {string} text
 * @returns {string} the formatted text
 */
const formatted = (path, text) => {
  const biome = join(ROOT, "node_modules/@biomejs/biome/bin/biome");
  const { status, stdout, stderr } = spawnSync(process.execPath, [biome, "format", `--stdin-file-path=${path}`], {
    cwd: ROOT,
    input: text,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${path} cannot be formatted: ${stderr}`);
  return stdout;
};

const check = process.argv.includes("--check");
for (const file of module.generatedFiles()) {
  const text = formatted(file.path, file.text);
  const current = (await readFile(join(ROOT, file.path), "utf8").catch(() => "")) === text;
  if (current) continue;
  if (check) process.exitCode = 1;
  else await writeFile(join(ROOT, file.path), text);
  console.log(`${file.path} ${check ? "is stale: run `npm run docs`" : "written"}`);
}
