import { afterEach, describe, expect, test } from "vitest";
import { createPrograms } from "#features/devices/delivery/programs.ts";
import { startInProcess } from "#test/hosts/in-process.ts";
import { until } from "#test/http/control/support.ts";
import { type Answer, makeStandIns, ONE_EMULATOR, ONE_SIMULATOR } from "#test/support/device-stand-ins.ts";
import { deliveryHarness, isAlive } from "./support.ts";

const HANGS: readonly Answer[] = [{ to: "", hangs: true }];
const ANDROID = { "delivery.android": true };
const left: number[] = [];
afterEach(() => {
  for (const pid of left.splice(0)) if (isAlive(pid)) process.kill(pid, "SIGKILL");
});
/** Waits until a process has ended. */
const gone = (pid: number): Promise<boolean> =>
  until(
    () => isAlive(pid),
    (alive) => !alive,
  );

describe("a tool that hangs", () => {
  const harness = deliveryHarness(1_000);

  test("is killed after the timeout and reported; the next code is sent", async () => {
    await harness.standIns.plan("adb", HANGS);
    const app = await harness.app(ANDROID);
    const { devices } = await app.delivered();
    expect(devices).toMatchObject([{ detail: "adb devices did not respond in time and was stopped" }]);
    expect((await app.delivered()).devices).toHaveLength(1);
    for (const { pid } of await harness.standIns.calls()) await gone(pid);
  });
});

describe("without a timeout", () => {
  const harness = deliveryHarness();

  test("a process that the tool leaves behind does not delay the result", async () => {
    await harness.standIns.plan("adb", [{ ...(ONE_EMULATOR[0] as Answer), leaves: true }, ...ONE_EMULATOR.slice(1)]);
    const { devices } = await (await harness.app(ANDROID)).delivered();
    for (const call of await harness.standIns.calls()) if (call.left !== null) left.push(call.left);
    expect(left).toHaveLength(1);
    expect(isAlive(left[0] ?? 0)).toBe(true);
    expect(devices).toMatchObject([{ id: "emulator-5554", status: "sent" }]);
  });

  test("nothing is started for an app that has not opted in, for emails, or for a code that a fault keeps from arriving", async () => {
    await harness.standIns.plan("adb", ONE_EMULATOR);
    await harness.standIns.plan("xcrun", ONE_SIMULATOR);
    const off = await harness.app({});
    const bundleOnly = await harness.app({ "delivery.iosBundleId": "com.example.app" });
    const mail = await harness.app({ ...ANDROID, "delivery.ios": true }, { strategy: "email" });
    const on = await harness.app({ ...ANDROID, "delivery.ios": true });
    const quiet = [await off.send(), await bundleOnly.send(), await mail.send()];
    await harness.control("POST", "/faults", { match: { appId: on.appId }, effect: { undelivered: true }, times: 1 });
    quiet.push(await on.send());
    // Queues keep their order: once this code has arrived, nothing earlier is pending.
    const { code, devices } = await on.delivered(2);
    expect(devices).toMatchObject([{ status: "sent" }, { status: "sent" }]);
    for (const id of quiet) expect(await harness.devicesOf(id)).toEqual([]);
    const told = await harness.told();
    expect(told).toHaveLength(4);
    expect(told.filter(({ args, input }) => args.join(" ").includes(code) || input === code)).toHaveLength(2);
    expect(harness.said).toEqual([]);
  });

  test("imports and restored snapshots send nothing", async () => {
    await harness.standIns.plan("adb", ONE_EMULATOR);
    const app = await harness.app(ANDROID);
    const before = await app.delivered();
    await harness.control("PUT", "/snapshots/a");
    const state = (await harness.control("GET", `/state?appId=${app.appId}&volatile=1`)).json;
    expect(state.apps[0].passcodes).toHaveLength(1);
    await harness.control("DELETE", `/passcodes?appId=${app.appId}`);
    await harness.standIns.forget();
    const put = await harness.control("PUT", `/state?appId=${app.appId}`, { mode: "replace", state });
    expect(put.status, put.text).toBe(200);
    await harness.control("DELETE", `/passcodes?appId=${app.appId}`);
    const restored = await harness.control("POST", "/snapshots/a/restore");
    expect(restored.status, restored.text).toBe(200);
    const after = await app.delivered();
    expect(after.code).not.toBe(before.code);
    const told = (await harness.told()).map(({ args }) => args.join(" "));
    expect(told).toEqual(["devices", expect.stringContaining(after.code)]);
  });

  test("a replaced passcode keeps its delivery status", async () => {
    await harness.standIns.plan("adb", ONE_EMULATOR);
    const app = await harness.app(ANDROID);
    await app.delivered();
    await app.delivered();
    const { items } = (await harness.control("GET", `/passcodes?appId=${app.appId}`)).json;
    expect(items).toMatchObject([
      { status: "active", devices: [{ status: "sent" }] },
      { status: "replaced", devices: [{ status: "sent" }] },
    ]);
  });
});

describe("a server with a hanging tool", () => {
  test("still returns 202, queues at most fifty codes, and kills the tool when it stops, saying nothing", async () => {
    const said: string[] = [];
    const standIns = await makeStandIns();
    await standIns.plan("adb", HANGS);
    const programs = createPrograms({ timeoutMs: 600_000, env: { PATH: standIns.dir } });
    const server = await startInProcess({ programs, log: (line) => said.push(line) });
    const call = async (url: string, body?: object) => {
      const init = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
      return await fetch(url, body === undefined ? {} : init);
    };
    const control = `${server.urls.console}/emulator/v1`;
    await call(`${control}/apps`, { appId: "a", settings: ANDROID });
    await call(`${control}/profiles`, { appId: "a", phone: "+12025550142" });
    const ask = async () =>
      (await call(`${server.urls.auth}/v1/users/session`, { appId: "a", user: { phone: "+12025550142" } })).status;
    expect(await ask()).toBe(202);
    const [first] = await until(
      () => standIns.calls(),
      (calls) => calls.length === 1,
      10_000,
    );
    for (let n = 0; n < 51; n++) expect(await ask()).toBe(202);
    const { items } = await (await call(`${control}/passcodes?appId=a`)).json();
    const [last, ...waiting] = items.map((item: { devices: unknown }) => item.devices);
    expect(last).toMatchObject([{ status: "failed", detail: "Too many codes wait to be sent to devices" }]);
    expect(waiting.flat()).toEqual([]);

    const before = [...said];
    await server.close();
    await gone(first?.pid ?? 0);
    expect(said).toEqual(before);
    expect(await standIns.calls()).toHaveLength(1);
    expect(await programs.run({ program: "adb", args: ["devices"] })).toEqual({ how: "stopped" });
    await standIns.remove();
  });
});
