/** What the palette can do. */
export interface Command {
  /** Stays the same over time: it is remembered. */
  readonly id: string;
  readonly title: string;
  /** A word beside it: what it would copy, or whom it is about. */
  readonly hint?: string;
  readonly run: () => unknown;
}
