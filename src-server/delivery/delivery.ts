/**
 * Delivery to devices: a passcode that was just issued goes to the emulators and simulators of this machine, where its app
 * has opted in. It runs beside the request, which neither waits for it nor fails with it.
 */
import type { DeviceItem, DeviceKind, PasscodeDevices } from "#contract/devices.ts";
import type { AppRecord, PasscodeRecord } from "#contract/records.ts";
import { type EffectiveSettings, effectiveSettings } from "#contract/settings.ts";
import { sendToEmulators } from "./android.ts";
import { noDevice, type SendToDevices } from "./device.ts";
import { sendToSimulators } from "./ios.ts";
import { Lane } from "./lane.ts";
import type { Programs } from "./programs.ts";

/** How much is kept and may wait. */
const LIMITS = { waiting: 50, remembered: 1_000 } as const;

const SENDERS: Readonly<Record<DeviceKind, SendToDevices>> = { android: sendToEmulators, ios: sendToSimulators };
const KIND_WORDS: Readonly<Record<DeviceKind, string>> = { android: "Android emulators", ios: "iOS simulators" };

const kindsOf = ({ android, ios }: EffectiveSettings["delivery"]): DeviceKind[] => [
  ...(android ? (["android"] as const) : []),
  ...(ios ? (["ios"] as const) : []),
];

/** Hears what became of a passcode. */
export type DeliveryListener = (appId: string, item: PasscodeDevices) => void;

/** Sends passcodes to devices and remembers, in memory, what became of them. */
export class Delivery {
  readonly #programs: Programs;
  readonly #log: (line: string) => void;
  readonly #lanes: Readonly<Record<DeviceKind, Lane>> = {
    android: new Lane(LIMITS.waiting),
    ios: new Lane(LIMITS.waiting),
  };
  readonly #rows = new Map<string, readonly DeviceItem[]>();
  /** What was last said of a device, so that it is said once. */
  readonly #said = new Map<string, string>();
  #listener: DeliveryListener | undefined;
  #stopped = false;

  /** @param programs nothing is started by other means. @param log takes lines for the people who run the server. */
  constructor(programs: Programs, log: (line: string) => void) {
    this.#programs = programs;
    this.#log = log;
  }

  /** @param listener hears of each passcode that went to devices, or should have. */
  onDevices(listener: DeliveryListener): void {
    this.#listener = listener;
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
    this.#listener?.(appId, { id, devices });
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
