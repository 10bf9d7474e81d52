/** Connects devices on this machine to auth: forwards ports with `adb`, installs certificates in simulators. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Problem } from "#contract/problems.ts";
import { failureOf } from "./device.ts";
import { simctl, simulatorsIn } from "./ios.ts";
import type { RunProgram } from "./programs.ts";

const failed = (said: string): Problem => ({ code: "tool_failed", instruction: said });

/**
 * Forwards ports of an Android device to the same ports of this machine. @param serial null: the only device.
 * @returns adb's error if it failed.
 */
export const forwardPorts = async (
  serial: string | null,
  ports: readonly number[],
  run: RunProgram,
): Promise<Problem | undefined> => {
  const device = serial === null ? [] : ["-s", serial];
  for (const port of ports) {
    const end = await run({ program: "adb", args: [...device, "reverse", `tcp:${port}`, `tcp:${port}`] });
    const failure = failureOf("adb reverse", end);
    if (failure !== undefined) return failed(failure);
  }
  return undefined;
};

/** @returns the UDIDs of the booted iOS simulators. */
const booted = async (
  run: RunProgram,
): Promise<{ readonly udids: readonly string[] } | { readonly problem: Problem }> => {
  const end = await simctl(run, ["list", "devices", "booted", "--json"]);
  const failure = failureOf("simctl list", end);
  const found = end.how === "ended" ? simulatorsIn(end.out) : undefined;
  if (failure !== undefined || found === undefined) return { problem: failed(failure ?? "simctl gave no list") };
  if (found.length === 0) return { problem: failed("No iOS simulator is booted") };
  return { udids: found.map(({ udid }) => udid) };
};

/**
 * Makes iOS simulators trust a certificate. @param udid null: all booted ones. @param pem the certificate.
 * @returns those that now trust it, or simctl's error if it failed.
 */
export const trustInSimulators = async (
  udid: string | null,
  pem: string,
  run: RunProgram,
): Promise<{ readonly udids: readonly string[] } | { readonly problem: Problem }> => {
  const found = udid === null ? await booted(run) : { udids: [udid] };
  if ("problem" in found) return found;
  const dir = await mkdtemp(join(tmpdir(), "stagedoor-ca-"));
  try {
    const file = join(dir, "stagedoor-ca.pem");
    await writeFile(file, pem);
    for (const simulator of found.udids) {
      const end = await simctl(run, ["keychain", simulator, "add-root-cert", file]);
      const failure = failureOf("simctl keychain", end);
      if (failure !== undefined) return { problem: failed(failure) };
    }
    return found;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
};
