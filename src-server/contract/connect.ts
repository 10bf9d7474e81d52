/** What connects emulators and simulators of this machine with auth (CONTRACT 9). */
import { z } from "zod";

/** POST connect/adb-reverse. */
export const adbReverseInput = z.strictObject({
  serial: z
    .string()
    .regex(/^\w[\w.:-]{0,254}$/, "must be a serial number as adb devices lists it")
    .exactOptional()
    .meta({ description: "Of the device; absent: the only one." }),
});

/** What was forwarded. */
export const adbReverseAnswer = z.object({
  serial: z.string().nullable(),
  ports: z.array(z.int()).meta({ description: "They lead from the device to the same ports of this machine." }),
});

/** POST connect/simulator-trust. */
export const simulatorTrustInput = z.strictObject({
  udid: z
    .string()
    .regex(/^[0-9A-Fa-f][0-9A-Fa-f-]{0,63}$/, "must be the UDID of a simulator")
    .exactOptional()
    .meta({ description: "Of the simulator; absent: all that are booted." }),
});

/** The simulators that trust the certificate authority now. */
export const simulatorTrustAnswer = z.object({ udids: z.array(z.string()) });

/** What can be in the way of a URL. `elsewhere`: its name leads to another machine. `stranger`: another program answers. */
const REACH_PROBLEMS = ["unresolved", "elsewhere", "refused", "silent", "stranger", "certificate"] as const;

/** POST connect/check: one URL of auth, as this machine reaches it. */
export const reachItem = z.object({
  url: z.string(),
  addresses: z.array(z.string()).meta({ description: "What its host leads to; none: the name is not resolved." }),
  problem: z.enum(REACH_PROBLEMS).nullable().meta({ description: "null: Stagedoor answers at this URL." }),
  instruction: z.string().nullable().meta({ description: "What to do about the problem." }),
});
/** @see reachItem */
export type ReachItem = z.output<typeof reachItem>;
