import type { Scenario } from "#client/index.ts";

/** The named scenarios and their descriptions. */
export const SCENARIO_CHOICES: readonly (readonly [name: Extract<Scenario, string>, words: string])[] = [
  ["locked", "Locked out"],
  ["expiredCodes", "Codes are expired"],
  ["noDelivery", "Codes are not delivered"],
  ["slow", "Slow responses"],
  ["serverError", "Server error"],
];

/** In a row, where there is room for a word or two. */
const MARKS: Readonly<Record<Extract<Scenario, string>, string>> = {
  locked: "Locked",
  expiredCodes: "Codes expire",
  noDelivery: "No delivery",
  slow: "Slow",
  serverError: "Server error",
};

/** @returns a scenario in two words at most. */
export const scenarioMark = (scenario: Scenario): string =>
  typeof scenario === "string" ? MARKS[scenario] : "Custom fault";
