/** Explains why requests were refused and how to fix them, as the UI does. */
import type { RequestRow } from "#client/records.ts";
import { decisionOn, refusalWords } from "#contract/control/refusals.ts";

/** @see explain */
export interface Explanation {
  /** Why it was refused or got no response; null otherwise. */
  readonly reason: string | null;
  /** What to change, most relevant first. */
  readonly change: readonly string[];
  /** The behaviour of the emulator and the id of its decision; null without a decision. */
  readonly behaviour: string | null;
}

/** @returns an explanation of the row. */
export const explain = (row: RequestRow): Explanation => {
  const reason = refusalWords(row) ?? null;
  const decision = reason === null ? undefined : decisionOn(row);
  return {
    reason,
    change: row.advice.map(({ text }) => text),
    behaviour: decision === undefined ? null : `${decision.sentence} (docs/fidelity.md, ${row.decision})`,
  };
};
