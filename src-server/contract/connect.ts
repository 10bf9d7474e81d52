/** Connects emulators and simulators on this machine to auth (CONTRACT 9). */
import { z } from "zod";

/** Body of POST connect/adb-reverse. */
export const adbReverseInput = z.strictObject({
  serial: z
    .string()
    .regex(/^\w[\w.:-]{0,254}$/, "must be a serial number as adb devices lists it")
    .exactOptional()
    .meta({ description: "The serial of the device. Absent: the only one." }),
});

/** The forwarded ports of a device. */
export const adbReverseAnswer = z.object({
  serial: z.string().nullable(),
  ports: z
    .array(z.int())
    .meta({ description: "Ports of the device that are forwarded to the same ports of this machine." }),
});

/** Body of POST connect/simulator-trust. */
export const simulatorTrustInput = z.strictObject({
  udid: z
    .string()
    .regex(/^[0-9A-Fa-f][0-9A-Fa-f-]{0,63}$/, "must be the UDID of a simulator")
    .exactOptional()
    .meta({ description: "The UDID of the simulator. Absent: all booted simulators." }),
});

/** The simulators that now trust the certificate authority. */
export const simulatorTrustAnswer = z.object({ udids: z.array(z.string()) });

/** Why a URL fails. `elsewhere`: its name resolves to another machine. `stranger`: another program responds. */
const REACH_PROBLEMS = ["unresolved", "elsewhere", "refused", "silent", "stranger", "certificate"] as const;

/** POST connect/check: one auth URL, as seen from this machine. */
export const reachItem = z.object({
  url: z.string(),
  addresses: z.array(z.string()).meta({ description: "The addresses of its host; empty: the name does not resolve." }),
  problem: z.enum(REACH_PROBLEMS).nullable().meta({ description: "null: Stagedoor responds at this URL." }),
  instruction: z.string().nullable().meta({ description: "What to do about the problem." }),
});
/** @see reachItem */
export type ReachItem = z.output<typeof reachItem>;
