/**
 * iOS simulators. They have no text messages, and `simctl` has no command to bring one: the code goes to the pasteboard
 * (`simctl pbcopy`), and the message can be shown as a notification of an app (`simctl push`). iOS offers neither above its
 * keyboard: there is no autofill in a simulator.
 */
import { z } from "zod";
import type { DeviceItem } from "#contract/passcodes.ts";
import { type DeviceMessage, failureOf, firstLine, forEachOf, noDevice, type SendToDevices } from "./device.ts";
import type { RunProgram } from "./programs.ts";

/** The most bytes that `simctl push` takes. */
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
 * `com.apple.CoreSimulator.SimRuntime.iOS-18-2`; watches and televisions are among them.
 * @returns the booted iOS simulators; undefined if this is no such list.
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
