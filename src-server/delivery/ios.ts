/**
 * iOS simulators. They have no text messages, and `simctl` cannot send one. Instead the code is copied to the
 * pasteboard (`simctl pbcopy`), and the message can be shown as a notification of an app (`simctl push`). iOS suggests
 * neither above the keyboard, so simulators have no autofill.
 */
import { z } from "zod";
import type { DeviceItem } from "#contract/passcodes.ts";
import { type DeviceMessage, failureOf, firstLine, forEachOf, noDevice, type SendToDevices } from "./device.ts";
import type { RunProgram } from "./programs.ts";

/** Maximum payload of `simctl push` in bytes. */
const MOST_PAYLOAD = 4_096;

const simulator = z.object({
  udid: z.string().regex(/^[0-9A-Fa-f][0-9A-Fa-f-]{0,63}$/),
  name: z.string().catch(""),
  state: z.string(),
});
const simulatorList = z.object({ devices: z.record(z.string(), z.array(z.unknown())) });
type Simulator = z.output<typeof simulator>;

/**
 * @param out of `simctl list devices booted --json`: simulators by runtime, such as
 * `com.apple.CoreSimulator.SimRuntime.iOS-18-2`, including watches and televisions.
 * @returns the booted iOS simulators; undefined if the output is not such a list.
 */
export const simulatorsIn = (out: string): readonly Simulator[] | undefined => {
  let read: unknown;
  try {
    read = JSON.parse(out);
  } catch {
    return undefined;
  }
  const list = simulatorList.safeParse(read).data;
  if (list === undefined) return undefined;
  return Object.entries(list.devices)
    .filter(([runtime]) => /(^|\.)iOS[- ]/.test(runtime))
    .flatMap(([, devices]) => devices.flatMap((device) => simulator.safeParse(device).data ?? []))
    .filter(({ state }) => state === "Booted");
};

/** @see ProgramEnd */
export const simctl = (run: RunProgram, args: readonly string[], input?: string) =>
  run({ program: "xcrun", args: ["simctl", ...args], ...(input === undefined ? {} : { input }) });

const notify = async (udid: string, bundleId: string, message: DeviceMessage, run: RunProgram) => {
  const payload = JSON.stringify({ aps: { alert: { title: message.appName, body: message.text }, sound: "default" } });
  if (Buffer.byteLength(payload) > MOST_PAYLOAD) return "The message is too long for a notification";
  return failureOf("simctl push", await simctl(run, ["push", udid, bundleId, "-"], payload));
};

const sendTo = async ({ udid, name }: Simulator, message: DeviceMessage, run: RunProgram): Promise<DeviceItem> => {
  const { bundleId, code } = message;
  const row = { kind: "ios", id: udid, name: name === "" ? null : firstLine(name) } as const;
  const notCopied = failureOf("simctl pbcopy", await simctl(run, ["pbcopy", udid], code));
  const notShown = bundleId === null ? undefined : await notify(udid, bundleId, message, run);
  const done = [
    ...(notCopied === undefined ? ["Code on the pasteboard"] : []),
    ...(bundleId !== null && notShown === undefined ? [`Notification of ${bundleId}`] : []),
  ];
  const failed = [notCopied, notShown].filter((failure) => failure !== undefined);
  return { ...row, status: failed.length === 0 ? "sent" : "failed", detail: [...failed, ...done].join("; ") };
};

/** @see SendToDevices */
export const sendToSimulators: SendToDevices = async (message: DeviceMessage, run) => {
  const end = await simctl(run, ["list", "devices", "booted", "--json"]);
  const failure = failureOf("simctl list", end);
  if (failure !== undefined || end.how !== "ended") return [noDevice("ios", failure ?? "simctl gave no list")];
  const simulators = simulatorsIn(end.out);
  if (simulators === undefined) return [noDevice("ios", "simctl list answered what is no list of devices")];
  if (simulators.length === 0) return [noDevice("ios", "No iOS simulator is booted")];
  return forEachOf(simulators, (one) => sendTo(one, message, run));
};
