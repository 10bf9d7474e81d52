/**
 * Android emulators: `adb devices`, then `adb -s <serial> emu sms send <from> <text>`.
 *
 * `adb emu` joins its arguments with spaces, appends a newline and writes that to the emulator's console, so a newline
 * in the text would start another command. The console reads `\n`, `\\`, `\xNN` and `\uNNNN` in the text; some versions
 * corrupt unescaped UTF-8. It reports errors as a line `KO: …`, with which adb still exits with status 0.
 */
import type { DeviceItem } from "#contract/service/passcodes.ts";
import type { RunProgram } from "#http/programs.ts";
import { firstLine, forEachOf, noDevice, outcomeOf, type SendToDevices } from "./device.ts";

/** The sender: a fictional number. The console accepts digits after an optional plus, but no names. */
const FROM = "+12025550199";
/** The console reads lines of 4,096 bytes, including the command before the text. */
const MOST_CONSOLE_TEXT = 4_000;

/**
 * @param text a message. @returns it escaped for the console: printable ASCII on one line. Control characters other
 * than newlines, which text messages do not contain, become spaces.
 */
export const consoleText = (text: string): string =>
  text
    .replaceAll("\\", "\\\\")
    .replace(/\r\n|\r|\n/g, "\\n")
    .replace(/\p{Cc}/gu, " ")
    // Without the u flag, so that each half of a surrogate pair is escaped: the console only has four-digit escapes.
    .replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** An emulator in the output of `adb devices`. */
interface Emulator {
  readonly serial: string;
  /** `device` if usable; otherwise `offline`, `unauthorized` and so on. */
  readonly state: string;
}

/** @param out of `adb devices`. @returns the emulators; physical and network devices have no console. */
export const emulatorsIn = (out: string): readonly Emulator[] =>
  out.split(/\r?\n/).flatMap((line) => {
    const [, serial, state] = /^(emulator-\d{1,5})\s+([a-z]+)/.exec(line) ?? [];
    return serial === undefined || state === undefined ? [] : [{ serial, state }];
  });

const sendTo = async ({ serial, state }: Emulator, text: string, run: RunProgram): Promise<DeviceItem> => {
  const row = { kind: "android", id: serial, name: null } as const;
  if (state !== "device") return { ...row, status: "failed", detail: `adb lists it as ${state}` };
  const args = ["-s", serial, "emu", "sms", "send", FROM, text];
  const end = outcomeOf("adb emu", await run({ program: "adb", args }));
  if (end.failure !== undefined) return { ...row, status: "failed", detail: end.failure };
  const refusal = /^KO\b.*$/m.exec(end.out)?.[0];
  if (refusal === undefined) return { ...row, status: "sent", detail: "Text message sent" };
  return { ...row, status: "failed", detail: `The emulator's console rejected it: ${firstLine(refusal)}` };
};

/** @see SendToDevices */
export const sendToEmulators: SendToDevices = async (message, run) => {
  const end = outcomeOf("adb devices", await run({ program: "adb", args: ["devices"] }));
  if (end.failure !== undefined) return noDevice("android", end.failure);
  const emulators = emulatorsIn(end.out);
  if (emulators.length === 0) return noDevice("android", "No Android emulator is running");
  const text = consoleText(message.text);
  if (text.length > MOST_CONSOLE_TEXT) return noDevice("android", "The message is too long for an emulator's console");
  return forEachOf(emulators, (emulator) => sendTo(emulator, text, run));
};
