/**
 * What the kernel lets others read, and where they may step in: the one table of it. The kernel calls whoever has added
 * itself, in that order, and names nobody. Changes of the data are read from the store: `watch`, and `timeline.latest`.
 */
import type { AppInput, AppItem } from "#contract/apps.ts";
import type { DeviceItem } from "#contract/passcodes.ts";
import type { Problem } from "#contract/problems.ts";
import type { AppRecord, PasscodeRecord } from "#contract/records.ts";
import type { WorldState } from "#contract/state.ts";
import { appItem } from "#domain/apps.ts";
import type { AppWorld } from "#domain/world.ts";
import type { Answers, PendingCall, StepResult } from "./handler.ts";
import type { TokenHolder } from "./token-holder.ts";
import type { Ending, Exchange } from "./traffic/exchange.ts";

/** What is called, by name. None of them may throw. */
interface Hook {
  /** A token came to an open console, not its own. @returns who has it; nobody comes in whom none of them knows. */
  admits(token: string): TokenHolder | undefined;
  /** A request to the service is complete and its sender known; its rule comes next, unless this ends it. */
  complete(pending: PendingCall, answers: Answers): Promise<StepResult> | undefined;
  /** A request of the control API is about this app; its handler comes next. */
  scoped(appId: string, pending: PendingCall): void;
  /** An app is about to be created. @returns why it may not. */
  creating(app: AppInput): Problem | undefined;
  /** @param record also an earlier state of an app. @returns what its item has besides what is in its record. */
  described(record: AppRecord): Partial<AppItem> | undefined;
  /** A reader of an app's events has come, with a token bound to it. @returns what to call once it has left. */
  listens(appId: string): (() => void) | undefined;
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
  admits: [],
  complete: [],
  scoped: [],
  creating: [],
  described: [],
  listens: [],
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

/** @param record an earlier state of the app; absent: the current one. @returns the app's item, with what kits know. */
export const describedApp = ({ described }: Hooks, app: AppWorld, record: AppRecord = app.app): AppItem =>
  Object.assign(appItem(app, record), ...described.map((describe) => describe(record)));
