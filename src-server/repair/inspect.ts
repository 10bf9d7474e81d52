/** Inspects a data directory without changing it: whether a start could read it. */
import { dataDirAt } from "#store/disk/data-dir.ts";
import { nodeFiles } from "#store/disk/files.ts";
import { StoreFailure } from "#store/failure.ts";
import { readData } from "#store/recovery/recovery.ts";
import { keyError } from "#tokens/keys.ts";

/** The data that a start would read. */
export interface InspectedData {
  readonly apps: number;
  readonly profiles: number;
  /** The torn end of the newest journal, which a start truncates and backs up: its place and length in bytes. */
  readonly torn: { readonly file: string; readonly offset: number; readonly bytes: number } | undefined;
}

/** Why a start would reject the data: what is wrong, where, and what to do. */
export type Damage = Pick<StoreFailure, "what" | "advice" | "file" | "offset" | "isRepairable" | "message">;

/** @returns record counts of an existing directory, or why a start would fail. @throws Node errors. */
export const inspectData = async (dataDir: string): Promise<InspectedData | { readonly damage: Damage }> => {
  try {
    const dir = dataDirAt(nodeFiles, dataDir);
    const { index, torn } = readData(dir, keyError) ?? {};
    const apps = index?.apps ?? [];
    return {
      apps: apps.length,
      profiles: apps.reduce((sum, app) => sum + app.profiles.length, 0),
      torn: torn && { file: dir.journal(torn.number), offset: torn.end, bytes: torn.bytes.length },
    };
  } catch (error) {
    if (error instanceof StoreFailure) return { damage: error };
    throw error;
  }
};
