/** Passcodes in the control API (D24) and their delivery to emulators and simulators. */
import { z } from "zod";
import { countTextOr, durationTextOr, flag, isoInstantText, optional, uuidText } from "../scalars.ts";
import { soughtRecipient } from "../words/phone-words.ts";
import { namedApp, ownerOf } from "./apps.ts";
import { sentCode } from "./records.ts";

/** An Android emulator or an iOS simulator. */
const deviceKind = z.enum(["android", "ios"]);
export type DeviceKind = z.infer<typeof deviceKind>;

/** A device that a passcode was sent to, or that delivery failed for. */
const deviceItem = z.object({
  kind: deviceKind,
  id: z
    .string()
    .nullable()
    .describe("The serial of an emulator or the UDID of a simulator; null: no device was found."),
  name: z.string().nullable().describe("The display name of the device, if known."),
  status: z
    .enum(["sent", "failed"])
    .describe("sent: the device's tool accepted it, which does not prove that it was displayed."),
  detail: z.string().describe("One sentence: what was sent, or why it failed."),
  otherHash: optional(
    z.literal(true),
    "Android will not fill in the code: the message has the hash of none of the builds that are installed.",
  ),
});
export type DeviceItem = z.infer<typeof deviceItem>;

/** The status of a passcode; `expired` is computed from `expiresAt` and the app's clock. */
const passcodeStatus = z.enum(["active", "used", "replaced", "expired", "exhausted"]);
export type PasscodeStatus = z.infer<typeof passcodeStatus>;

/** A passcode in the control API. */
export const passcodeItem = z.object({
  id: uuidText,
  seq: z.int(),
  ...ownerOf,
  ...sentCode,
  status: passcodeStatus,
  delivery: z
    .enum(["sent", "failed", "pending"])
    .describe("`failed`: a fault prevented its delivery. `pending`: a fault delays it until `arrivesAt`."),
  arrivesAt: isoInstantText.exactOptional().describe("When a pending message arrives, in real time."),
  arrivals: z
    .int()
    .exactOptional()
    .describe("If a fault delayed or doubled the message: how many times it has arrived, 0 to 2."),
  arrivedSeq: z.int().exactOptional().describe("The number of the change in which such a message arrived last."),
  devices: z.array(deviceItem).describe("Delivery to emulators and simulators; kept in memory only. See delivery.md."),
  attempts: z.int().describe("Number of attempts, including the correct one."),
  earlierAttempts: z
    .int()
    .exactOptional()
    .describe("With `passcode.attemptsPer: user`: the wrong attempts on codes before it that still count."),
  resent: z.literal(true).exactOptional().describe("The code before it was sent again (`passcode.resend: same`)."),
  tried: z.array(z.string()).describe("The codes that were entered, oldest first."),
  requestId: z.string().nullable(),
  createdAt: isoInstantText,
  expiresAt: isoInstantText,
});
export type PasscodeItem = z.input<typeof passcodeItem>;
/** The item of the event `passcode.devices`. */
export type PasscodeDevices = Pick<PasscodeItem, "id" | "devices">;

/** Sends a passcode to a profile, as a client's POST would. */
export const passcodeSend = z.strictObject({ ...namedApp, userId: uuidText });

const recipient = z.string().transform(soughtRecipient);

/** Filter for listing passcodes, newest first. `to` may be written as the console shows it. */
export const passcodeQuery = z.object({
  appId: z.string().exactOptional(),
  to: recipient.exactOptional(),
  status: passcodeStatus.exactOptional(),
  after: optional(
    z.union([uuidText, z.literal("latest")]),
    "Only passcodes after this one in the list, by its id: the `next` of the page before.",
  ),
  limit: countTextOr(1, 1_000, 100),
});

/** Maximum wait of `passcodes/latest` in milliseconds. */
export const MAX_WAIT_MS = 60_000;

/** Which passcode to return, and how long to wait for it. */
export const latestQuery = z.object({
  appId: z.string().exactOptional(),
  to: recipient.exactOptional(),
  after: optional(z.string(), "Only newer passcodes: the id or seq of a passcode, or the seq of the store."),
  requestId: optional(
    z.string().min(1),
    "Only the passcode that this request sent (its `Emulator-Request-Id`, or `latest`). If it ended without one, the response comes at once, with the reason.",
  ),
  status: z
    .enum([...passcodeStatus.options, "any"])
    .default("active")
    .describe("`any`: any status, including a passcode that a fault kept from arriving."),
  unread: flag().describe(
    "`1`, with `appId` and `to`: only a passcode that no other reader with `unread=1` got. Each goes to one reader.",
  ),
  wait: durationTextOr(0, MAX_WAIT_MS, 0).describe("How long to wait: `10s`, `1500ms`, or milliseconds; at most 60 s."),
});
export type LatestQuery = z.output<typeof latestQuery>;
