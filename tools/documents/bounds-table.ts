/** The table of limits in `docs/internals/reliability.md`, from the contract. */
import { BOUNDS, type Bound } from "#contract/bounds.ts";
import { table } from "./schema-text.ts";

/** @returns the table. */
export const boundsTable = (): string =>
  table([
    ["At most", "Of", "Beyond it"],
    ...Object.values<Bound>(BOUNDS).map(({ most, unit, of, beyond }) => [
      `${most.toLocaleString("en-US")} ${unit}`,
      of,
      beyond,
    ]),
  ]);
