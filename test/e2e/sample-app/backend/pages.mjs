// @ts-check
/**
 * The built page, read once.
 */
import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";

/** @type {Readonly<Record<string, string>>} */
const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css" };

/**
 * @typedef {{ readonly type: string, readonly body: Buffer }} Page
 */

/**
 * @param {string} folder what `vite build` has made
 * @returns {Promise<ReadonlyMap<string, Page>>} the files by their paths on the site
 */
export const readPages = async (folder) => {
  /** @type {Map<string, Page>} */
  const pages = new Map();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const type = TYPES[extname(file)] ?? "application/octet-stream";
    const path = `/${relative(folder, file).split(sep).join("/")}`;
    pages.set(path === "/index.html" ? "/" : path, { type, body: await readFile(file) });
  }
  return pages;
};
