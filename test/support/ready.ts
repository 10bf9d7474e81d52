/** The ready line of a start. */
import { findStartLine, type Ready as Told } from "#contract/control/ready.ts";

/** Where a started server is; `dataDir` is "" with durability `memory`, where the line has null. */
export type Ready = Omit<Told, "dataDir"> & { readonly dataDir: string };

/** @returns the ready line; undefined for another line. */
export const parseReadyLine = (line: string): Ready | undefined => {
  const said = findStartLine(line);
  return said?.event === "ready" ? { ...said, dataDir: said.dataDir ?? "" } : undefined;
};
