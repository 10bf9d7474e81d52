/** The network addresses of this machine (CONTRACT 9). */
import { type NetworkInterfaceInfo, networkInterfaces } from "node:os";

/** @returns the host of a URL; an IPv6 address without brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "");

/** A non-loopback address. */
export interface MachineAddress {
  /** The name of the network interface. */
  readonly name: string;
  readonly address: string;
  /** The address to listen on; an IPv6 link-local address includes its interface. */
  readonly host: string;
  /** IPv6 link-local addresses cannot be used in a URL. */
  readonly isLinkLocal: boolean;
}

/** Interfaces of containers, virtual machines and tunnels, and loopback, which a phone rarely can reach. */
const VIRTUAL = /^(lo|docker|br-|veth|virbr|vmnet|vboxnet|vEthernet|tun|tap|utun|wg|zt|tailscale|lxc|cni|flannel)/i;

const isLinkLocal = (address: string): boolean => /^fe[89ab]/i.test(address);
/** Other addresses of a loopback interface count as reachable. */
const isLoopback = ({ address, internal }: NetworkInterfaceInfo): boolean =>
  internal && (address.startsWith("127.") || address === "::1" || isLinkLocal(address));

/** @returns the addresses, those that a phone can most likely reach first: IPv4 before IPv6, virtual ones last. */
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

/** @param machine the host name. @returns its mDNS name; undefined if it cannot have one. */
export const localName = (machine: string): string | undefined => {
  const name = machine.toLowerCase().replace(/\..*$/, "");
  return /^[a-z0-9-]+$/.test(name) ? `${name}.local` : undefined;
};
