import { FailedSince, FailNextLink } from "./faults/fail-next.tsx";
import { FaultLink } from "./faults/fault-link.tsx";
import { inARow } from "./in-a-row.ts";
import type { OfFault, OfLine, OfRequest } from "./manifest.ts";

/** What kits do with a row of the log: one line for each. */
// biome-ignore format: one line a kit
export const LineLinks = inARow<OfLine>([
  FailNextLink,
]);

/** What kits say of the fault that a request met: one line for each. */
// biome-ignore format: one line a kit
export const FaultName = inARow<OfFault>([
  FaultLink,
]);

/** What kits show next to the response to a request: one line for each. */
// biome-ignore format: one line a kit
export const BesideResponse = inARow<OfRequest>([
  FailedSince,
]);
