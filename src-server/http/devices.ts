/** What the HTTP side needs of delivery to devices. server.ts plugs it in. */
import type { DeviceItem } from "#contract/passcodes.ts";
import type { Problem } from "#contract/problems.ts";
import type { AppRecord, PasscodeRecord } from "#contract/records.ts";
import type { Store } from "#domain/store.ts";

/** Sends passcodes to emulators and simulators, where their app has opted in. */
export interface DevicesPort {
  /** Takes a passcode that was just issued; returns at once, and never throws. */
  deliver(app: AppRecord, passcode: PasscodeRecord): void;
  /** Has ports of an Android device lead to the same ports of this machine. @returns what the program said if it failed. */
  forwardPorts(serial: string | null, ports: readonly number[]): Promise<Problem | undefined>;
  /** Has iOS simulators trust a certificate. @param udid null: all that are booted. @returns those that do. */
  trust(
    udid: string | null,
    pem: string,
  ): Promise<{ readonly udids: readonly string[] } | { readonly problem: Problem }>;
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
