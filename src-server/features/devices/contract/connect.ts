/** Opening auth to devices, and the tools that connect them. */
import { z } from "zod";
import { optional } from "#contract/scalars.ts";

/** Body of PUT lan. */
export const lanInput = z.strictObject({ open: z.boolean() });

/** Body of PUT tls. */
export const tlsInput = z.strictObject({ on: z.boolean() });

/** Body of POST connect/adb-reverse. */
export const adbReverseInput = z.strictObject({
  serial: optional(
    z.string().regex(/^\w[\w.:-]{0,254}$/, "must be a serial number as adb devices lists it"),
    "The serial of the device. Default: the only one.",
  ),
});

/** The forwarded ports of a device. */
export const adbReverseAnswer = z.object({
  serial: z.string().nullable(),
  ports: z.array(z.int()).describe("Ports of the device that are forwarded to the same ports of this machine."),
});

/** Body of POST connect/simulator-trust. */
export const simulatorTrustInput = z.strictObject({
  udid: optional(
    z.string().regex(/^[0-9A-Fa-f][0-9A-Fa-f-]{0,63}$/, "must be the UDID of a simulator"),
    "The UDID of the simulator. Default: all booted simulators.",
  ),
});

/** The simulators that now trust the certificate authority. */
export const simulatorTrustAnswer = z.object({ udids: z.array(z.string()) });
