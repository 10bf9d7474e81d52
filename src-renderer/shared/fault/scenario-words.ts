import type { Scenario } from "#client/index.ts";

/** The named scenarios and their descriptions. */
export const SCENARIO_CHOICES: readonly (readonly [name: Extract<Scenario, string>, words: string])[] = [
  ["locked", "Locked out"],
  ["expiredCodes", "Codes are expired"],
  ["noDelivery", "Codes are not delivered"],
  ["slow", "Slow responses"],
  ["serverError", "Server error"],
];
