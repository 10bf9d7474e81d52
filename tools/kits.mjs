/**
 * `npm run kits`: takes each kit out of a copy of the sources, with those that stand on it, then type-checks and builds
 * what is left and runs the service's own tests; and once without any kit. `--types` only type-checks; names choose kits.
 */
import { spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runnerImport } from "vite";
import { ROOT } from "./build.mjs";

/** The rooms whose compilation reads all others but tests and tools. */
const ROOMS = ["server", "renderer", "main"];
/** The rules of the service, over HTTP. */
const OWN_TESTS = ["test/http/decisions"];
/** What a copy needs. */
const COPIED =
  /^(src-.*|tools|test|fixtures|bin|LICENSE|README\.md|CHANGELOG\.md|package(-lock)?\.json|tsconfig.*\.json|.*\.config\.ts)$/;

/** @type {{ module: typeof import("../src-server/kits/parts.ts") }} */
const { module } = await runnerImport(join(ROOT, "src-server/kits/parts.ts"), {
  root: ROOT,
  configFile: false,
  logLevel: "error",
});
/** @type {Map<string, readonly string[]>} */
const needs = new Map(module.kits().map(([name, kit]) => [name, kit.needs ?? []]));

/** @param {string} name @returns {string[]} the kits that stand on it, directly or not */
const standingOn = (name) => {
  const found = new Set([name]);
  for (const one of found) for (const [other, all] of needs) if (all.includes(one)) found.add(other);
  return [...found].filter((one) => one !== name);
};

/** @param {string} top @returns {Promise<string[]>} the folders of kits of every side: `src-server/kits` */
const sidesIn = async (top) => {
  const names = await readdir(top);
  const sides = names.filter((name) => name.startsWith("src-") || name === "test").map((name) => `${name}/kits`);
  const there = await Promise.all(sides.map((side) => readdir(join(top, side)).catch(() => undefined)));
  return sides.filter((_, at) => there[at] !== undefined);
};

/**
 * @param {string} text of a list
 * @param {string} name
 * @returns {string} the list without the lines of a kit: its imports, what uses them, and its entry
 */
const without = (text, name) => {
  const lines = text.split("\n");
  const own = lines.filter((line) => line.includes(`"./${name}/`));
  const imported = own.flatMap((line) =>
    (/^import (?:type )?\{(.*)\}/.exec(line)?.[1] ?? "")
      .split(",")
      .map((one) => one.split(" ").findLast(Boolean) ?? ""),
  );
  const names = imported.filter(Boolean).join("|");
  const uses = new RegExp(names === "" ? "(?!)" : `\\b(${names})\\b`);
  const entry = new RegExp(`^\\s+"?${name}"?[,:]|name: "${name}"`);
  const isList = (/** @type {string} */ line) => /^\s+\S/.test(line);
  return lines
    .filter((line) => !own.includes(line) && !(isList(line) && (uses.test(line) || entry.test(line))))
    .join("\n");
};

/** @param {readonly string[]} names of kits @returns {Promise<string>} a copy without them */
const copyWithout = async (names) => {
  const top = await mkdtemp(join(tmpdir(), "stagedoor-kits-"));
  for (const name of await readdir(ROOT))
    if (COPIED.test(name)) await cp(join(ROOT, name), join(top, name), { recursive: true });
  await mkdir(join(top, "node_modules"));
  for (const name of await readdir(join(ROOT, "node_modules")))
    if (!name.startsWith(".") || name === ".bin")
      await symlink(join(ROOT, "node_modules", name), join(top, "node_modules", name), "junction");
  for (const side of await sidesIn(top)) {
    for (const name of names) await rm(join(top, side, name), { recursive: true, force: true });
    for (const file of await readdir(join(top, side))) {
      if (!/\.tsx?$/.test(file)) continue;
      const path = join(top, side, file);
      await writeFile(path, names.reduce(without, await readFile(path, "utf8")));
    }
  }
  return top;
};

/** @param {string} name @returns {Promise<{ files: number, lines: number }>} the size of a kit without its tests */
const sizeOf = async (name) => {
  let [files, lines] = [0, 0];
  for (const side of (await sidesIn(ROOT)).filter((one) => !one.startsWith("test/"))) {
    const found = await readdir(join(ROOT, side, name), { recursive: true }).catch(() => []);
    for (const file of found.filter((one) => /\.(tsx?|css)$/.test(one))) {
      files += 1;
      lines += (await readFile(join(ROOT, side, name, file), "utf8")).split("\n").length - 1;
    }
  }
  return { files, lines };
};

/** @param {string} top @param {string[]} args @returns {boolean} whether Node ended well */
const runs = (top, ...args) => spawnSync(process.execPath, args, { cwd: top, stdio: "inherit" }).status === 0;

const given = process.argv.slice(2);
const typesOnly = given.includes("--types");
const named = given.filter((one) => !one.startsWith("--"));
const rounds = [...needs.keys()]
  .filter((name) => named.length === 0 || named.includes(name))
  .map((name) => ({ name, out: [name, ...standingOn(name)] }));
if (named.length === 0) rounds.push({ name: "(no kit)", out: [...needs.keys()] });

const table = [["kit", "files", "lines", "stands on it", "seconds", "result"]];
for (const { name, out } of rounds) {
  const began = performance.now();
  const top = await copyWithout(out);
  const steps = [() => runs(top, "tools/typecheck.mjs", ...ROOMS)];
  if (!typesOnly)
    steps.push(
      () => runs(top, "tools/build.mjs"),
      () =>
        runs(
          top,
          "node_modules/vitest/vitest.mjs",
          "run",
          "--config",
          "tools/config/vitest.config.ts",
          "--project",
          "rooms",
          ...OWN_TESTS,
        ),
    );
  const isGreen = steps.every((step) => step());
  await rm(top, { recursive: true });
  const { files, lines } = name === "(no kit)" ? { files: "", lines: "" } : await sizeOf(name);
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  const on = name === "(no kit)" ? "" : out.slice(1).join(", ") || "nothing";
  table.push([name, String(files), String(lines), on, seconds, isGreen ? "green" : "RED"]);
  if (!isGreen) process.exitCode = 1;
}
const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
for (const row of table) console.log(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
