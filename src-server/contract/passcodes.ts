/** Passcodes in the control API (CONTRACT 6, D24), and what became of them on the way to emulators and simulators. */
import { z } from "zod";
import { namedApp } from "./apps.ts";
import { countTextOr, isoInstantText, uuidText } from "./scalars.ts";

/** An Android emulator or an iOS simulator. */
const deviceKind = z.enum(["android", "ios"]);
/** @see deviceKind */
export type DeviceKind = z.infer<typeof deviceKind>;

/** One device that a passcode was sent to, or should have been. */
const deviceItem = z.object({
  kind: deviceKind,
  id: z
    .string()
    .nullable()
    .meta({ description: "The serial of an emulator or the UDID of a simulator; null: no device was found." }),
  name: z.string().nullable().meta({ description: "What people call the device, where that is known." }),
  status: z.enum(["sent", "failed"]).meta({ description: "sent: the device's tool took it; nobody saw the screen." }),
  detail: z.string().meta({ description: "One sentence: what was sent, or why not." }),
});
/** @see deviceItem */
export type DeviceItem = z.infer<typeof deviceItem>;

/** The item of the event `passcode.devices`. */
const passcodeDevices = z.object({ id: z.string(), devices: z.array(deviceItem) });
/** @see passcodeDevices */
export type PasscodeDevices = z.infer<typeof passcodeDevices>;

/** What became of a passcode; `expired` is computed from `expiresAt` and the app's clock. */
const passcodeStatus = z.enum(["active", "used", "replaced", "expired", "exhausted"]);
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
export const passcodeSend = z.strictObject({ ...namedApp, userId: uuidText });

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
