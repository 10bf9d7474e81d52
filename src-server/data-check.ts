/**
 * Looks at a data directory without touching it: who holds it, and whether a start could read it.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { journalNumbers, prepareDir } from "#store/data-dir.ts";
import { StoreFailure } from "#store/failure.ts";
import { type FileSystem, nodeFiles } from "#store/files.ts";
import { JournalReader } from "#store/journal.ts";
import { machineProcesses } from "#store/processes.ts";
import { recover } from "#store/recovery.ts";

/** The file system, but nothing is ever changed. */
const lookOnly: FileSystem = {
  ...nodeFiles,
  makeDir: () => {},
  create: () => -1,
  open: () => -1,
  write: (_fd, _bytes, _offset, length) => length,
  truncate: () => {},
  sync: () => {},
  close: (fd) => (fd === -1 ? undefined : nodeFiles.close(fd)),
  rename: () => {},
  link: () => {},
  remove: () => {},
  setMode: () => {},
};

const holder = z.object({ pid: z.int(), consoleUrl: z.string().nullable() });

/** Who holds a data directory. */
export interface Holder {
  /** The lock file. */
  readonly file: string;
  /** Undefined: the file cannot be read. */
  readonly pid: number | undefined;
  /** Null: still starting. */
  readonly consoleUrl: string | null;
  /** Whether that process lives; if not, the next start takes the lock over. */
  readonly lives: boolean;
}

/** @returns the holder that the lock file names; undefined if there is no lock. */
export const readHolder = async (dataDir: string): Promise<Holder | undefined> => {
  const file = join(dataDir, "lock.json");
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    const { pid, consoleUrl } = holder.parse(JSON.parse(text));
    return { file, pid, consoleUrl, lives: machineProcesses.lives(pid) };
  } catch {
    return { file, pid: undefined, consoleUrl: null, lives: false };
  }
};

/** The unfinished end of the newest journal, which a start cuts off and keeps beside. */
export interface TornEnd {
  readonly file: string;
  /** The byte where it begins, and how many there are. */
  readonly offset: number;
  readonly bytes: number;
}

/** What a start would read. */
export interface ReadData {
  readonly apps: number;
  readonly profiles: number;
  readonly torn: TornEnd | undefined;
}

const tornEnd = (file: string): TornEnd | undefined => {
  const { tornBytes, end } = new JournalReader(nodeFiles.read(file));
  return tornBytes === 0 && end > 0 ? undefined : { file, offset: end, bytes: tornBytes };
};

/**
 * Reads all the data as a start would. Nobody else may be writing it.
 * @returns how much there is, or the damage. @throws Node's errors.
 */
export const readData = (dataDir: string): ReadData | { readonly damage: StoreFailure } => {
  const dir = prepareDir(lookOnly, dataDir);
  try {
    const apps = recover(lookOnly, dir, () => {})?.index.apps ?? [];
    const newest = journalNumbers(lookOnly, dir).at(-1);
    return {
      apps: apps.length,
      profiles: apps.reduce((sum, app) => sum + app.profiles.length, 0),
      torn: newest === undefined ? undefined : tornEnd(dir.journal(newest)),
    };
  } catch (error) {
    if (error instanceof StoreFailure) return { damage: error };
    throw error;
  }
};
