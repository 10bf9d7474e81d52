/** The build of an app that is installed on an Android device: `adb shell pm path`, then `adb pull`. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunProgram } from "#http/programs.ts";
import { type Build, readBuild } from "#programs/autofill/build.ts";
import { partsOfUserFile } from "#server/user-file.ts";
import { firstLine, outcomeOf } from "./device.ts";

type Failed = { readonly error: string };

/** @returns the serials of the devices and emulators that are ready; or why there are none. */
export const readyDevices = async (run: RunProgram): Promise<readonly string[] | Failed> => {
  const { out = "", failure } = outcomeOf("adb devices", await run({ program: "adb", args: ["devices"] }));
  const serials = [...out.matchAll(/^(\S+)\s+device\b/gm)].flatMap(([, serial]) => serial ?? []);
  return serials.length === 0
    ? { error: failure?.replace(" of this server", "") ?? "No Android device or emulator is running" }
    : serials;
};

/** @param name of its package. @returns the build; or why there is none, as a sentence without its full stop. */
export const installedBuild = async (serial: string, name: string, run: RunProgram): Promise<Build | Failed> => {
  const adb = async (...args: readonly string[]) =>
    outcomeOf(`adb ${args[0]}`, await run({ program: "adb", args: ["-s", serial, ...args] }));
  const listed = await adb("shell", "pm", "path", name);
  // Of split APKs all are signed alike.
  const path = /^package:(\/\S+)/m.exec(listed.out ?? "")?.[1];
  if (path === undefined) {
    // Without the package, pm only has a status.
    const isSilent = listed.failure === undefined ? firstLine(listed.out) === "" : listed.failure.endsWith("status 1");
    return { error: isSilent ? `${name} is not installed` : (listed.failure ?? firstLine(listed.out)) };
  }
  const folder = await mkdtemp(join(tmpdir(), "stagedoor-apk-"));
  try {
    const file = join(folder, "base.apk");
    const { failure } = await adb("pull", path, file);
    if (failure !== undefined) return { error: failure };
    const build = await partsOfUserFile(file, readBuild);
    return "error" in build ? { error: `The APK of ${name} ${build.error}` } : build;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
