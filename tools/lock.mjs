import { open, readFile, rm, stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * @param {number} pid
 * @returns {boolean} whether the process is running
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
 * @returns {Promise<boolean>} whether the lock was acquired
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
 * Runs `work` while no other process on this machine holds the same lock.
 *
 * @template T
 * @param {string} file the lock: exists while it is held, and contains the holder's pid
 * @param {() => Promise<T>} work
 * @returns {Promise<T>} the result of `work`
 */
export const withLock = async (file, work) => {
  while (!(await take(file))) {
    const holder = Number(await readFile(file, "utf8").catch(() => ""));
    // Empty between creation and writing; for longer only if its creator was killed in between.
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
