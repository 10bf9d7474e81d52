/** Messages that a fault delays or doubles. They are part of the data: a crash loses none, a start delivers them. */

import { instantMs } from "#contract/scalars.ts";
import type { PasscodeRecord } from "#contract/service/records.ts";
import { deliverPasscode, isUnderWay } from "#domain/passcodes.ts";
import type { Cause, Outcome } from "#domain/store.ts";
import type { AppWorld } from "#domain/world.ts";
import type { Kernel } from "#features/kernel.ts";
import { tellSent } from "#http/tell-sent.ts";

/** Pause after which a failing disk is tried again. */
const RETRY_MS = 2_000;

type Parts = Pick<Kernel, "store" | "ports" | "env" | "signal" | "listeners">;

export class Arrivals {
  readonly #parts: Parts;
  readonly #timers = new Map<string, NodeJS.Timeout>();

  constructor(parts: Parts) {
    this.#parts = parts;
    const { store, signal } = parts;
    for (const { app, passcodes } of store.world.apps)
      for (const passcode of passcodes) if (isUnderWay(passcode)) this.#schedule(app.appId, passcode.id, 0);
    store.watch((changes) => {
      for (const { change } of changes)
        if ("put" in change && change.put === "passcodes") this.#follow(change.appId, change.record);
    });
    // What is under way arrives after the next start.
    signal.addEventListener("abort", () => {
      for (const timer of this.#timers.values()) clearTimeout(timer);
      this.#timers.clear();
    });
  }

  #follow(appId: string, passcode: PasscodeRecord): void {
    const { id, transit } = passcode;
    // A rewind or an import can bring another state of it.
    if (this.#timers.has(id) && transit === undefined) this.#forget(id);
    if (transit === undefined || !isUnderWay(passcode)) return;
    // The second copy follows the first.
    const arrivesMs = transit.arrivals > 0 ? 0 : instantMs(transit.arrivesAt);
    this.#schedule(appId, id, Math.max(0, arrivesMs - this.#parts.env.realNow()));
  }

  #forget(id: string): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
  }

  #schedule(appId: string, id: string, ms: number): void {
    this.#forget(id);
    const arrive = (): void => {
      this.#timers.delete(id);
      const app = this.#parts.store.world.app(appId);
      const passcode = app?.find("passcodes", id);
      // Both can have been deleted.
      if (app === undefined || passcode === undefined) return;
      const outcome = this.deliver(app, passcode);
      if (!outcome.ok) this.#schedule(appId, id, RETRY_MS);
    };
    this.#timers.set(id, setTimeout(arrive, ms).unref());
  }

  /** Delivers a message now, or its next copy. @returns the passcode, unchanged if none is under way. */
  deliver(app: AppWorld, passcode: PasscodeRecord, cause?: Cause): Outcome<PasscodeRecord> {
    const { store } = this.#parts;
    const outcome = store.transact((world) => deliverPasscode(world, app, passcode), cause);
    if (outcome.ok && outcome.value !== passcode) tellSent(this.#parts, app.app, outcome.value);
    return outcome;
  }
}
