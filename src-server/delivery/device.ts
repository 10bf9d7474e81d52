/** What the two kinds of device have in common: what is sent, and the words for what came of it. */
import type { DeviceItem, DeviceKind } from "#contract/passcodes.ts";
import type { ProgramEnd, RunProgram } from "./programs.ts";

/** A text message with a passcode. */
export interface DeviceMessage {
  /** What people call the app. */
  readonly appName: string;
  readonly code: string;
  readonly text: string;
  /** The iOS app that shows the message as a notification; null: none. */
  readonly bundleId: string | null;
}

/** Sends a message to all devices of one kind. @returns a row for each, or one row without a device that says why. */
export type SendToDevices = (message: DeviceMessage, run: RunProgram) => Promise<readonly DeviceItem[]>;

const MOST_DETAIL = 200;

/** @param text that a program printed. @returns its first line, short and without control characters. */
export const firstLine = (text: string): string => {
  const line = text.split(/[\r\n]+/).find((part) => part.trim() !== "") ?? "";
  return line
    .replace(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, MOST_DETAIL);
};

/** @returns the row of a kind of which no device could be reached. */
export const noDevice = (kind: DeviceKind, detail: string): DeviceItem => ({
  kind,
  id: null,
  name: null,
  status: "failed",
  detail,
});

/**
 * @param tool as people type it, such as `adb devices`.
 * @returns why a run did not do what it should; undefined if it ended with status 0.
 */
export const failureOf = (tool: string, end: ProgramEnd): string | undefined => {
  switch (end.how) {
    case "ended": {
      if (end.status === 0) return undefined;
      const said = firstLine(end.err) || firstLine(end.out);
      const status = end.status < 0 ? "was ended by a signal" : `ended with status ${end.status}`;
      return `${tool} ${status}${said === "" ? "" : `: ${said}`}`;
    }
    case "not started":
      return end.why;
    case "too slow":
      return `${tool} did not answer in time and was ended`;
    case "stopped":
      return "The server was stopped";
  }
};

/** How many devices of a kind are sent to at once. */
const AT_ONCE = 4;

/** Does something for each, a few at a time. @returns the results in the order of the items. */
export const forEachOf = async <T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> => {
  const results: R[] = [];
  const left = items.entries();
  const worker = async (): Promise<void> => {
    for (const [place, item] of left) results[place] = await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
};
