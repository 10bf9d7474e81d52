import { readFileSync, statfsSync } from "node:fs";

const DIR = "/dev/shm";
const ENOUGH_BYTES = 2 ** 30;

/** @returns whether the in-memory folder has space and allows programs: a container's often has 64 MB and `noexec`. */
const isUsable = (): boolean => {
  if (process.platform !== "linux") return false;
  try {
    const mounts = readFileSync("/proc/self/mounts", "utf8").split("\n");
    const mount = mounts.find((line) => line.split(" ")[1] === DIR);
    const { bavail, bsize } = statfsSync(DIR);
    return mount !== undefined && !/\bnoexec\b/.test(mount) && bavail * bsize >= ENOUGH_BYTES;
  } catch {
    return false;
  }
};

/** Puts temporary files in memory: the tests write thousands of small ones, and would mostly wait for the disk. */
export const useMemoryDir = (): void => {
  if (isUsable()) process.env["TMPDIR"] ??= DIR;
};
