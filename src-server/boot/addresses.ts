/** The network addresses of this machine. */
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
const VIRTUAL =
  /^(lo|docker|br-|veth|virbr|vmnet|vboxnet|vEthernet|tun|tap|utun|wg|ppp|ipsec|nordlynx|zt|tailscale|lxc|cni|flannel)/i;

const isLinkLocal = (address: string): boolean => /^fe[89ab]/i.test(address);
/** Other addresses of a loopback interface count as reachable. */
const isLoopback = ({ address, internal }: NetworkInterfaceInfo): boolean =>
  internal && (address.startsWith("127.") || address === "::1" || isLinkLocal(address));

const PRIVATE = /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/;
/** 100.64.0.0/10: of carriers, and of VPNs such as Tailscale, whatever their interface is called. */
const SHARED = /^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./;

/**
 * @param interfaces by name, as from `networkInterfaces`.
 * @returns the addresses, those that a phone can most likely reach first: IPv4 before IPv6; private ones of a cable or
 * Wi-Fi, then its others, then those of VPNs and virtual machines.
 */
export const machineAddresses = (interfaces = networkInterfaces()): readonly MachineAddress[] => {
  const found = Object.entries(interfaces).flatMap(([name, addresses]) =>
    (addresses ?? []).filter((info) => !isLoopback(info)).map((info) => ({ name, info })),
  );
  const place = ({ name, info }: (typeof found)[number]): number =>
    (info.family === "IPv4" ? 0 : 3) +
    (VIRTUAL.test(name) || SHARED.test(info.address) ? 2 : PRIVATE.test(info.address) ? 0 : 1);
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
