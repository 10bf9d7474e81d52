/** The addresses of this machine, as other machines see them (CONTRACT 9). */
import { networkInterfaces } from "node:os";

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

/** Interfaces of containers, virtual machines and tunnels, where a phone is rarely found. */
const VIRTUAL = /^(docker|br-|veth|virbr|vmnet|vboxnet|vEthernet|tun|tap|utun|wg|zt|tailscale|lxc|cni|flannel)/i;

/** @returns them in the order in which a phone is likely to reach them: IPv4 before IPv6, real networks before virtual ones. */
export const machineAddresses = (): readonly MachineAddress[] => {
  const found = Object.entries(networkInterfaces()).flatMap(([name, addresses]) =>
    (addresses ?? []).filter(({ internal }) => !internal).map((info) => ({ name, info })),
  );
  const place = ({ name, info }: (typeof found)[number]): number =>
    (info.family === "IPv4" ? 0 : 2) + (VIRTUAL.test(name) ? 1 : 0);
  return found
    .toSorted((a, b) => place(a) - place(b))
    .map(({ name, info: { address, family, ...more } }) => {
      const isLinkLocal = family === "IPv6" && /^fe[89ab]/i.test(address);
      const scope = process.platform === "win32" && "scopeid" in more ? String(more.scopeid) : name;
      return { name, address, host: isLinkLocal ? `${address}%${scope}` : address, isLinkLocal };
    });
};
