/** Faults attached to a profile, and so part of the data: they survive a restart and a reset. */
import { z } from "zod";
import { nearestName } from "../validation.ts";
import { type FaultInput, faultChance, faultEffect, faultMatch, faultTimes } from "./faults.ts";

/** The effects of the named scenarios on the user's session requests. */
const EFFECTS = {
  locked: { reason: "passcode_exhausted" },
  expiredCodes: { reason: "passcode_expired" },
  noDelivery: { undelivered: true },
  slow: { delayMs: 2_000 },
  serverError: { status: 500 },
} as const satisfies Readonly<Record<string, FaultInput["effect"]>>;
type ScenarioName = keyof typeof EFFECTS;

/** The names of the scenarios. */
const SCENARIOS: readonly ScenarioName[] = ["locked", "expiredCodes", "noDelivery", "slow", "serverError"];

const KNOWN = `${SCENARIOS.map((name) => `"${name}"`).join(", ")} or a fault such as {"effect": {"status": 503}, "times": 2}`;

/** The `scenario` of a profile: a name, or a custom fault. */
export const scenario = z
  .union(
    [
      z.enum(SCENARIOS),
      z.strictObject({
        match: faultMatch.pick({ method: true, path: true }).exactOptional(),
        effect: faultEffect,
        times: faultTimes.exactOptional(),
        ...faultChance.shape,
      }),
    ],
    {
      error: ({ input }) => {
        const nearest = typeof input === "string" ? nearestName(input, SCENARIOS) : undefined;
        return nearest === undefined ? `must be ${KNOWN}` : `is not a scenario; did you mean "${nearest}"?`;
      },
    },
  )
  .describe(
    "A fault for this user's session requests: `locked`, `expiredCodes`, `noDelivery`, `slow`, `serverError`, or a custom fault. It survives a restart and a reset.",
  );
export type Scenario = z.output<typeof scenario>;

/** @param of the scenario. @returns the fault that it sets for the profile with this app and username. */
export const faultOfScenario = (of: Scenario, { appId, to }: { appId: string; to: string }): FaultInput => {
  const fault: Exclude<Scenario, string> = typeof of === "string" ? { effect: EFFECTS[of] } : of;
  return { ...fault, match: { listener: "auth", ...fault.match, appId, to }, times: fault.times ?? null };
};
