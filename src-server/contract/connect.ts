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
