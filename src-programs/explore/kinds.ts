/** What can happen to a request of a login, as a fault that is set for it. */
import { KIND_NAMES, type Kind } from "#contract/documents/explorations.ts";
import { frozen } from "#contract/frozen.ts";
import type { FaultEffect } from "#contract/service/faults.ts";

/** A kind of failure. */
interface KindRow {
  readonly effect: FaultEffect;
  /** Whether only a POST that sends a code can have it. */
  readonly needsCode?: true;
}

/** @see the file */
export const KINDS: Readonly<Record<Kind, KindRow>> = frozen({
  unreached: { effect: { drop: true } },
  lost: { effect: { drop: true, after: true } },
  "503": { effect: { status: 503 } },
  "504": { effect: { status: 504, after: true } },
  late: { effect: { delayMs: 3_000, after: true } },
  twice: { effect: { twice: true } },
  nocode: { effect: { undelivered: true }, needsCode: true },
  latecode: { effect: { deliverAfterMs: 15_000 }, needsCode: true },
  // Changes nothing: the newer code is sent once the first has been read.
  twocodes: { effect: { delayMs: 0 }, needsCode: true },
} satisfies Readonly<Record<Kind, KindRow>>);

/** The most telling first, for a limited time. */
const TELLING = frozen<readonly Kind[]>(["lost", "504", "twice", "unreached"]);

/** @returns the rank of a kind among the most telling ones, 0 for the first. */
export const rankOf = (kind: Kind): number => (TELLING.includes(kind) ? TELLING.indexOf(kind) : TELLING.length);

/** @returns whether a text is the name of a kind. */
export const isKind = (text: string): text is Kind => KIND_NAMES.some((name) => name === text);
