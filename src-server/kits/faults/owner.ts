/** Who sets a fault, and so in whose room it is (fault-room.ts). */
import type { Visitor } from "#http/visitor.ts";

/** The app of a bound token; null: anybody else. */
export type FaultOwner = string | null;

/** @returns in whose room faults are set. */
export const faultOwnerOf = (visitor: Visitor | undefined): FaultOwner => visitor?.appId ?? null;
