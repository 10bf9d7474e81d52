import { open, readFile, rm, stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * @param {number} pid
 * @returns {boolean} whether such a process runs
 */
const alive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
};

/**
 * @param {string} file
 * @returns {Promise<boolean>} whether the lock was taken
 */
const take = async (file) => {
  try {
    const handle = await open(file, "wx");
    await handle.writeFile(String(process.pid));
    await handle.close();
    return true;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    return false;
  }
};

/**
 * Does the work while no other process of this machine does work under the same lock.
 *
 * @template T
 * @param {string} file the lock: it exists while somebody works, and names their pid
 * @param {() => Promise<T>} work
 * @returns {Promise<T>} what the work gives
 */
export const withLock = async (file, work) => {
  while (!(await take(file))) {
    const holder = Number(await readFile(file, "utf8").catch(() => ""));
    // Empty between its making and its writing; for longer only if its maker died just then.
    const age = Date.now() - (await stat(file).then(({ mtimeMs }) => mtimeMs, Date.now));
    if (holder > 0 ? !alive(holder) : age > 5000) await rm(file, { force: true });
    else await sleep(50);
  }
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
};
