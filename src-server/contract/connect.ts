/** Connects emulators and simulators on this machine to auth (CONTRACT 9). */
import { z } from "zod";
import { lazyObject, lazyStrictObject } from "./lazy-object.ts";
import { optional } from "./scalars.ts";

/** Body of POST connect/adb-reverse. */
export const adbReverseInput = lazyStrictObject(() => ({
  serial: optional(
    z.string().regex(/^\w[\w.:-]{0,254}$/, "must be a serial number as adb devices lists it"),
    "The serial of the device. Default: the only one.",
  ),
}));

/** The forwarded ports of a device. */
export const adbReverseAnswer = z.object({
  serial: z.string().nullable(),
  ports: z.array(z.int()).describe("Ports of the device that are forwarded to the same ports of this machine."),
});

/** Body of POST connect/simulator-trust. */
export const simulatorTrustInput = lazyStrictObject(() => ({
  udid: optional(
    z.string().regex(/^[0-9A-Fa-f][0-9A-Fa-f-]{0,63}$/, "must be the UDID of a simulator"),
    "The UDID of the simulator. Default: all booted simulators.",
  ),
}));

/** The simulators that now trust the certificate authority. */
export const simulatorTrustAnswer = z.object({ udids: z.array(z.string()) });

/** POST connect/check: one auth URL, as seen from this machine. */
export const reachItem = lazyObject(() => ({
  url: z.string(),
  addresses: z.array(z.string()).describe("The addresses of its host; empty: the name does not resolve."),
  // `elsewhere`: its name resolves to another machine. `stranger`: another program responds.
  problem: z
    .enum(["unresolved", "elsewhere", "refused", "silent", "stranger", "certificate"])
    .nullable()
    .describe("null: Stagedoor responds at this URL."),
  instruction: z.string().nullable().describe("What to do about the problem."),
}));
/** @see reachItem */
export type ReachItem = z.output<typeof reachItem>;
