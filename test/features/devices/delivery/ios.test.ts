import { describe, expect, test } from "vitest";
import { type Answer, IOS, ONE_SIMULATOR, OTHER_UDID, simctlList, UDID } from "#test/support/device-stand-ins.ts";
import { deliveryHarness } from "./support.ts";

const harness = deliveryHarness();
const PASTEBOARD = { "delivery.ios": true };
const BOTH = { ...PASTEBOARD, "delivery.iosBundleId": "com.example.app" };
const row = (status: string, detail: unknown) => ({ kind: "ios", id: UDID, name: "iPhone 16", status, detail });
const none = (detail: string) => ({ kind: "ios", id: null, name: null, status: "failed", detail });
const listing = (out: string): Answer => ({ to: "simctl list", out });

describe("a code sent as a text message", () => {
  test("is copied to the pasteboard of the booted simulator", async () => {
    await harness.standIns.plan("xcrun", ONE_SIMULATOR);
    const { code, devices } = await (await harness.app(PASTEBOARD)).delivered();
    expect(devices).toEqual([row("sent", "Code on the pasteboard")]);
    expect(await harness.told()).toEqual([
      { program: "xcrun", args: ["simctl", "list", "devices", "booted", "--json"], input: "" },
      { program: "xcrun", args: ["simctl", "pbcopy", UDID], input: code },
    ]);
  });

  test("is also a notification of the given app", async () => {
    await harness.standIns.plan("xcrun", ONE_SIMULATOR);
    const app = await harness.app({ ...BOTH, "message.sms": '"{code}"\né\u{1F511}' }, { name: "Shop" });
    const { code, devices } = await app.delivered();
    expect(devices).toEqual([row("sent", "Code on the pasteboard; Notification of com.example.app")]);
    const push = (await harness.told()).at(-1);
    expect(push?.args).toEqual(["simctl", "push", UDID, "com.example.app", "-"]);
    expect(JSON.parse(push?.input ?? "")).toEqual({
      aps: { alert: { title: "Shop", body: `"${code}"\né\u{1F511}` }, sound: "default" },
    });
  });

  test("reaches every booted iOS simulator, but no watches and no simulators that are shut down", async () => {
    const list = simctlList({
      [IOS]: [
        { udid: UDID, name: "iPhone 16", state: "Booted" },
        { udid: "0F6E2A5C-0000-4000-8000-00000000000C", name: "iPhone SE", state: "Shutdown" },
        { udid: "--help", name: "odd", state: "Booted" },
        { name: "without id", state: "Booted" },
        "no object" as unknown as object,
      ],
      "com.apple.CoreSimulator.SimRuntime.watchOS-11-2": [{ udid: "AAAA", name: "Watch", state: "Booted" }],
      "iOS 12.4": [{ udid: OTHER_UDID, state: "Booted" }],
    });
    await harness.standIns.plan("xcrun", [listing(list), ...ONE_SIMULATOR.slice(1)]);
    const { devices } = await (await harness.app(PASTEBOARD)).delivered(2);
    expect(devices).toEqual([
      row("sent", "Code on the pasteboard"),
      { ...row("sent", "Code on the pasteboard"), id: OTHER_UDID, name: null },
    ]);
    expect(await harness.told()).toHaveLength(3);
  });
});

describe("the row gives the reason for", () => {
  test.each([
    ["no simulator", listing(simctlList({ [IOS]: [] })), "No iOS simulator is booted"],
    ["no runtime", listing(simctlList({})), "No iOS simulator is booted"],
    ["malformed JSON", listing('{"devices": {'), 'simctl list printed no list of devices: {"devices": {'],
    ["unexpected JSON", listing('{"devices": 5}'), 'simctl list printed no list of devices: {"devices": 5}'],
    ["nothing", listing(""), "simctl list printed nothing"],
    [
      "an exit status",
      { to: "simctl list", err: 'xcrun: error: unable to find utility "simctl"\n', status: 72 },
      'simctl list ended with status 72: xcrun: error: unable to find utility "simctl"',
    ],
  ])("%s", async (_, answer, detail) => {
    await harness.standIns.plan("xcrun", [answer]);
    expect((await (await harness.app(PASTEBOARD)).delivered()).devices).toEqual([none(detail)]);
  });

  test("no xcrun, as everywhere but on a Mac", async () => {
    const { devices } = await (await harness.app(PASTEBOARD)).delivered();
    expect(devices).toEqual([none("xcrun is not on the PATH of this server")]);
  });

  test("a failed notification, next to the copied code", async () => {
    const refused: Answer = { to: "simctl push", err: "Invalid bundle identifier\n", status: 22 };
    await harness.standIns.plan("xcrun", [...ONE_SIMULATOR.slice(0, 2), refused]);
    const { devices } = await (await harness.app(BOTH)).delivered();
    const detail = "simctl push ended with status 22: Invalid bundle identifier; Code on the pasteboard";
    expect(devices).toEqual([row("failed", detail)]);
  });

  test("a message too long for a notification", async () => {
    await harness.standIns.plan("xcrun", ONE_SIMULATOR);
    const { devices } = await (
      await harness.app({ ...BOTH, "message.sms": `{code}${"\u{1F511}".repeat(990)}` }, { name: "é".repeat(255) })
    ).delivered();
    const detail = "The message is too long for a notification; Code on the pasteboard";
    expect(devices).toEqual([row("failed", detail)]);
  });
});
