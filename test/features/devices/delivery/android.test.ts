import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openEvents } from "#test/http/events/event-stream.ts";
import { adbList, ONE_EMULATOR } from "#test/support/device-stand-ins.ts";
import { deliveryHarness } from "./support.ts";

const harness = deliveryHarness();
const ANDROID = { "delivery.android": true };
const FROM = "+12025550199";
const row = (id: string | null, status: string, detail: unknown) => ({
  kind: "android",
  id,
  name: null,
  status,
  detail,
});

describe("a code sent as a text message", () => {
  test("reaches the running emulator; the passcode and an event report it", async () => {
    await harness.standIns.plan("adb", ONE_EMULATOR);
    const app = await harness.app(ANDROID, { name: "Shop" });
    const events = await openEvents(harness.server.urls.console);
    const { code, devices } = await app.delivered();
    expect(devices).toEqual([row("emulator-5554", "sent", "Text message sent")]);
    expect(await harness.told()).toEqual([
      { program: "adb", args: ["devices"], input: "" },
      {
        program: "adb",
        args: [
          ...["-s", "emulator-5554", "emu", "sms", "send", FROM],
          `Your Shop code is ${code}. It is valid for 10 minutes.`,
        ],
        input: "",
      },
    ]);
    const { appId, item } = await events.next(({ type }) => type === "passcode.devices");
    expect({ appId, item }).toEqual({ appId: app.appId, item: { id: expect.any(String), devices } });
    events.close();
  });

  test("reaches every ready emulator; offline ones are reported, phones and network devices skipped", async () => {
    const list = adbList(
      "emulator-5554\tdevice",
      "R58M123ABC\tdevice",
      "emulator-5556\toffline",
      "192.168.0.7:5555\tdevice",
      "emulator-5558          device product:sdk_gphone64 model:sdk transport_id:3",
      "emulator-5560\tunauthorized",
      "emulator-\tdevice",
      "* daemon started successfully",
    );
    await harness.standIns.plan("adb", [
      { to: "devices", out: list.replaceAll("\n", "\r\n") },
      { to: "-s emulator-5558", out: "KO: unknown command, try 'help'\r\n" },
      { to: "-s emulator-5554", out: "OK\r\n" },
    ]);
    const { devices } = await (await harness.app(ANDROID)).delivered();
    expect(devices).toEqual([
      row("emulator-5554", "sent", "Text message sent"),
      row("emulator-5556", "failed", "adb lists it as offline"),
      row("emulator-5558", "failed", "The emulator's console rejected it: KO: unknown command, try 'help'"),
      row("emulator-5560", "failed", "adb lists it as unauthorized"),
    ]);
    const sentTo = (await harness.told()).slice(1).map(({ args }) => args[1]);
    expect(sentTo.sort()).toEqual(["emulator-5554", "emulator-5558"]);
  });

  test("reaches many emulators, each once", async () => {
    const serials = Array.from({ length: 9 }, (_, i) => `emulator-${5554 + 2 * i}`);
    await harness.standIns.plan("adb", [
      { to: "devices", out: adbList(...serials.map((serial) => `${serial}\tdevice`)) },
      { to: "-s", out: "OK\r\n" },
    ]);
    const { devices } = await (await harness.app(ANDROID)).delivered(9);
    expect(devices.map(({ id, status }) => [id, status])).toEqual(serials.map((serial) => [serial, "sent"]));
    expect(await harness.told()).toHaveLength(10);
  });

  test("is a single ASCII line on the emulator console, whatever the message contains", async () => {
    await harness.standIns.plan("adb", ONE_EMULATOR);
    const sms = 'It\'s "{app}" \\n $(id) `id` %PATH%\r\nquit\n{code}\té€\u{1F511}';
    const { code } = await (await harness.app({ ...ANDROID, "message.sms": sms }, { name: "a;b&c|d" })).delivered();
    const [, sent] = await harness.told();
    expect(sent?.args.slice(0, 6)).toEqual(["-s", "emulator-5554", "emu", "sms", "send", FROM]);
    expect(sent?.args.slice(6)).toEqual([
      `It's "a;b&c|d" \\\\n $(id) \`id\` %PATH%\\nquit\\n${code} \\u00e9\\u20ac\\ud83d\\udd11`,
    ]);
  });

  test("is not sent if it is too long for the console", async () => {
    await harness.standIns.plan("adb", ONE_EMULATOR);
    const { devices } = await (
      await harness.app({ ...ANDROID, "message.sms": `{code}${"é".repeat(990)}` })
    ).delivered();
    expect(devices).toEqual([row(null, "failed", "The message is too long for an emulator's console")]);
    expect(await harness.told()).toHaveLength(1);
  });

  test("is also sent when the control API issues it", async () => {
    await harness.standIns.plan("adb", ONE_EMULATOR);
    const app = await harness.app(ANDROID);
    const { items } = (await harness.control("GET", `/profiles?appId=${app.appId}`)).json;
    await harness.control("POST", "/passcodes", { appId: app.appId, userId: items[0].userId });
    await harness.called(({ args }) => args.includes("emu"));
  });
});

