/** What can happen to a request of a login: the columns of the matrix (CONTRACT 27). */
import type { FaultEffect } from "#contract/faults.ts";
import { frozen } from "#contract/frozen.ts";

/** A kind of failure. */
interface KindRow {
  /** What the network or the service does to the step, for the legend. */
  readonly words: string;
  readonly effect: FaultEffect;
  /** Whether only a POST that sends a code can have it. */
  readonly needsCode?: true;
}

/** A response held for so long gives the newer code time to be sent. */
const BESIDE_MS = 300;

// biome-ignore format: a table
const table = frozen({
  unreached: { words: "dropped before it is carried out", effect: { drop: true } },
  lost: { words: "carried out, no response", effect: { drop: true, after: true } },
  "503": { words: "503, not carried out", effect: { status: 503 } },
  "504": { words: "carried out, 504", effect: { status: 504, after: true } },
  late: { words: "carried out, response after 3 s", effect: { delayMs: 3_000, after: true } },
  twice: { words: "carried out twice", effect: { twice: true } },
  nocode: { words: "the code is not delivered", effect: { undelivered: true }, needsCode: true },
  latecode: { words: "the code arrives after 15 s", effect: { deliverAfterMs: 15_000 }, needsCode: true },
  twocodes: { words: "a newer code is sent as well", effect: { delayMs: BESIDE_MS, after: true }, needsCode: true },
} satisfies Readonly<Record<string, KindRow>>);

/** The name of a kind. */
export type Kind = keyof typeof table;
/** @see the file */
export const KINDS: Readonly<Record<Kind, KindRow>> = table;
// An object would put the names that are numbers first.
/** In the order of the columns. */
export const KIND_NAMES = frozen<readonly Kind[]>([
  "unreached",
  "lost",
  "503",
  "504",
  "late",
  "twice",
  "nocode",
  "latecode",
  "twocodes",
]);
/** The most telling first, for a limited time. */
const TELLING = frozen<readonly Kind[]>(["lost", "504", "twice", "unreached"]);

/** @returns the rank of a kind among the most telling ones, 0 for the first. */
export const rankOf = (kind: Kind): number => (TELLING.includes(kind) ? TELLING.indexOf(kind) : TELLING.length);

/** @returns whether a text is the name of a kind. */
export const isKind = (text: string): text is Kind => Object.hasOwn(KINDS, text);
