/** By which names browsers reach the console. */
import { isIPv4 } from "node:net";
import type { MachineAddress } from "./addresses.ts";
import { EVERYWHERE } from "./listen.ts";

/**
 * @param hosts where the console listens. @param allowed names that it also answers to.
 * @param addresses of the machine.
 * @returns names and addresses of IPv4, as a Content-Security-Policy can name them: none of IPv6.
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
