import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { portOf } from "#test/http/guards/raw.ts";
import { IOS, ONE_SIMULATOR, OTHER_UDID, simctlList, UDID } from "#test/support/device-stand-ins.ts";
import { deliveryHarness } from "./support.ts";

const harness = deliveryHarness();
const press = (button: string, body: object = {}) => harness.control("POST", `/connect/${button}`, body);

describe("adb-reverse", () => {
  const port = () => portOf(harness.server.urls.auth);
  const forward = (to: number, ...device: string[]) => [...device, "reverse", `tcp:${to}`, `tcp:${to}`];

  test("forwards the auth port, and the TLS port while TLS is on", async () => {
    await harness.standIns.plan("adb", [{ to: "" }]);
    expect((await press("adb-reverse")).json).toEqual({ serial: null, ports: [port()] });
    await harness.control("PUT", "/tls", { on: true });
    const tls = portOf(harness.server.authTlsUrl ?? "");
    const both = await press("adb-reverse", { serial: "emulator-5554" });
    expect([both.status, both.json]).toEqual([200, { serial: "emulator-5554", ports: [port(), tls] }]);
    expect((await harness.told()).map(({ args }) => args)).toEqual([
      forward(port()),
      forward(port(), "-s", "emulator-5554"),
      forward(tls, "-s", "emulator-5554"),
    ]);
    await harness.control("PUT", "/tls", { on: false });
  });

  test("returns 409 with adb's message, or when adb is missing", async () => {
    const missing = await press("adb-reverse");
    expect([missing.status, missing.reason]).toEqual([409, "tool_failed"]);
    expect(missing.json.instruction).toContain("adb is not on the PATH");
    const err =
      "* daemon not running; starting now at tcp:5037\n* daemon started\nadb: error: more than one device/emulator\n";
    await harness.standIns.plan("adb", [{ to: "", status: 1, err }]);
    expect((await press("adb-reverse")).json.instruction).toBe(
      "adb reverse ended with status 1: adb: error: more than one device/emulator",
    );
  });

  test("rejects a serial number that could be read as an option", async () => {
    await harness.standIns.plan("adb", [{ to: "" }]);
    for (const serial of ["-a", "", "a b", "x;y", 7]) expect((await press("adb-reverse", { serial })).status).toBe(422);
    expect(await harness.told()).toEqual([]);
  });
});

describe("simulator-trust", () => {
  test("installs the certificate in every booted simulator, or in the named one", async () => {
    const both = [UDID, OTHER_UDID].map((udid) => ({ udid, name: "iPhone", state: "Booted" }));
    await harness.standIns.plan("xcrun", [
      { to: "simctl list devices booted --json", out: simctlList({ [IOS]: both }) },
      { to: "simctl keychain" },
    ]);
    expect((await press("simulator-trust")).json).toEqual({ udids: [UDID, OTHER_UDID] });
    expect((await press("simulator-trust", { udid: UDID })).json).toEqual({ udids: [UDID] });
    const keychain = (await harness.told()).map(({ args }) => args).filter(([, what]) => what === "keychain");
    expect(keychain.map(([, , udid, command]) => [udid, command])).toEqual([
      [UDID, "add-root-cert"],
      [OTHER_UDID, "add-root-cert"],
      [UDID, "add-root-cert"],
    ]);
    // The file existed only while the program ran.
    await expect(readFile(keychain[0]?.[4] ?? "")).rejects.toThrow("ENOENT");
  });

  test("reads a list below a warning, and quotes what is no list", async () => {
    const list = simctlList({ [IOS]: [{ udid: UDID, name: "iPhone", state: "Booted" }] });
    const keychain = { to: "simctl keychain" };
    await harness.standIns.plan("xcrun", [{ to: "simctl list", out: `Warning: {old} Xcode\n${list}` }, keychain]);
    expect((await press("simulator-trust")).json).toEqual({ udids: [UDID] });
    await harness.standIns.plan("xcrun", [{ to: "simctl list", out: "\n== Devices ==\n-- iOS 18.2 --\n" }, keychain]);
    const { status, json } = await press("simulator-trust");
    expect([status, json.instruction]).toEqual([409, "simctl list printed no list of devices: == Devices =="]);
  });

  test("returns 409 with simctl's message, without a booted simulator, and without xcrun", async () => {
    expect((await press("simulator-trust")).json.instruction).toContain("xcrun is not on the PATH");
    await harness.standIns.plan("xcrun", [{ to: "simctl list", out: simctlList({}) }]);
    expect((await press("simulator-trust")).json.instruction).toContain("No iOS simulator is booted");
    await harness.standIns.plan("xcrun", [
      ...ONE_SIMULATOR.slice(0, 1),
      { to: "simctl keychain", status: 2, err: "Invalid device\n" },
    ]);
    const failed = await press("simulator-trust");
    expect([failed.status, failed.json.instruction]).toEqual([409, expect.stringContaining("Invalid device")]);
  });
});
