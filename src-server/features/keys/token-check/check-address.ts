/** The addresses that a token check may call: this machine and private networks. */
import { BlockList, isIP } from "node:net";
import { networkInterfaces } from "node:os";

const familyOf = (address: string): "ipv4" | "ipv6" => (isIP(address) === 4 ? "ipv4" : "ipv6");
const listOf = (...subnets: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const [network = "", prefix] of subnets.map((subnet) => subnet.split("/")))
    list.addSubnet(network, Number(prefix), familyOf(network));
  return list;
};
const LOOPBACK = listOf("127.0.0.0/8", "::1/128");
const PRIVATE = listOf("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7");
/** Unspecified, link-local and multicast addresses, and cloud metadata services, which hold a machine's credentials. */
const NEVER = listOf(
  ...["0.0.0.0/8", "169.254.0.0/16", "224.0.0.0/3"],
  ...["::/128", "fd00:ec2::254/128", "fe80::/10", "ff00::/8"],
);

const isIn = (list: BlockList, address: string): boolean => list.check(address, familyOf(address));
/** @returns an address without its zone. An IPv4-mapped one (`::ffff:7f00:1`) matches the IPv4 lists. */
const bare = (address: string): string => address.replace(/%.*$/, "");

/** @returns whether the address is loopback or private. */
export const isLocalAddress = (address: string): boolean =>
  isIn(LOOPBACK, bare(address)) || isIn(PRIVATE, bare(address));

const isOwn = (address: string): boolean => {
  const own = new BlockList();
  for (const one of Object.values(networkInterfaces()).flatMap((list) => list ?? []))
    own.addAddress(bare(one.address), familyOf(one.address));
  return isIn(LOOPBACK, address) || isIn(own, address);
};

/** @param host the name of the address. @returns why it must not be called; undefined if it may. */
export const addressError = (
  address: string,
  host: string,
  port: number,
  { ownPorts, hosts }: { readonly ownPorts: readonly number[]; readonly hosts: readonly string[] },
): string | undefined => {
  const plain = bare(address);
  const leads = plain === host ? "is" : `leads to ${plain}, which is`;
  if (isIn(NEVER, plain)) return `${leads} never called: link-local, unspecified or multicast`;
  if (ownPorts.includes(port) && isOwn(plain)) return "is a port of Stagedoor itself";
  if (isLocalAddress(plain) || hosts.includes(host)) return undefined;
  return `${leads} neither loopback nor private. Allow the host with --check-host ${host}`;
};
