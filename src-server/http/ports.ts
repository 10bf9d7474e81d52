/** What the kernel asks of features and of its host, each by its name (`features/ports.ts` says who answers), and whom it tells. */

import type { LanItem, TlsItem, UrlCheck } from "#contract/control/network.ts";
import type { WorldState } from "#contract/control/state.ts";
import type { IsoInstant } from "#contract/scalars.ts";
import type { DeviceItem } from "#contract/service/passcodes.ts";
import type { AppRecord, PasscodeRecord } from "#contract/service/records.ts";
import type { Answers, PendingCall, StepResult } from "./handler.ts";
import type { Ending, Exchange } from "./traffic/exchange.ts";

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

/** Who is called, by what has happened. What they throw is a warning (`Listeners`). */
export interface Observers {
  /** A request of any listener has ended; its row says with what. */
  readonly closed: ((row: Exchange, ending: Ending) => void)[];
  readonly reset: ((appId: string | undefined) => void)[];
}

/** The certificate that devices must trust. */
export interface RootCertificate {
  readonly subject: string;
  readonly notAfter: IsoInstant;
  readonly pem: string;
  readonly der: Buffer;
  /** SHA-256: hexadecimal bytes separated by colons. */
  readonly fingerprint256: string;
}

/** Auth on the local network and over TLS. */
export interface NetworkPort {
  lan(): LanItem;
  /** Opens auth to the local network, or closes it. @throws an error with its problem; nothing has changed then. */
  setLan(open: boolean): Promise<void>;
  tls(): Promise<TlsItem>;
  /** Starts or stops the TLS listener. @throws an error with its problem; nothing has changed then. */
  setTls(on: boolean): Promise<void>;
  /** @returns the authority's certificate; undefined if there is none yet, or it cannot be read. */
  root(): Promise<RootCertificate | undefined>;
  /** @returns the same; creates an authority if there is none. @throws as `setTls`. */
  makeRoot(): Promise<RootCertificate>;
  /** Calls every auth URL from this machine. */
  reach(): Promise<UrlCheck[]>;
  ports(): { readonly http: number; readonly tls: number | null };
}

/** One run of a program. */
export interface ProgramCall {
  /** Its name, looked up on the PATH; on Windows `adb` finds `adb.exe`. */
  readonly program: string;
  readonly args: readonly string[];
  /** Its standard input; absent: none. */
  readonly input?: string;
  /** How long it may take, in milliseconds; absent: as long as programs usually may. */
  readonly timeoutMs?: number;
}

/** How a program ended. */
export type ProgramEnd =
  | { readonly how: "ended"; readonly status: number; readonly out: string; readonly err: string }
  /** It is not on the PATH, or could not be started: `why` is a sentence. */
  | { readonly how: "not started"; readonly why: string }
  | { readonly how: "too slow" }
  | { readonly how: "stopped" };

/** Runs a program; never rejects. */
export type RunProgram = (call: ProgramCall) => Promise<ProgramEnd>;

/** The running programs of one server. */
export interface Programs {
  readonly run: RunProgram;
  /** Kills running programs; later ones are not started. */
  stop(): void;
}
