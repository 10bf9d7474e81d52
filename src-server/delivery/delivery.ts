/**
 * Delivery to devices: a passcode that was just issued goes to the emulators and simulators of this machine, where its app
 * has opted in. It runs beside the request, which neither waits for it nor fails with it.
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

/** Runs jobs in the order in which they were added. */
export class Lane {
  readonly #most: number;
  readonly #waiting: Job[] = [];
  #running = false;

  /** @param most jobs that may wait. */
  constructor(most: number) {
    this.#most = most;
  }

  /** @param job must not reject. @returns whether there was room; it is not run otherwise. */
  add(job: Job): boolean {
    if (this.#waiting.length >= this.#most) return false;
    this.#waiting.push(job);
    if (!this.#running) {
      this.#running = true;
      // To start a program holds the event loop for some milliseconds: the request is answered first.
      setImmediate(() => void this.#work());
    }
    return true;
  }

  /** Forgets what waits. */
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

/** How much is kept and may wait. */
const LIMITS = { waiting: 50, remembered: 1_000 } as const;

const SENDERS: Readonly<Record<DeviceKind, SendToDevices>> = { android: sendToEmulators, ios: sendToSimulators };
const KIND_WORDS: Readonly<Record<DeviceKind, string>> = { android: "Android emulators", ios: "iOS simulators" };

const kindsOf = ({ android, ios }: EffectiveSettings["delivery"]): DeviceKind[] => [
  ...(android ? (["android"] as const) : []),
  ...(ios ? (["ios"] as const) : []),
];

/** Sends passcodes to devices and remembers, in memory, what became of them. */
export class Delivery {
  readonly #programs: Programs;
  readonly #log: (line: string) => void;
  readonly #publish: Publish;
  readonly #lanes: Readonly<Record<DeviceKind, Lane>> = {
    android: new Lane(LIMITS.waiting),
    ios: new Lane(LIMITS.waiting),
  };
  readonly #rows = new Map<string, readonly DeviceItem[]>();
  /** What was last said of a device, so that it is said once. */
  readonly #said = new Map<string, string>();
  #stopped = false;

  /**
   * @param programs nothing is started by other means. @param log takes lines for the people who run the server.
   * @param publish told of each passcode that went to devices, or should have.
   */
  constructor(programs: Programs, log: (line: string) => void, publish: Publish) {
    this.#publish = publish;
    this.#programs = programs;
    this.#log = log;
  }

  /** @returns the devices that a passcode went to, or should have; none if its app has not opted in. */
  devicesOf(passcodeId: string): readonly DeviceItem[] {
    return this.#rows.get(passcodeId) ?? [];
  }

  /**
   * Sends a passcode as it is issued. Emails are not sent to devices, nor what a fault kept from arriving.
   * @param app as it was when the passcode was issued.
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

  /** Has ports of an Android device lead to the same ports of this machine. @returns what `adb` said if it failed. */
  async forwardPorts(serial: string | null, ports: readonly number[]): Promise<Problem | undefined> {
    const { forwardPorts } = await import("./connect.ts");
    return await forwardPorts(serial, ports, this.#programs.run);
  }

  /** Has iOS simulators trust a certificate. @param udid null: all that are booted. */
  async trust(udid: string | null, pem: string) {
    const { trustInSimulators } = await import("./connect.ts");
    return await trustInSimulators(udid, pem, this.#programs.run);
  }

  /** Ends what runs; nothing is sent any more. */
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

  /** Says a failure once, until the device works again or fails in another way. */
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
