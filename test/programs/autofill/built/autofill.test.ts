import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { freshPath, run, send, start } from "#test/cli/support.ts";
import { adbList, makeStandIns, type StandIns } from "#test/support/device-stand-ins.ts";

const FOLDER = new URL("../builds/", import.meta.url);
const build = (name: string): string => fileURLToPath(new URL(name, FOLDER));
const { k1, k2, k3 } = JSON.parse(await readFile(new URL("expected.json", FOLDER), "utf8"));

let standIns: StandIns;
beforeEach(async () => {
  standIns = await makeStandIns();
});
afterEach(() => standIns.remove());
const autofill = (...args: string[]) => run(["autofill", ...args], { env: { PATH: standIns.dir } });

test("prints package, certificate, hash and the line to paste; older certificates, and whose key an AAB has", async () => {
  const { status, out, err } = await autofill(build("rotated.apk"));
  expect([status, err]).toEqual([0, ""]);
  expect(out).toContain("com.example.app\n");
  expect(out).toContain(`SHA-256 ${k3.sha256} (signature v3)\n`);
  expect(out.endsWith(`paste:\n\n${k3.hash}\n`)).toBe(true);
  expect(out.indexOf(k2.hash)).toBeLessThan(out.indexOf(k1.hash));
  expect((await autofill(build("upload.aab"))).out).toContain("Play signs what it delivers with another key");
  expect(JSON.parse((await autofill(build("v1.apk"), "--json")).out)).toMatchObject({
    package: "com.example.app",
    ...k1,
  });
});

test("sets the hash and the package of an app, whose messages then end with the hash", async () => {
  const server = await start(["--ephemeral"]);
  const { consoleUrl } = server.ready;
  const set = await autofill(build("v123.apk"), "--app", "demo-app", "--url", consoleUrl);
  expect(set).toMatchObject({ status: 0, out: expect.stringContaining("Its messages end with the hash.") });
  const { settings } = await (await send("GET", `${consoleUrl}/emulator/v1/apps/demo-app`)).json();
  expect(settings.message).toEqual({ androidHash: k1.hash, androidPackage: "com.example.app" });
  const other = await autofill(build("v123.apk"), "--app", "demo-ap", "--url", consoleUrl);
  expect(other).toMatchObject({ status: 1, err: expect.stringContaining("demo-app") });
  await server.stop();
});

test("what is no app gets a sentence", async () => {
  const text = freshPath("text.apk");
  await writeFile(text, "text");
  const said = `${text}: is not an APK or AAB, or is truncated: it does not end as a ZIP file does.\n`;
  expect(await autofill(text)).toMatchObject({ status: 1, out: "", err: said });
  expect(await autofill(`${text}x`)).toMatchObject({ status: 1, err: `${text}x: no such file.\n` });
  expect(await autofill()).toMatchObject({ status: 2, err: "Give an APK or AAB, or --package.\n" });
});

test("reads what is installed on devices, and refuses builds that differ", async () => {
  const ask = () => autofill("--package", "com.example.app");
  expect(await ask()).toMatchObject({ status: 1, err: "adb is not on the PATH.\n" });
  const path = "package:/data/app/~~a==/com.example.app-b==/base.apk\r\npackage:/data/app/x/split_config.en.apk\r\n";
  const has = (serial: string, copies: string) => [
    { to: `-s ${serial} shell pm path com.example.app`, out: path },
    { to: `-s ${serial} pull /data/app/~~a==/com.example.app-b==/base.apk`, copies: build(copies) },
  ];
  const devices = { to: "devices", out: adbList("emulator-5554\tdevice", "R58M\tdevice", "emulator-5556\toffline") };
  const none = { to: "-s R58M shell pm path", status: 1 };
  await standIns.plan("adb", [devices, none, ...has("emulator-5554", "v123.apk")]);
  expect(await ask()).toMatchObject({ status: 0, out: expect.stringContaining(k1.hash) });
  await standIns.plan("adb", [devices, ...has("R58M", "rotated.apk"), ...has("emulator-5554", "v123.apk")]);
  const err = `The devices have builds with different keys (emulator-5554: ${k1.hash}, R58M: ${k3.hash}). Stop all but one.\n`;
  expect(await ask()).toMatchObject({ status: 1, err });
  await standIns.plan("adb", [{ ...devices, out: adbList("R58M\tdevice") }, none]);
  expect(await ask()).toMatchObject({ status: 1, err: "R58M: com.example.app is not installed.\n" });
});
