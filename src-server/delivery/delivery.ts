/**
 * Delivery to devices: sends newly issued passcodes to the emulators and simulators of this machine, for apps that have
 * opted in. Runs independently of the request, which neither waits for it nor fails with it.
 */
import { type EffectiveSettings, effectiveSettings } from "#contract/effective-settings.ts";
import type { Publish } from "#contract/events.ts";
import type { DeviceItem, DeviceKind, PasscodeDevices } from "#contract/passcodes.ts";
import type { Problem } from "#contract/problems.ts";
import type { AppRecord, PasscodeRecord } from "#contract/records.ts";
import { sendToEmulators } from "./android.ts";
import { noDevice, type SendToDevices } from "./device.ts";
import { sendToSimulators } from "./ios.ts";
import type { Programs } from "./programs.ts";

/** @see Lane.add */
export type Job = () => Promise<void>;

/** Runs jobs one at a time, in order. */
export class Lane {
  readonly #most: number;
  readonly #waiting: Job[] = [];
  #running = false;

  /** @param most maximum number of waiting jobs. */
  constructor(most: number) {
    this.#most = most;
  }

  /** @param job must not reject. @returns false if the queue is full; the job is then dropped. */
  add(job: Job): boolean {
    if (this.#waiting.length >= this.#most) return false;
    this.#waiting.push(job);
    if (!this.#running) {
      this.#running = true;
      // Starting a program blocks the event loop for some milliseconds, so the response goes first.
      setImmediate(() => void this.#work());
    }
    return true;
  }

  /** Drops waiting jobs. */
  clear(): void {
    this.#waiting.length = 0;
  }

  async #work(): Promise<void> {
    for (;;) {
      const job = this.#waiting.shift();
      if (job === undefined) break;
      await job();
    }
    this.#running = false;
  }
}

/** Limits of the queue and of stored results. */
const LIMITS = { waiting: 50, remembered: 1_000 } as const;

const SENDERS: Readonly<Record<DeviceKind, SendToDevices>> = { android: sendToEmulators, ios: sendToSimulators };
const KIND_WORDS: Readonly<Record<DeviceKind, string>> = { android: "Android emulators", ios: "iOS simulators" };

const kindsOf = ({ android, ios }: EffectiveSettings["delivery"]): DeviceKind[] => [
  ...(android ? (["android"] as const) : []),
  ...(ios ? (["ios"] as const) : []),
];

/** Sends passcodes to devices, and keeps the results in memory. */
export class Delivery {
  readonly #programs: Programs;
  readonly #log: (line: string) => void;
  readonly #publish: Publish;
  readonly #lanes: Readonly<Record<DeviceKind, Lane>> = {
    android: new Lane(LIMITS.waiting),
    ios: new Lane(LIMITS.waiting),
  };
  readonly #rows = new Map<string, readonly DeviceItem[]>();
  /** The last message about each device, to avoid repeating it. */
  readonly #said = new Map<string, string>();
  #stopped = false;

  /**
   * @param programs runs all external programs. @param log prints lines for the operator.
   * @param publish called for each passcode that was delivered, or whose delivery failed.
   */
  constructor(programs: Programs, log: (line: string) => void, publish: Publish) {
    this.#publish = publish;
    this.#programs = programs;
    this.#log = log;
  }

  /** @returns the deliveries of a passcode, including failed ones; empty if its app has not opted in. */
  devicesOf(passcodeId: string): readonly DeviceItem[] {
    return this.#rows.get(passcodeId) ?? [];
  }

  /**
   * Delivers a newly issued passcode. Skips emails, and passcodes that a fault keeps from arriving.
   * @param app as of the moment of issue.
   */
  deliver(app: AppRecord, passcode: PasscodeRecord): void {
    if (this.#stopped || passcode.channel !== "sms" || passcode.delivery === "failed") return;
    const { delivery } = effectiveSettings(app.settings);
    const message = {
      appName: app.name,
      code: passcode.code,
      text: passcode.message,
      bundleId: delivery.iosBundleId,
    };
    for (const kind of kindsOf(delivery)) {
      const send = async (): Promise<void> => {
        const rows = await SENDERS[kind](message, this.#programs.run).catch((error: unknown) => [
          noDevice(kind, `It failed unexpectedly: ${String(error)}`),
        ]);
        if (!this.#stopped) this.#note(app.appId, passcode.id, kind, rows);
      };
      if (!this.#lanes[kind].add(send))
        this.#note(app.appId, passcode.id, kind, [noDevice(kind, "Too many codes wait to be sent to devices")]);
    }
  }

  /** Forwards ports of an Android device to the same ports of this machine. @returns adb's error if it failed. */
  async forwardPorts(serial: string | null, ports: readonly number[]): Promise<Problem | undefined> {
    const { forwardPorts } = await import("./connect.ts");
    return await forwardPorts(serial, ports, this.#programs.run);
  }

  /** Makes iOS simulators trust a certificate. @param udid null: all booted ones. */
  async trust(udid: string | null, pem: string) {
    const { trustInSimulators } = await import("./connect.ts");
    return await trustInSimulators(udid, pem, this.#programs.run);
  }

  /** Kills running programs; nothing is sent after this. */
  stop(): void {
    this.#stopped = true;
    for (const lane of Object.values(this.#lanes)) lane.clear();
    this.#programs.stop();
  }

  #note(appId: string, id: string, kind: DeviceKind, rows: readonly DeviceItem[]): void {
    const devices = [...this.devicesOf(id), ...rows].toSorted((a, b) => a.kind.localeCompare(b.kind));
    this.#rows.set(id, devices);
    const [oldest] = this.#rows.keys();
    if (this.#rows.size > LIMITS.remembered && oldest !== undefined) this.#rows.delete(oldest);
    for (const row of rows) this.#say(row);
    if (rows.some((row) => row.status === "sent")) this.#said.delete(kind);
    this.#publish({ type: "passcode.devices", appId, item: { id, devices } satisfies PasscodeDevices });
  }

  /** Logs a failure once, until the device works again or fails differently. */
  #say({ kind, id, name, status, detail }: DeviceItem): void {
    const key = id === null ? kind : `${kind} ${id}`;
    if (status === "sent") this.#said.delete(key);
    else if (this.#said.get(key) !== detail) {
      this.#said.set(key, detail);
      const device = id === null ? "" : ` (${name ?? id})`;
      this.#log(`Codes for ${KIND_WORDS[kind]}${device}: ${detail}. See docs/delivery.md.`);
    }
  }
}
