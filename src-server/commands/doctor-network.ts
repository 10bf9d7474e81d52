/** Checks the auth URLs for `stagedoor doctor`, if a Stagedoor runs on the data: ports, names, certificate. */
import type { Reach } from "#client/index.ts";
import type { Finding } from "./doctor-data.ts";
import { withEmulator } from "./emulator.ts";

const findingOf = ({ url, addresses, problem, instruction }: Reach): Finding => {
  const at = addresses.length === 0 ? "" : ` (${addresses.join(", ")})`;
  if (problem === null) return { check: "network", level: "ok", text: `auth: ${url} answers${at}` };
  const advice = instruction === null ? {} : { advice: instruction };
  return { check: "network", level: "warn", text: `auth: ${url} cannot be used: ${problem}${at}`, ...advice };
};

/** @param url the console of the running Stagedoor. @returns a finding per URL; empty if it does not respond. */
export const checkNetwork = async (url: string): Promise<Finding[]> => {
  try {
    const { items } = await withEmulator({ url }, ({ connect }) => connect.check());
    return items.map(findingOf);
  } catch {
    return [];
  }
};
