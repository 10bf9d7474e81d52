/** What the kernel asks of features, each by its name. `features/ports.ts` says who answers. */

import type { WorldState } from "#contract/control/state.ts";
import type { DeviceItem } from "#contract/service/passcodes.ts";
import type { AppRecord, PasscodeRecord } from "#contract/service/records.ts";
import type { Answers, PendingCall, StepResult } from "./handler.ts";

/** Simulated failures. */
interface FaultsPort {
  /** A request to the service is complete and its sender known; its rule comes next, unless this ends it. */
  meet(pending: PendingCall, answers: Answers): Promise<StepResult> | undefined;
  /** A world was imported, or only this app of it: its faults are set, too. */
  setImported(world: WorldState, appId: string | undefined): void;
}

/** Devices that receive codes. */
export interface DevicesPort {
  /** A passcode was issued, or its message has arrived later, or again. It is durable. @param app as of that moment. */
  deliver(app: AppRecord, passcode: PasscodeRecord): void;
  /** @returns what is known of the deliveries of a passcode. */
  devicesOf(passcodeId: string): readonly DeviceItem[];
}

export interface Ports {
  readonly faults: FaultsPort;
  readonly devices: DevicesPort;
}
