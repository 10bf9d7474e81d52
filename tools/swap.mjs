import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";

/** @param {string} built @param {string} folder what it takes the place of */
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
 * Builds folders beside those that are there, and swaps them only when all are built: a build that fails leaves the last
 * good one as it was.
 *
 * @param {string} dist where the folders are
 * @param {readonly string[]} names of the folders
 * @param {(to: string) => Promise<void>} build makes them in another folder
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
