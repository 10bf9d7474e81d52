/** What the HTTP side needs of delivery to devices. server.ts plugs it in. */
import type { DeviceItem } from "#contract/passcodes.ts";
import type { AppRecord, PasscodeRecord } from "#contract/records.ts";
import type { Store } from "#domain/store.ts";

/** Sends passcodes to emulators and simulators, where their app has opted in. */
export interface DevicesPort {
  /** Takes a passcode that was just issued; returns at once, and never throws. */
  deliver(app: AppRecord, passcode: PasscodeRecord): void;
  /** @returns the devices that it went to, or should have. */
  devicesOf(passcodeId: string): readonly DeviceItem[];
}

/** Delivers a passcode that was just issued once it is durable; not at all if the disk refuses it. */
export const deliverOnceDurable = (
  store: Pick<Store, "durable">,
  devices: DevicesPort,
  app: AppRecord,
  passcode: PasscodeRecord,
): void => {
  const deliver = (): void => devices.deliver(app, passcode);
  const durable = store.durable();
  if (durable === undefined) deliver();
  else durable.then(deliver, () => undefined);
};
