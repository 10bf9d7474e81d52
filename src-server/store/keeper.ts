/** What transactions are written with; the adapter of lowdb is one. */
import type { Problem } from "#contract/service/problems.ts";
import type { Change } from "#domain/decision.ts";
import type { StoreDocument } from "./document/document.ts";

/** Where changes are stored before they are applied. */
export interface Keeper {
  /** @param changes or their text. @returns the problem if it failed. */
  append(first: number, changes: readonly Change[] | string): Problem | undefined;
  /** Stores what the current document becomes, where the journal takes no more. @returns the problem if it failed. */
  replace(document: StoreDocument): Problem | undefined;
  /** @see Store.durable */
  readonly durable: () => Promise<void> | undefined;
}
