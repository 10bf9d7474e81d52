/**
 * Android emulators: `adb devices`, then `adb -s <serial> emu sms send <from> <text>`.
 *
 * `adb emu` joins its arguments with spaces, appends a newline and writes that to the emulator's console, so a newline
 * in the text would start another command. The console reads `\n`, `\\`, `\xNN` and `\uNNNN` in the text; some versions
 * corrupt unescaped UTF-8. It reports errors as a line `KO: …`, with which adb still exits with status 0.
 */
import type { DeviceItem } from "#contract/service/passcodes.ts";
import { hashIn } from "#domain/message.ts";
import type { RunProgram } from "#http/ports.ts";
import {
  type DeviceMessage,
  firstLine,
  forEachOf,
  type InstalledBuild,
  noDevice,
  outcomeOf,
  type SendToDevices,
} from "./device.ts";

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

/** What is sent to an emulator. `build`: of the message's app there; undefined: the message is for any app. */
interface Sent {
  readonly message: DeviceMessage;
  readonly build: InstalledBuild | undefined;
  /** Of all builds that are installed. */
  readonly hashes: ReadonlySet<string>;
}

const hashWords = (text: string, { message, build, hashes }: Sent): Pick<DeviceItem, "detail" | "otherHash"> => {
  const detail = "Text message sent";
  if (build === undefined) return { detail };
  if ("error" in build) return { detail: `${detail}; ${build.error}` };
  const own = `the installed build's hash is ${build.hash}`;
  const sent = hashIn(text);
  if (sent === undefined || hashes.has(sent))
    return { detail: text === message.text ? detail : `${detail}, with the hash of this device: ${own}` };
  const why = `but Android will not fill in the code: the message has ${sent}, and ${own}`;
  return { detail: `${detail}, ${why}`, otherHash: true };
};

const sendTo = async ({ serial, state }: Emulator, sent: Sent, run: RunProgram): Promise<DeviceItem> => {
  const row = { kind: "android", id: serial, name: null } as const;
  if (state !== "device") return { ...row, status: "failed", detail: `adb lists it as ${state}` };
  const { build } = sent;
  const text = sent.message.textWith(build && "hash" in build ? build.hash : undefined);
  const args = ["-s", serial, "emu", "sms", "send", FROM, consoleText(text)];
  const end = outcomeOf("adb emu", await run({ program: "adb", args }));
  if (end.failure !== undefined) return { ...row, status: "failed", detail: end.failure };
  const refusal = /^KO\b.*$/m.exec(end.out)?.[0];
  if (refusal === undefined) return { ...row, status: "sent", ...hashWords(text, sent) };
  return { ...row, status: "failed", detail: `The emulator's console rejected it: ${firstLine(refusal)}` };
};

/** @see SendToDevices */
export const sendToEmulators: SendToDevices = async (message, run) => {
  const end = outcomeOf("adb devices", await run({ program: "adb", args: ["devices"] }));
  if (end.failure !== undefined) return noDevice("android", end.failure);
  const emulators = emulatorsIn(end.out);
  if (emulators.length === 0) return noDevice("android", "No Android emulator is running");
  if (consoleText(message.text).length > MOST_CONSOLE_TEXT)
    return noDevice("android", "The message is too long for an emulator's console");
  const found = await forEachOf(emulators, async (emulator) => {
    const { state, serial } = emulator;
    return { emulator, build: state === "device" ? await message.buildOn(serial, run) : undefined };
  });
  const hashes = new Set(found.flatMap(({ build }) => (build && "hash" in build ? build.hash : [])));
  return forEachOf(found, ({ emulator, build }) => sendTo(emulator, { message, build, hashes }, run));
};
