/**
 * Passcodes in the control API (CONTRACT 6, D24).
 */
import { z } from "zod";
import { deviceItem } from "./devices.ts";
import { countTextOr, isoInstantText, uuidText } from "./scalars.ts";

/** What became of a passcode; `expired` is computed from `expiresAt` and the app's clock. */
export const passcodeStatus = z.enum(["active", "used", "replaced", "expired", "exhausted"]);
/** @see passcodeStatus */
export type PasscodeStatus = z.infer<typeof passcodeStatus>;

/** A passcode in the control API. */
export const passcodeItem = z.object({
  id: uuidText,
  seq: z.int(),
  appId: z.string(),
  userId: uuidText,
  channel: z.enum(["sms", "email"]),
  to: z.string(),
  code: z.string(),
  message: z.string(),
  status: passcodeStatus,
  delivery: z.enum(["sent", "failed"]),
  devices: z.array(deviceItem).meta({
    description: "Emulators and simulators that it went to, or should have; kept in memory. See delivery.md.",
  }),
  attempts: z.int().meta({ description: "Tries, the right one too." }),
  tried: z.array(z.string()).meta({ description: "What was typed, oldest first." }),
  requestId: z.string().nullable(),
  createdAt: isoInstantText,
  expiresAt: isoInstantText,
});
/** @see passcodeItem */
export type PasscodeItem = z.input<typeof passcodeItem>;

/** Sends a passcode to a profile, as a POST of the client would. */
export const passcodeSend = z.strictObject({ appId: z.string(), userId: uuidText });

const recipient = z.string().transform((to) => to.replaceAll(" ", "+"));

/** Which passcodes to list, newest first. In `to` a space is read as `+`. */
export const passcodeQuery = z.object({
  appId: z.string().exactOptional(),
  to: recipient.exactOptional(),
  status: passcodeStatus.exactOptional(),
  limit: countTextOr(1, 1_000, 100),
});

/** Most milliseconds that `passcodes/latest` waits. */
export const MAX_WAIT_MS = 60_000;

/** Which passcode to give, and how long to wait for it. */
export const latestQuery = z.object({
  appId: z.string().exactOptional(),
  to: recipient.exactOptional(),
  after: z
    .string()
    .exactOptional()
    .meta({ description: "Only one newer than this: the id or the seq of a passcode, or the seq of the store." }),
  requestId: z.string().exactOptional(),
  status: z
    .enum([...passcodeStatus.options, "any"])
    .default("active")
    .meta({ description: "`any`: whatever its status, and also one that a fault kept from arriving." }),
  wait: countTextOr(0, MAX_WAIT_MS, 0).meta({ description: "Milliseconds." }),
});
/** @see latestQuery */
export type LatestQuery = z.output<typeof latestQuery>;

/** Which app's passcodes to clear. */
export const passcodeClearQuery = z.object({ appId: z.string().exactOptional() });
