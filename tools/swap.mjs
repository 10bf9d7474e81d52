import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";

/** @param {string} built @param {string} folder the folder to replace */
const swap = async (built, folder) => {
  const old = `${built}.old`;
  if (existsSync(folder)) await rename(folder, old);
  try {
    await rename(built, folder);
  } catch (error) {
    if (existsSync(old)) await rename(old, folder);
    throw error;
  }
};

/**
 * Builds folders next to the existing ones, and swaps them in only when all are built: a failed build leaves the
 * previous one unchanged.
 *
 * @param {string} dist the parent of the folders
 * @param {readonly string[]} names of the folders
 * @param {(to: string) => Promise<void>} build builds them in another folder
 * @throws what `build` throws
 */
export const buildBeside = async (dist, names, build) => {
  const beside = join(dist, `.next-${names.join("-")}`);
  await rm(beside, { recursive: true, force: true });
  try {
    await build(beside);
    for (const name of names) await swap(join(beside, name), join(dist, name));
  } finally {
    await rm(beside, { recursive: true, force: true });
  }
};
