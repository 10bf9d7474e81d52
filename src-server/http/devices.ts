/** The interface between HTTP and delivery to devices; server.ts connects them. */
import type { DeviceItem } from "#contract/passcodes.ts";
import type { Problem } from "#contract/problems.ts";
import type { AppRecord, PasscodeRecord } from "#contract/records.ts";
import type { Store } from "#domain/store.ts";

/** Delivers passcodes to emulators and simulators, for apps that have opted in. */
export interface DevicesPort {
  /** Delivers a passcode that was just issued. Returns immediately and never throws. */
  deliver(app: AppRecord, passcode: PasscodeRecord): void;
  /** Forwards ports of an Android device to the same ports of this machine. @returns the program's error, if any. */
  forwardPorts(serial: string | null, ports: readonly number[]): Promise<Problem | undefined>;
  /** Makes iOS simulators trust a certificate. @param udid null: all booted ones. @returns those that now trust it. */
  trust(udid: string | null, pem: string): Promise<{ readonly udids: string[] } | { readonly problem: Problem }>;
  /** @returns the deliveries of a passcode, including failed ones. */
  devicesOf(passcodeId: string): readonly DeviceItem[];
}

/** Delivers a newly issued passcode once it is durable; not at all if the disk fails. */
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
