/** The build of an app that is installed on an Android device: `adb shell pm path`, then `adb pull`. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunProgram } from "#http/ports.ts";
import { partsOfUserFile } from "#server/user-file.ts";
import { type Build, readBuild } from "../build/build.ts";
import { firstLine, type InstalledBuild, outcomeOf } from "./device.ts";

/** @returns the serials of the devices and emulators that are ready; or why there are none. */
export const readyDevices = async (run: RunProgram): Promise<readonly string[] | { readonly error: string }> => {
  const { out = "", failure } = outcomeOf("adb devices", await run({ program: "adb", args: ["devices"] }));
  const serials = [...out.matchAll(/^(\S+)\s+device\b/gm)].flatMap(([, serial]) => serial ?? []);
  return serials.length === 0
    ? { error: failure?.replace(" of this server", "") ?? "No Android device or emulator is running" }
    : serials;
};

/** To copy an app of some hundred MiB. */
const PULL_MS = 60_000;

/**
 * @param name of its package. @param known builds by device, place and date of the file, to copy each once.
 * @returns the build; or why there is none, as a sentence without its full stop.
 */
export const installedBuild = async (
  serial: string,
  name: string,
  run: RunProgram,
  known = new Map<string, Build>(),
): Promise<InstalledBuild> => {
  const adb = async (...args: readonly string[]) =>
    outcomeOf(`adb ${args[0]}`, await run({ program: "adb", args: ["-s", serial, ...args], timeoutMs: PULL_MS }));
  const listed = await adb("shell", "pm", "path", name);
  // Of split APKs all are signed alike.
  const path = /^package:(\/\S+)/m.exec(listed.out ?? "")?.[1];
  if (path === undefined) {
    // Without the package, pm only has a status.
    const isSilent = listed.failure === undefined ? firstLine(listed.out) === "" : listed.failure.endsWith("status 1");
    return { error: isSilent ? `${name} is not installed` : (listed.failure ?? firstLine(listed.out)) };
  }
  const stamp = /^\d+ \d+ \d+$/m.exec((await adb("shell", "stat", "-c", "'%i %s %Y'", path)).out ?? "")?.[0];
  const key = `${serial} ${name} ${path} ${stamp}`;
  const copied = stamp === undefined ? undefined : known.get(key);
  if (copied !== undefined) return copied;
  const folder = await mkdtemp(join(tmpdir(), "stagedoor-apk-"));
  try {
    const file = join(folder, "base.apk");
    const { failure } = await adb("pull", path, file);
    if (failure !== undefined) return { error: failure };
    const build = await partsOfUserFile(file, readBuild);
    if ("error" in build) return { error: `the APK of ${name} ${build.error}` };
    known.set(key, build);
    return build;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
