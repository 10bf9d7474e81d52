/** Inspects a data directory without changing it: whether a start could read it. */
import { dataDirAt } from "#store/disk/data-dir.ts";
import { nodeFiles } from "#store/disk/files.ts";
import { keyFlaw } from "#store/document/check.ts";
import { StoreFailure } from "#store/failure.ts";
import { readData } from "#store/recovery/recovery.ts";
import { keyError } from "#tokens/keys.ts";

/** The torn end of the newest journal, which a start truncates and backs up. */
export interface TornEnd {
  readonly file: string;
  /** The byte offset where it begins, and its length. */
  readonly offset: number;
  readonly bytes: number;
}

/** The data that a start would read. */
export interface InspectedData {
  readonly apps: number;
  readonly profiles: number;
  readonly torn: TornEnd | undefined;
}

/** Why a start would reject the data: what is wrong, where, and what to do. */
export type Damage = Pick<StoreFailure, "what" | "advice" | "file" | "offset" | "isRepairable" | "message">;

/**
 * Reads all data as a start would. No other process may be writing it.
 * @param dataDir an existing directory. @returns record counts, or why a start would fail. @throws Node errors.
 */
export const inspectData = async (dataDir: string): Promise<InspectedData | { readonly damage: Damage }> => {
  try {
    const dir = dataDirAt(nodeFiles, dataDir);
    const found = readData(nodeFiles, dir);
    const flaw = found === undefined ? undefined : keyFlaw(found.index.document, keyError);
    if (found !== undefined && flaw !== undefined) throw found.damage(flaw);
    const { apps = [] } = found?.index ?? {};
    const torn = found?.torn;
    return {
      apps: apps.length,
      profiles: apps.reduce((sum, app) => sum + app.profiles.length, 0),
      torn:
        torn === undefined ? undefined : { file: dir.journal(torn.number), offset: torn.end, bytes: torn.bytes.length },
    };
  } catch (error) {
    if (error instanceof StoreFailure) return { damage: error };
    throw error;
  }
};
