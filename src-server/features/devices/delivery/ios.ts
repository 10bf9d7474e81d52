/**
 * iOS simulators. They have no text messages, and `simctl` cannot send one. Instead the code is copied to the
 * pasteboard (`simctl pbcopy`), and the message can be shown as a notification of an app (`simctl push`). iOS suggests
 * neither above the keyboard, so simulators have no autofill.
 */
import { z } from "zod";
import type { DeviceItem } from "#contract/service/passcodes.ts";
import { parsedJson } from "#contract/words/parsed-json.ts";
import type { RunProgram } from "#http/ports.ts";
import { type DeviceMessage, firstLine, forEachOf, noDevice, outcomeOf, type SendToDevices } from "./device.ts";

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
  // A warning may come first.
  const json = out.slice(Math.max(0, out.search(/^\{/m)));
  const list = simulatorList.safeParse(parsedJson(json)).data;
  if (list === undefined) return undefined;
  return Object.entries(list.devices)
    .filter(([runtime]) => /(^|\.)iOS[- ]/.test(runtime))
    .flatMap(([, devices]) => devices.flatMap((device) => simulator.safeParse(device).data ?? []))
    .filter(({ state }) => state === "Booted");
};

/** Runs `xcrun simctl`. @returns what it printed, or why it failed. */
export const simctl = async (run: RunProgram, args: readonly [string, ...string[]], input = "") =>
  outcomeOf(`simctl ${args[0]}`, await run({ program: "xcrun", args: ["simctl", ...args], input }));

/** @returns the booted iOS simulators, or why there are none. */
export const bootedSimulators = async (
  run: RunProgram,
): Promise<
  { readonly simulators: readonly Simulator[]; readonly failure?: undefined } | { readonly failure: string }
> => {
  const end = await simctl(run, ["list", "devices", "booted", "--json"]);
  if (end.failure !== undefined) return end;
  const simulators = simulatorsIn(end.out);
  if (simulators === undefined) {
    const said = firstLine(end.out);
    return { failure: `simctl list printed ${said === "" ? "nothing" : `no list of devices: ${said}`}` };
  }
  return simulators.length === 0 ? { failure: "No iOS simulator is booted" } : { simulators };
};

const notify = async (udid: string, bundleId: string, message: DeviceMessage, run: RunProgram) => {
  const payload = JSON.stringify({ aps: { alert: { title: message.appName, body: message.text }, sound: "default" } });
  if (Buffer.byteLength(payload) > MOST_PAYLOAD) return "The message is too long for a notification";
  return (await simctl(run, ["push", udid, bundleId, "-"], payload)).failure;
};

const sendTo = async ({ udid, name }: Simulator, message: DeviceMessage, run: RunProgram): Promise<DeviceItem> => {
  const { bundleId, code } = message;
  const row = { kind: "ios", id: udid, name: name === "" ? null : firstLine(name) } as const;
  const { failure: notCopied } = await simctl(run, ["pbcopy", udid], code);
  const notShown = bundleId === null ? undefined : await notify(udid, bundleId, message, run);
  const done = [
    ...(notCopied === undefined ? ["Code on the pasteboard"] : []),
    ...(bundleId !== null && notShown === undefined ? [`Notification of ${bundleId}`] : []),
  ];
  const failed = [notCopied, notShown].filter((failure) => failure !== undefined);
  return { ...row, status: failed.length === 0 ? "sent" : "failed", detail: [...failed, ...done].join("; ") };
};

/** @see SendToDevices */
export const sendToSimulators: SendToDevices = async (message, run) => {
  const booted = await bootedSimulators(run);
  if (booted.failure !== undefined) return noDevice("ios", booted.failure);
  return forEachOf(booted.simulators, (one) => sendTo(one, message, run));
};
