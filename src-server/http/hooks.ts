/**
 * What the kernel lets others read, and where they may step in: the one table of it. The kernel calls whoever has added
 * itself, in that order, and names nobody. Changes of the data are read from the store: `watch`, and `timeline.latest`.
 */
import type { DeviceItem } from "#contract/passcodes.ts";
import type { AppRecord, PasscodeRecord } from "#contract/records.ts";
import type { WorldState } from "#contract/state.ts";
import type { Answers, PendingCall, StepResult } from "./handler.ts";
import type { Ending, Exchange } from "./traffic/exchange.ts";

/** What is called, by name. None of them may throw. */
interface Hook {
  /** A request to the service is complete and its sender known; its rule comes next, unless this ends it. */
  complete(pending: PendingCall, answers: Answers): Promise<StepResult> | undefined;
  /** A passcode was issued, or its message has arrived later, or again. It is durable. @param app as of that moment. */
  sent(app: AppRecord, passcode: PasscodeRecord): void;
  /** @returns what is known of deliveries of a passcode to devices. */
  devices(passcodeId: string): readonly DeviceItem[];
  /** A request of any listener has ended; its row says with what. */
  closed(row: Exchange, ending: Ending): void;
  /** A world was imported, or only this app of it; whoever imported it waits for what this returns. */
  imported(state: WorldState, appId: string | undefined): Promise<unknown> | undefined;
  /** The data of an app, or of all (undefined), has returned to the fixtures. */
  reset(appId: string | undefined): void;
}

/** Who is called, by the name of the hook. */
export type Hooks = { readonly [N in keyof Hook]: Hook[N][] };

/** @returns hooks without listeners. */
export const createHooks = (): Hooks => ({
  complete: [],
  sent: [],
  devices: [],
  closed: [],
  imported: [],
  reset: [],
});

/** Tells of an import. */
export const tellImported = async ({ imported }: Hooks, state: WorldState, appId?: string): Promise<void> => {
  for (const hear of imported) await hear(state, appId);
};
