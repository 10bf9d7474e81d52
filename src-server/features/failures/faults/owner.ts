/** Who sets a fault, and so in whose room it is (fault-room.ts). */
import type { TokenHolder } from "#http/guards/token-holder.ts";

/** The app of a bound token; null: anybody else. */
export type FaultOwner = string | null;

/** @returns in whose room faults are set. */
export const faultOwnerOf = (holder: TokenHolder | undefined): FaultOwner => holder?.appId ?? null;
