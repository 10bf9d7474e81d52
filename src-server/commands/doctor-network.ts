/** What `stagedoor doctor` says of the URLs of auth, when a Stagedoor runs on the data: open ports, names, certificate. */
import type { Reach } from "#client/index.ts";
import type { Finding } from "./doctor-data.ts";
import { withEmulator } from "./emulator.ts";

const findingOf = ({ url, addresses, problem, instruction }: Reach): Finding => {
  const at = addresses.length === 0 ? "" : ` (${addresses.join(", ")})`;
  if (problem === null) return { check: "network", level: "ok", text: `auth: ${url} answers${at}` };
  const advice = instruction === null ? {} : { advice: instruction };
  return { check: "network", level: "warn", text: `auth: ${url} cannot be used: ${problem}${at}`, ...advice };
};

/** @param url of the console of who holds the data. @returns a finding for each URL; none if it does not answer. */
export const checkNetwork = async (url: string): Promise<Finding[]> => {
  try {
    const { items } = await withEmulator({ url }, ({ connect }) => connect.check());
    return items.map(findingOf);
  } catch {
    return [];
  }
};
