/** What both kinds of device share: the message, and descriptions of the result. */
import type { DeviceItem, DeviceKind } from "#contract/service/passcodes.ts";
import type { ProgramEnd, RunProgram } from "#http/ports.ts";
import type { Build } from "../build/build.ts";

/** A build on a device, or why there is none. */
export type InstalledBuild = Build | { readonly error: string };

/** A text message with a passcode. */
export interface DeviceMessage {
  /** The display name of the app. */
  readonly appName: string;
  readonly code: string;
  readonly text: string;
  /** @returns the text with the hash of a build, or with the one that is set. */
  readonly textWith: (hash?: string) => string;
  /** @returns the build on an emulator whose hash it should have; undefined: it has no hash. */
  readonly buildOn: (serial: string, run: RunProgram) => Promise<InstalledBuild | undefined>;
  /** The iOS app that shows the message as a notification; null: no notification. */
  readonly bundleId: string | null;
}

/** Sends a message to all devices of one kind. @returns one row per device, or a single row if there is none. */
export type SendToDevices = (message: DeviceMessage, run: RunProgram) => Promise<readonly DeviceItem[]>;

const MOST_DETAIL = 200;

const linesOf = (text: string): string[] => text.split(/[\r\n]+/).filter((line) => line.trim() !== "");
const visible = (line = ""): string =>
  line
    .replace(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, MOST_DETAIL);

/** @param text the output of a program. @returns its first line, shortened and without control characters. */
export const firstLine = (text: string): string => visible(linesOf(text)[0]);

/** @returns the only row for a kind of device if none was reachable. */
export const noDevice = (kind: DeviceKind, detail: string): DeviceItem[] => [
  { kind, id: null, name: null, status: "failed", detail },
];

/** @param tool the command, such as `adb devices`. @returns what it printed, or why it failed. */
export const outcomeOf = (
  tool: string,
  end: ProgramEnd,
): { readonly out: string; readonly failure?: undefined } | { readonly out?: undefined; readonly failure: string } => {
  if (end.how === "not started") return { failure: end.why };
  if (end.how === "too slow") return { failure: `${tool} did not respond in time and was stopped` };
  if (end.how === "stopped") return { failure: "The server was stopped" };
  if (end.status === 0) return { out: end.out };
  // The last line says why: adb first tells that it starts its daemon.
  const said = visible(linesOf(end.err).at(-1) ?? linesOf(end.out).at(-1));
  const status = end.status < 0 ? "was ended by a signal" : `ended with status ${end.status}`;
  return { failure: `${tool} ${status}${said === "" ? "" : `: ${said}`}` };
};

/** How many devices of one kind are sent to in parallel. */
const AT_ONCE = 4;

/** Calls `work` for each item, a few in parallel. @returns the results in the order of the items. */
export const forEachOf = async <T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> => {
  const results: R[] = [];
  const left = items.entries();
  const worker = async (): Promise<void> => {
    for (const [place, item] of left) results[place] = await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
};