describe("the row gives the reason, and the log gives it once, for", () => {
  test.each([
    ["no emulator", [{ to: "devices", out: adbList() }], "No Android emulator is running"],
    ["empty output", [{ to: "devices" }], "No Android emulator is running"],
    [
      "an exit status",
      [
        {
          to: "devices",
          err: "* daemon not running; starting now\nadb: failed to check server version\n\n",
          status: 1,
        },
      ],
      "adb devices ended with status 1: adb: failed to check server version",
    ],
  ])("%s", async (_, answers, detail) => {
    await harness.standIns.plan("adb", answers);
    const app = await harness.app(ANDROID);
    expect((await app.delivered()).devices).toEqual([row(null, "failed", detail)]);
    expect((await app.delivered()).devices).toEqual([row(null, "failed", detail)]);
    expect(harness.said.filter((line) => line.includes(detail)).length).toBeLessThanOrEqual(1);
  });

  test("a missing adb, then one that is not executable; it is logged again after adb has worked", async () => {
    const app = await harness.app(ANDROID);
    const missing = "adb is not on the PATH of this server";
    for (let n = 0; n < 2; n++) expect((await app.delivered()).devices).toEqual([row(null, "failed", missing)]);
    expect(harness.said).toEqual([`Codes for Android emulators: ${missing}. See docs/delivery.md.`]);

    await harness.standIns.plan("adb", ONE_EMULATOR);
    await chmod(join(harness.standIns.dir, "adb"), 0o644);
    expect((await app.delivered()).devices).toEqual([row(null, "failed", "adb may not be run by this user")]);

    await chmod(join(harness.standIns.dir, "adb"), 0o755);
    expect((await app.delivered()).devices).toEqual([row("emulator-5554", "sent", "Text message sent")]);
    await harness.standIns.without("adb");
    await app.delivered();
    expect(harness.said.filter((line) => line.includes(missing))).toHaveLength(2);

    // Also if nothing else was wrong in between.
    await harness.standIns.plan("adb", ONE_EMULATOR);
    await app.delivered();
    await harness.standIns.without("adb");
    await app.delivered();
    expect(harness.said.filter((line) => line.includes(missing))).toHaveLength(3);
  });

  test("an emulator that adb cannot reach", async () => {
    const err = "error: could not connect to TCP port 5554: Connection refused\n";
    await harness.standIns.plan("adb", [...ONE_EMULATOR.slice(0, 1), { to: "-s", err, status: 1 }]);
    const { devices } = await (await harness.app(ANDROID)).delivered();
    const detail = `adb emu ended with status 1: ${err.trim()}`;
    expect(devices).toEqual([row("emulator-5554", "failed", detail)]);
    expect(harness.said).toEqual([`Codes for Android emulators (emulator-5554): ${detail}. See docs/delivery.md.`]);
  });
});
