/** The hash of the build that is installed on each emulator, in the messages there. */
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { until } from "#test/http/control/support.ts";
import expected from "#test/programs/autofill/builds/expected.json" with { type: "json" };
import { type Answer, adbList } from "#test/support/device-stand-ins.ts";
import { deliveryHarness } from "./support.ts";

const harness = deliveryHarness();
const { k1, k3 } = expected;
const OTHER = "FA+9qCX9VSu";
const NAME = "com.example.app";
const base = { "delivery.android": true, "message.androidPackage": NAME };

/** @returns answers of an emulator with this build; null: it is not installed. */
const emulator = (serial: string, build: string | null, stamp = ""): readonly Answer[] => {
  const copies =
    build === null ? "" : fileURLToPath(new URL(`../../../programs/autofill/builds/${build}`, import.meta.url));
  const path = "/data/app/~~a==/com.example.app-b==/base.apk";
  return [
    build === null
      ? { to: `-s ${serial} shell pm path`, status: 1 }
      : { to: `-s ${serial} shell pm path`, out: `package:${path}\n` },
    ...(stamp === "" ? [] : [{ to: `-s ${serial} shell stat -c '%i %s %Y' ${path}`, out: `${stamp}\n` }]),
    { to: `-s ${serial} pull ${path}`, copies },
    { to: `-s ${serial} emu sms send`, out: "OK\r\n" },
  ];
};
const plan = (...emulators: readonly (readonly Answer[])[]) => {
  const serials = emulators.map(([first]) => `${first?.to.split(" ")[1]}\tdevice`);
  return harness.standIns.plan("adb", [{ to: "devices", out: adbList(...serials) }, ...emulators.flat()]);
};
/** @returns the text that each emulator got. */
const texts = async () => {
  const sent = (await harness.told()).filter(({ args }) => args[2] === "emu");
  return Object.fromEntries(sent.map(({ args }) => [args[1], args.at(-1)]));
};

describe("{androidHash}", () => {
  test("is that of the build on each emulator, whatever is set", async () => {
    await plan(
      emulator("emulator-5554", "v123.apk"),
      emulator("emulator-5556", "rotated.apk"),
      emulator("emulator-5558", null),
    );
    const app = await harness.app({ ...base, "message.androidHash": OTHER, "message.sms": "{code}\n{androidHash}" });
    const { code, message, devices } = await app.delivered(3);
    expect(message).toBe(`${code}\n${OTHER}`);
    expect(await texts()).toEqual({
      "emulator-5554": `${code}\\n${k1.hash}`,
      "emulator-5556": `${code}\\n${k3.hash}`,
      "emulator-5558": `${code}\\n${OTHER}`,
    });
    const filled = (hash: string) =>
      `Text message sent, with the hash of this device: the installed build's hash is ${hash}`;
    expect(devices.map(({ detail }) => detail)).toEqual([
      filled(k1.hash),
      filled(k3.hash),
      `Text message sent; ${NAME} is not installed`,
    ]);
  });

  test("needs no hash to be set, and ends the default message", async () => {
    await plan(emulator("emulator-5554", "v1.apk"));
    const { code } = await (await harness.app(base, { name: "Shop" })).delivered();
    expect(await texts()).toEqual({
      "emulator-5554": `Your Shop code is ${code}. It is valid for 10 minutes.\\n${k1.hash}`,
    });
    const refused = await harness.control("POST", "/apps", {
      settings: { "message.androidPackage": NAME, "message.sms": "{code}\n{androidHash}" },
    });
    expect(refused.json).toEqual({
      "settings.message.sms": ["uses {androidHash}, but message.androidHash is not set"],
    });
  });

  test("is read once for each installation", async () => {
    const app = await harness.app(base);
    const pulls = async () => (await harness.told()).filter(({ args }) => args[2] === "pull").length;
    await plan(emulator("emulator-5554", "v1.apk", "12 1882 1790000000"));
    await app.delivered();
    await app.delivered();
    expect(await pulls()).toBe(1);
    await plan(emulator("emulator-5554", "rotated.apk", "13 12560 1790000001"));
    const { code } = await app.delivered();
    expect(await pulls()).toBe(2);
    expect((await texts())["emulator-5554"]).toContain(`${code}. It is valid for 10 minutes.\\n${k3.hash}`);
  });
});

describe("a message with the hash of no installed build", () => {
  const settings = { ...base, "message.sms": `<#> {code}\n${OTHER}` };
  const words = `Text message sent, but Android will not fill in the code: the message has ${OTHER}, and the installed build's hash is ${k1.hash}`;

  test("is marked at the device and in the request's advice", async () => {
    await plan(emulator("emulator-5554", "v123.apk"));
    const app = await harness.app(settings);
    expect((await app.delivered()).devices).toMatchObject([{ status: "sent", detail: words, otherHash: true }]);
    const [row] = await until(
      async () => (await harness.control("GET", `/requests?appId=${app.appId}`)).json.items,
      ([newest]) => newest.advice.length > 0,
    );
    expect(row.advice).toEqual([
      { code: "android_hash", text: `${words}. End message.sms with {androidHash}: it is filled in for each device.` },
    ]);
  });

  test("is not, if another emulator has that build, or the package is not named", async () => {
    const known = `<#> {code}\n${k3.hash}`;
    await plan(emulator("emulator-5554", "v123.apk"), emulator("emulator-5556", "rotated.apk"));
    const { devices } = await (await harness.app({ ...base, "message.sms": known })).delivered(2);
    expect(devices.map((one) => ({ ...one }))).not.toContainEqual(expect.objectContaining({ otherHash: true }));
    const { devices: any } = await (await harness.app({ ...settings, "message.androidPackage": null })).delivered(2);
    expect(any.map(({ detail }) => detail)).toEqual(["Text message sent", "Text message sent"]);
  });
});
