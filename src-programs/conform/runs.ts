/** The run file of `stagedoor conform`: what a run has created, so that the next one can delete it. */
import { createHash } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { CommandError } from "#server/plumbing/io.ts";
import type { Keep } from "./measure/lab.ts";

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

/**
 * @param folder of the user's run files. @param adminUrl of the service. @param appId the app of the profiles.
 * @returns the `leftovers` of the previous run (null: none); `keep` saves those of this run, `done` deletes the file.
 * @throws CommandError if another run is in progress, or the file cannot be read.
 */
export const openRuns = async (folder: string, adminUrl: string, appId: string) => {
  const name = createHash("sha256").update(`${adminUrl} ${appId}`).digest("hex").slice(0, 16);
  const file = join(folder, `${name}.json`);
  const text = await readFile(file, "utf8").catch(() => null);
  const parsed = text === null ? null : runFile.safeParse(JSON.parse(text));
  if (parsed?.success === false)
    throw new CommandError(`${file} is not a run file. Delete it once no profile of an earlier run is left.`);
  const leftovers = parsed?.data ?? null;
  if (leftovers !== null && leftovers.pid !== process.pid && isAlive(leftovers.pid))
    throw new CommandError(`Process ${leftovers.pid} is already measuring this service.`);
  const keep: Keep = async (left) => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const beside = `${file}.${process.pid}`;
    await writeFile(beside, JSON.stringify({ pid: process.pid, adminUrl, ...left }), { mode: 0o600 });
    await rename(beside, file);
  };
  return { leftovers, keep, done: () => rm(file, { force: true }) };
};
