/** What transactions are written with; the adapter of lowdb is one. */
import type { Problem } from "#contract/service/problems.ts";
import type { Change } from "#domain/decision.ts";
import type { StoreDocument } from "./document/document.ts";

/** Where changes are stored before they are applied. Both return the problem if that failed. */
export interface Keeper {
  append(first: number, changes: readonly Change[]): Problem | undefined;
  replace(document: StoreDocument): Problem | undefined;
  /**
   * Like `replace`, without blocking the event loop. @param isCurrent whether the document is still to replace the data.
   * @param done called as soon as it has, in the same turn of the event loop.
   * @returns the problem, or that it was not.
   */
  replaceLater(
    document: StoreDocument,
    isCurrent: () => boolean,
    done: () => void,
  ): Promise<Problem | "stale" | undefined>;
  /** @see Store.durable */
  readonly durable: () => Promise<void> | undefined;
}
