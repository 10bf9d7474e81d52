/**
 * What became of a passcode on the way to emulators and simulators, where an app has opted in (`delivery.*`).
 */
import { z } from "zod";

/** An Android emulator or an iOS simulator. */
export const deviceKind = z.enum(["android", "ios"]);
/** @see deviceKind */
export type DeviceKind = z.infer<typeof deviceKind>;

/** One device that a passcode was sent to, or should have been. */
export const deviceItem = z.object({
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
export const passcodeDevices = z.object({ id: z.string(), devices: z.array(deviceItem) });
/** @see passcodeDevices */
export type PasscodeDevices = z.infer<typeof passcodeDevices>;
