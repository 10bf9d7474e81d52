import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { readFacts } from "./facts.ts";
import { type Breach, breachesOf, type Source } from "./walls.ts";

/** Where source files are. */
const FOLDERS = ["src-client", "src-demo", "src-server", "src-programs", "src-main", "src-renderer", "test", "tools"];

const pathsBelow = async (top: string): Promise<string[]> => {
  const paths: string[] = [];
  for (const folder of FOLDERS) {
    if (!existsSync(join(top, folder))) continue;
    const entries = await readdir(join(top, folder), { withFileTypes: true, recursive: true });
    for (const entry of entries)
      if (entry.isFile() && /\.(ts|tsx|mjs)$/.test(entry.name) && !entry.name.endsWith(".d.ts"))
        paths.push(relative(top, join(entry.parentPath, entry.name)).split(sep).join("/"));
  }
  return paths.sort();
};

const readSource = async (top: string, path: string): Promise<Source> => {
  const text = await readFile(join(top, path), "utf8");
  return { path, lines: text.split("\n").length - 1, facts: readFacts(path, text) };
};

/** @param top a checkout, or a directory laid out like one. @returns its violations. */
export const checkTree = async (top: string): Promise<readonly Breach[]> => {
  const paths = await pathsBelow(top);
  return breachesOf(await Promise.all(paths.map((path) => readSource(top, path))));
};

/** @returns the distinct regular expressions outside tests, each with the first file that contains it. */
export const regexesOf = async (
  top: string,
): Promise<readonly { readonly path: string; readonly literal: string }[]> => {
  const paths = (await pathsBelow(top)).filter((path) => !path.startsWith("test/"));
  const sources = await Promise.all(paths.map((path) => readSource(top, path)));
  const first = new Map<string, string>();
  for (const { path, facts } of sources)
    for (const { name } of facts.regexes) if (!first.has(name)) first.set(name, path);
  return [...first].map(([literal, path]) => ({ path, literal }));
};
