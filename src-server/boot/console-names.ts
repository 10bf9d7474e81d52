/** The host names by which browsers reach the console. */
import { isIPv4 } from "node:net";
import type { MachineAddress } from "./addresses.ts";
import { EVERYWHERE } from "./listen.ts";

/**
 * @param hosts where the console listens. @param allowed additional names that it accepts.
 * @param addresses of the machine.
 * @returns names and IPv4 addresses, in the form of a Content-Security-Policy, which cannot name IPv6 addresses.
 */
export const consoleNames = (
  hosts: readonly string[],
  allowed: readonly string[],
  addresses: () => readonly MachineAddress[],
): readonly string[] => {
  const isEverywhere = hosts.some((host) => host === "0.0.0.0" || EVERYWHERE.some((all) => all === host));
  const here = isEverywhere ? ["127.0.0.1", ...addresses().map(({ address }) => address)] : hosts;
  return [...new Set(["localhost", ...here, ...allowed])].filter((name) => isIPv4(name) || !name.includes(":"));
};
