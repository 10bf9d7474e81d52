/** The run file of `stagedoor conform`: what a run has created, so that the next one can delete it (CONTRACT 12). */
import { createHash } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import type { Keep, Leftovers } from "#conform/lab.ts";
import { CommandError } from "./io.ts";

const runFile = z.object({
  pid: z.int(),
  adminUrl: z.string(),
  run: z.string(),
  userIds: z.array(z.string()),
  isUnsure: z.boolean(),
});

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
};

/** The run file of one service. */
export interface Runs {
  /** From the previous run; null if it deleted everything. */
  readonly leftovers: Leftovers | null;
  readonly keep: Keep;
  /** Deletes the file, because nothing is left. */
  done(): Promise<void>;
}

/**
 * @param folder of the user's run files. @param adminUrl of the service. @param appId the app of the profiles.
 * @throws CommandError if another run is in progress, or the file cannot be read.
 */
export const openRuns = async (folder: string, adminUrl: string, appId: string): Promise<Runs> => {
  const name = createHash("sha256").update(`${adminUrl} ${appId}`).digest("hex").slice(0, 16);
  const file = join(folder, `${name}.json`);
  const text = await readFile(file, "utf8").catch(() => null);
  const parsed = text === null ? null : runFile.safeParse(JSON.parse(text));
  if (parsed?.success === false)
    throw new CommandError(`${file} is no run file. Delete it once no profile of an earlier run is left.`);
  const before = parsed?.data ?? null;
  if (before !== null && before.pid !== process.pid && isAlive(before.pid))
    throw new CommandError(`Process ${before.pid} is already measuring this service.`);
  return {
    leftovers: before,
    keep: async (leftovers) => {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      const beside = `${file}.${process.pid}`;
      await writeFile(beside, JSON.stringify({ pid: process.pid, adminUrl, ...leftovers }), { mode: 0o600 });
      await rename(beside, file);
    },
    done: () => rm(file, { force: true }),
  };
};
