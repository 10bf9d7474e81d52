/** Connects devices on this machine to auth: forwards ports with `adb`, installs certificates in simulators. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Problem } from "#contract/service/problems.ts";
import type { RunProgram } from "#http/ports.ts";
import { outcomeOf } from "./device.ts";
import { bootedSimulators, simctl } from "./ios.ts";

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
    const args = [...device, "reverse", `tcp:${port}`, `tcp:${port}`];
    const { failure } = outcomeOf("adb reverse", await run({ program: "adb", args }));
    if (failure !== undefined) return failed(failure);
  }
  return undefined;
};

/**
 * Makes iOS simulators trust a certificate. @param udid null: all booted ones. @param pem the certificate.
 * @returns those that now trust it, or simctl's error if it failed.
 */
export const trustInSimulators = async (
  udid: string | null,
  pem: string,
  run: RunProgram,
): Promise<{ readonly udids: string[] } | { readonly problem: Problem }> => {
  const booted = udid === null ? await bootedSimulators(run) : { simulators: [{ udid }], failure: undefined };
  if (booted.failure !== undefined) return { problem: failed(booted.failure) };
  const udids = booted.simulators.map((one) => one.udid);
  const dir = await mkdtemp(join(tmpdir(), "stagedoor-ca-"));
  try {
    const file = join(dir, "stagedoor-ca.pem");
    await writeFile(file, pem);
    for (const simulator of udids) {
      const { failure } = await simctl(run, ["keychain", simulator, "add-root-cert", file]);
      if (failure !== undefined) return { problem: failed(failure) };
    }
    return { udids };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
};
