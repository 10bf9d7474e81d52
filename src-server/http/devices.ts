/**
 * What the HTTP side needs of delivery to devices. server.ts plugs it in.
 */
import type { DeviceItem, PasscodeDevices } from "#contract/devices.ts";
import type { AppRecord, PasscodeRecord } from "#contract/records.ts";

/** Sends passcodes to emulators and simulators, where their app has opted in. */
export interface DevicesPort {
  /** Takes a passcode that was just issued; returns at once, and never throws. */
  deliver(app: AppRecord, passcode: PasscodeRecord): void;
  /** @returns the devices that it went to, or should have. */
  devicesOf(passcodeId: string): readonly DeviceItem[];
  /** @param listener hears of each passcode that went to devices, or should have. */
  onDevices(listener: (appId: string, item: PasscodeDevices) => void): void;
}
