/**
 * Delivery to devices: sends newly issued passcodes to the emulators and simulators of this machine, for apps that have
 * opted in. Runs independently of the request, which neither waits for it nor fails with it.
 */
import { setImmediate } from "node:timers/promises";
import { effectiveSettings } from "#contract/service/effective-settings.ts";
import type { DeviceItem, DeviceKind, PasscodeDevices } from "#contract/service/passcodes.ts";
import type { AppRecord, PasscodeRecord } from "#contract/service/records.ts";
import { CHANNELS } from "#contract/service/strategies.ts";
import { ANY_HASH, hashIn, messageText } from "#domain/message.ts";
import type { Base } from "#http/deps.ts";
import type { Programs, RunProgram } from "#http/ports.ts";
import type { Build } from "../build/build.ts";
import { sendToEmulators } from "./android.ts";
import { noDevice, type SendToDevices } from "./device.ts";
import { installedBuild } from "./installed.ts";
import { sendToSimulators } from "./ios.ts";
import { createPrograms } from "./programs.ts";

/** Timeout of a program, in milliseconds. */
const PROGRAM_MS = 5_000;

/** Limits of a queue and of stored results. */
const LIMITS = { waiting: 50, remembered: 1_000 } as const;

/** Runs jobs one at a time, in order. */
class Lane {
  #waiting = 0;
  #last = Promise.resolve();

  /** @param job must not reject. @returns false if the queue is full; the job is then dropped. */
  add(job: () => Promise<void>): boolean {
    if (this.#waiting >= LIMITS.waiting) return false;
    this.#waiting++;
    this.#last = this.#last.then(async () => {
      // Starting a program blocks the event loop for some milliseconds, so the response goes first.
      await setImmediate();
      this.#waiting--;
      await job();
    });
    return true;
  }
}

const KINDS = ["android", "ios"] as const;
const SENDERS: Readonly<Record<DeviceKind, SendToDevices>> = {
  android: sendToEmulators,
  ios: sendToSimulators,
};
const WORDS: Readonly<Record<DeviceKind, string>> = { android: "Android emulators", ios: "iOS simulators" };

const CURE = "End message.sms with {androidHash}: it is filled in for each device.";

/** What it needs of the server, at whose end nothing more is sent. */
interface Host extends Pick<Base, "program" | "bus" | "log"> {
  readonly started: { readonly programs: Programs | undefined };
  readonly signal: AbortSignal;
}

/** Sends passcodes to devices, and keeps the results in memory. */
export class Delivery {
  readonly #programs: Programs;
  readonly #host: Pick<Host, "program" | "bus" | "log">;
  readonly #lanes: Readonly<Record<DeviceKind, Lane>> = { android: new Lane(), ios: new Lane() };
  readonly #rows = new Map<string, readonly DeviceItem[]>();
  readonly #builds = new Map<string, Build>();
  readonly #said = new Map<string, string>();
  #stopped = false;

  constructor({ started, program, bus, log, signal }: Host) {
    this.#programs = started.programs ?? createPrograms({ timeoutMs: PROGRAM_MS });
    this.#host = { program, bus, log };
    signal.addEventListener("abort", () => {
      this.#stopped = true;
      this.#programs.stop();
    });
  }

  /** @returns the deliveries of a passcode, including failed ones; empty if its app has not opted in. */
  devicesOf(passcodeId: string): readonly DeviceItem[] {
    return this.#rows.get(passcodeId) ?? [];
  }

  /**
   * Delivers a newly issued passcode. Skips channels that no device receives, and passcodes that a fault loses or delays.
   * @param app as of the moment of issue.
   */
  deliver(app: AppRecord, passcode: PasscodeRecord): void {
    if (this.#stopped || !CHANNELS[passcode.channel].devices || passcode.delivery !== "sent") return;
    const { delivery, message: texts } = effectiveSettings(app.settings);
    const { code, message: text, channel } = passcode;
    // A late message may be of settings that have changed.
    const isOfSettings = text === messageText(app, channel, code);
    const textWith = (hash?: string): string =>
      (isOfSettings ? messageText(app, channel, code, hash) : text).replace("{androidHash}", "");
    const { androidPackage: name } = texts;
    const buildOn = async (serial: string, run: RunProgram) =>
      name === null || hashIn(textWith(ANY_HASH)) === undefined
        ? undefined
        : await installedBuild(serial, name, run, this.#builds);
    const message = { appName: app.name, code, text, textWith, buildOn, bundleId: delivery.iosBundleId };
    for (const kind of KINDS.filter((one) => delivery[one])) {
      const send = async (): Promise<void> => {
        if (this.#stopped) return;
        const rows = await SENDERS[kind](message, this.#programs.run).catch((error: unknown) =>
          noDevice(kind, `It failed unexpectedly: ${String(error)}`),
        );
        if (!this.#stopped) this.#note(app.appId, passcode, kind, rows);
      };
      if (!this.#lanes[kind].add(send))
        this.#note(app.appId, passcode, kind, noDevice(kind, "Too many codes wait to be sent to devices"));
    }
  }

  /** Runs another program, until the server stops. */
  get run(): RunProgram {
    return this.#programs.run;
  }

  #note(appId: string, { id, requestId }: PasscodeRecord, kind: DeviceKind, rows: readonly DeviceItem[]): void {
    const devices = [...this.devicesOf(id), ...rows].toSorted((a, b) => a.kind.localeCompare(b.kind));
    this.#rows.set(id, devices);
    const [oldest] = this.#rows.keys();
    if (this.#rows.size > LIMITS.remembered && oldest !== undefined) this.#rows.delete(oldest);
    const other = rows.find(({ otherHash }) => otherHash);
    const request = other && requestId !== null ? this.#host.log.row(requestId) : undefined;
    if (other && request)
      request.advice = [...request.advice, { code: "android_hash", text: `${other.detail}. ${CURE}` }];
    for (const row of rows) this.#say(row);
    if (rows.some((row) => row.status === "sent")) this.#said.delete(kind);
    this.#host.bus.publish({ type: "passcode.devices", appId, item: { id, devices } satisfies PasscodeDevices });
  }

  /** Logs a failure once, until the device works again or fails differently. */
  #say({ kind, id, name, status, detail }: DeviceItem): void {
    const key = id === null ? kind : `${kind} ${id}`;
    if (status === "sent") this.#said.delete(key);
    else if (this.#said.get(key) !== detail) {
      this.#said.set(key, detail);
      const device = id === null ? "" : ` (${name ?? id})`;
      this.#host.program.warn(`Codes for ${WORDS[kind]}${device}: ${detail}. See docs/delivery.md.`);
    }
  }
}
