/** The addresses of this machine, as other machines see them (CONTRACT 9). */
import { type NetworkInterfaceInfo, networkInterfaces } from "node:os";

/** @returns the host of a URL, an address of IPv6 without its brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "");

/** An address that is not loopback. */
export interface MachineAddress {
  /** Of the network interface. */
  readonly name: string;
  readonly address: string;
  /** What to listen on: a link-local address of IPv6 names its interface too. */
  readonly host: string;
  /** A link-local address of IPv6 is no good in a URL. */
  readonly isLinkLocal: boolean;
}

/** Interfaces of containers, virtual machines and tunnels, and loopback, where a phone is rarely found. */
const VIRTUAL = /^(lo|docker|br-|veth|virbr|vmnet|vboxnet|vEthernet|tun|tap|utun|wg|zt|tailscale|lxc|cni|flannel)/i;

const isLinkLocal = (address: string): boolean => /^fe[89ab]/i.test(address);
/** An interface of loopback may have other addresses besides, which count. */
const isLoopback = ({ address, internal }: NetworkInterfaceInfo): boolean =>
  internal && (address.startsWith("127.") || address === "::1" || isLinkLocal(address));

/** @returns them in the order in which a phone is likely to reach them: IPv4 before IPv6, real networks before virtual ones. */
export const machineAddresses = (): readonly MachineAddress[] => {
  const found = Object.entries(networkInterfaces()).flatMap(([name, addresses]) =>
    (addresses ?? []).filter((info) => !isLoopback(info)).map((info) => ({ name, info })),
  );
  const place = ({ name, info }: (typeof found)[number]): number =>
    (info.family === "IPv4" ? 0 : 2) + (VIRTUAL.test(name) ? 1 : 0);
  return found
    .toSorted((a, b) => place(a) - place(b))
    .map(({ name, info }) => {
      const { address } = info;
      const scope = process.platform === "win32" && info.family === "IPv6" ? info.scopeid : name;
      const linkLocal = isLinkLocal(address);
      return { name, address, host: linkLocal ? `${address}%${scope}` : address, isLinkLocal: linkLocal };
    });
};

/** @param machine the host name. @returns the name by which mDNS finds it; undefined if it cannot be one. */
export const localName = (machine: string): string | undefined => {
  const name = machine.toLowerCase().replace(/\..*$/, "");
  return /^[a-z0-9-]+$/.test(name) ? `${name}.local` : undefined;
};
