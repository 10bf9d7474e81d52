/** Snapshots of one app, or of all. */
import type { OfApp } from "./of-app.ts";
import type * as R from "./records.ts";
import { segment, type Transport } from "./transport.ts";

/** @returns the calls. @see Client */
export const createSnapshots = ({ ask, tell }: Transport) => ({
  /** Saves a snapshot; overwrites any snapshot with that name. */
  save: (name: string, of?: OfApp): Promise<R.Snapshot> => ask("PUT", `snapshots/${segment(name)}`, { query: of }),
  restore: (name: string, of?: OfApp): Promise<R.Restored> =>
    ask("POST", `snapshots/${segment(name)}/restore`, { query: of }),
  list: (of?: OfApp): Promise<R.List<R.Snapshot>> => ask("GET", "snapshots", { query: of }),
  delete: (name: string, of?: OfApp): Promise<void> => tell("DELETE", `snapshots/${segment(name)}`, { query: of }),
});
