/** What a feature does with events. It is in the first view. */
import type { StagedoorEvent } from "#client/index.ts";

/** @see the file */
export interface Hears {
  /** Takes an event, of any kind. @returns the keys of the queries to reload. */
  readonly hear?: (event: StagedoorEvent) => readonly string[];
  /** Its queries over the data: they are reloaded after each change. */
  readonly quick?: readonly string[];
  /** Its queries that an action of the UI waits for: they are reloaded before it is over. */
  readonly awaited?: readonly string[];
  /** Its events that change no data, so that nothing else is reloaded. */
  readonly besideData?: readonly StagedoorEvent["type"][];
}
