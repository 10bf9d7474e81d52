/** Faults that belong to a profile, and so to the world: they outlive a restart, and come back with a reset (CONTRACT 13). */
import { z } from "zod";
import { type FaultInput, faultEffect, faultMatch, faultTimes } from "./faults.ts";
import { nearestName } from "./validation.ts";

/** What the named scenarios do to the session requests of their user. */
const EFFECTS = {
  locked: { reason: "passcode_exhausted" },
  expiredCodes: { reason: "passcode_expired" },
  noDelivery: { undelivered: true },
  slow: { delayMs: 2_000 },
  serverError: { status: 500 },
} as const satisfies Readonly<Record<string, FaultInput["effect"]>>;
type ScenarioName = keyof typeof EFFECTS;

/** Their names. */
const SCENARIOS: readonly ScenarioName[] = ["locked", "expiredCodes", "noDelivery", "slow", "serverError"];

const KNOWN = `${SCENARIOS.map((name) => `"${name}"`).join(", ")} or a fault such as {"effect": {"status": 503}, "times": 2}`;

/** The `scenario` of a profile: a name, or a fault of one's own. */
export const scenario = z
  .union(
    [
      z.enum(SCENARIOS),
      z.strictObject({
        match: faultMatch.pick({ method: true, path: true }).exactOptional(),
        effect: faultEffect,
        times: faultTimes.exactOptional(),
      }),
    ],
    {
      error: ({ input }) => {
        const nearest = typeof input === "string" ? nearestName(input, SCENARIOS) : undefined;
        return nearest === undefined ? `must be ${KNOWN}` : `is not a scenario; did you mean "${nearest}"?`;
      },
    },
  )
  .meta({
    description:
      "A fault of this user's session requests: `locked`, `expiredCodes`, `noDelivery`, `slow`, `serverError`, or a fault of one's own. It outlives a restart and a reset.",
  });
/** @see scenario */
export type Scenario = z.output<typeof scenario>;

/** @returns the fault that a scenario sets. @param of the profile: its app, and its username. */
export const faultOfScenario = (of: Scenario, { appId, to }: { appId: string; to: string }): Required<FaultInput> => {
  const fault: Exclude<Scenario, string> = typeof of === "string" ? { effect: EFFECTS[of] } : of;
  return { match: { listener: "auth", ...fault.match, appId, to }, effect: fault.effect, times: fault.times ?? null };
};
