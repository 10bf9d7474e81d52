/**
 * Android emulators: `adb devices`, then `adb -s <serial> emu sms send <from> <text>`.
 *
 * `adb emu` joins its arguments with spaces, puts a newline behind and writes that to the emulator's console: a newline in
 * the text would begin another command. The console reads `\n`, `\\`, `\xNN` and `\uNNNN` in the text; some versions spoil
 * UTF-8 that is not escaped. Its refusal is a line `KO: …`, with which adb ends with status 0 all the same.
 */
import type { DeviceItem } from "#contract/passcodes.ts";
import { type DeviceMessage, failureOf, firstLine, forEachOf, noDevice, type SendToDevices } from "./device.ts";
import type { RunProgram } from "./programs.ts";

/** Whom the message is from: a number for fiction. The console takes digits after an optional plus, no name. */
const FROM = "+12025550199";
/** The console reads lines of 4,096 bytes; the command before the text has its part of that. */
const MOST_CONSOLE_TEXT = 4_000;

/**
 * @param text a message. @returns it as the console takes it: printable ASCII on one line. Control characters other than
 * new lines, which no text message has, become spaces.
 */
export const consoleText = (text: string): string =>
  text
    .replaceAll("\\", "\\\\")
    .replace(/\r\n|\r|\n/g, "\\n")
    .replace(/\p{Cc}/gu, " ")
    // Without the flag u: each half of a surrogate pair on its own, as the console has four digits.
    .replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** An emulator as `adb devices` lists it. */
interface Emulator {
  readonly serial: string;
  /** `device` when it can be used; else `offline`, `unauthorized` and the like. */
  readonly state: string;
}

/** @param out of `adb devices`. @returns the emulators; phones on a cable and devices on the network have no console. */
export const emulatorsIn = (out: string): readonly Emulator[] =>
  out.split(/\r?\n/).flatMap((line) => {
    const [, serial, state] = /^(emulator-\d{1,5})\s+([a-z]+)/.exec(line) ?? [];
    return serial === undefined || state === undefined ? [] : [{ serial, state }];
  });

const sendTo = async ({ serial, state }: Emulator, text: string, run: RunProgram): Promise<DeviceItem> => {
  const row = { kind: "android", id: serial, name: null } as const;
  if (state !== "device") return { ...row, status: "failed", detail: `adb lists it as ${state}` };
  const end = await run({ program: "adb", args: ["-s", serial, "emu", "sms", "send", FROM, text] });
  const failure = failureOf("adb emu", end);
  if (failure !== undefined) return { ...row, status: "failed", detail: failure };
  const refusal = end.how === "ended" ? /^KO\b.*$/m.exec(end.out)?.[0] : undefined;
  if (refusal !== undefined)
    return { ...row, status: "failed", detail: `The emulator's console refused it: ${firstLine(refusal)}` };
  return { ...row, status: "sent", detail: "Text message sent" };
};

/** @see SendToDevices */
export const sendToEmulators: SendToDevices = async (message: DeviceMessage, run) => {
  const end = await run({ program: "adb", args: ["devices"] });
  const failure = failureOf("adb devices", end);
  if (failure !== undefined || end.how !== "ended") return [noDevice("android", failure ?? "adb gave no list")];
  const emulators = emulatorsIn(end.out);
  if (emulators.length === 0) return [noDevice("android", "No Android emulator is running")];
  const text = consoleText(message.text);
  if (text.length > MOST_CONSOLE_TEXT)
    return [noDevice("android", "The message is too long for an emulator's console")];
  return forEachOf(emulators, (emulator) => sendTo(emulator, text, run));
};
