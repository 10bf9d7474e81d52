/** Opens a link in the app that it belongs to: `adb shell am start`, `simctl openurl`. */
import type { DeviceKind } from "#contract/service/passcodes.ts";
import { quoted } from "#contract/words/shell-words.ts";
import { firstLine, outcomeOf } from "#features/devices/delivery/device.ts";
import { readyDevices } from "#features/devices/delivery/installed.ts";
import { bootedSimulators, simctl } from "#features/devices/delivery/ios.ts";
import { createPrograms } from "#features/devices/delivery/programs.ts";

const LAUNCH_MS = 20_000;

/** Opens a link on each device of a kind. @returns for each why it failed, if it did; or why there is no device. */
export const openLink = async (kind: DeviceKind, link: string) => {
  const { run } = createPrograms({ timeoutMs: LAUNCH_MS });
  if (kind === "ios") {
    const booted = await bootedSimulators(run);
    if (booted.failure !== undefined) return booted.failure.replace(" of this server", "");
    const open = async ({ udid, name }: { udid: string; name: string }) => ({
      device: name || udid,
      failure: (await simctl(run, ["openurl", udid, link])).failure,
    });
    return await Promise.all(booted.simulators.map(open));
  }
  const devices = await readyDevices(run);
  if ("error" in devices) return devices.error;
  const open = async (device: string) => {
    // The shell of the device reads the words once more.
    const args = ["-s", device, "shell", "am", "start", "-a", "android.intent.action.VIEW", "-d", quoted(link)];
    const { out, failure } = outcomeOf("adb shell am start", await run({ program: "adb", args }));
    const refusal = /^Error.*$/m.exec(out ?? "")?.[0];
    return { device, failure: failure ?? (refusal && firstLine(refusal)) };
  };
  return await Promise.all(devices.map(open));
};
