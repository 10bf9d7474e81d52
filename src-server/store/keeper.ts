/** What transactions are written with; the adapter of lowdb is one. */
import type { Problem } from "#contract/service/problems.ts";
import type { Change } from "#domain/decision.ts";

/** Where changes are stored before they are applied. */
export interface Keeper {
  /** @param changes or their text. @returns the problem if it failed. */
  append(first: number, changes: readonly Change[] | string): Problem | undefined;
  /** @see Store.durable */
  readonly durable: () => Promise<void> | undefined;
}
