/** What the authority may sign for: names and addresses that do not exist on the internet. */
import { BlockList, isIP } from "node:net";

/** Each domain includes its subdomains. */
const DOMAINS = ["localhost", "local", "internal"] as const;
const NETWORKS = [
  ["127.0.0.0", 8],
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["169.254.0.0", 16],
  ["100.64.0.0", 10],
  ["::1", 128],
  ["fc00::", 7],
  ["fe80::", 10],
] as const;

const familyOf = (address: string): "ipv4" | "ipv6" => (isIP(address) === 4 ? "ipv4" : "ipv6");
const covered = new BlockList();
for (const [network, prefix] of NETWORKS) covered.addSubnet(network, prefix, familyOf(network));

/** @param name a host name in lower case, or an IP address. @returns whether the authority may sign for it. */
export const isCovered = (name: string): boolean =>
  isIP(name) === 0
    ? DOMAINS.some((domain) => name === domain || name.endsWith(`.${domain}`))
    : covered.check(name, familyOf(name));

/** @returns the bytes of an address whose groups are complete, except for one `::`. */
const bytesOf = (address: string): number[] => {
  if (isIP(address) === 4) return address.split(".").map(Number);
  const [before = "", after = ""] = address.split("::");
  const groups = (text: string): string[] => text.split(":").filter((group) => group !== "");
  const head = groups(before);
  const tail = groups(after);
  const all = [...head, ...Array<string>(8 - head.length - tail.length).fill("0"), ...tail];
  return all.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff]);
};

const maskOf = (prefix: number, length: number): number[] =>
  Array.from({ length }, (_, i) => 0xff & (0xff00 >> Math.min(8, Math.max(0, prefix - 8 * i))));

/** @returns an ASN.1 value in DER. */
const der = (tag: number, content: readonly number[]): number[] => {
  const { length } = content;
  if (length < 0x80) return [tag, length, ...content];
  return length < 0x100 ? [tag, 0x81, length, ...content] : [tag, 0x82, length >> 8, length & 0xff, ...content];
};

const SEQUENCE = 0x30;
const PERMITTED = 0xa0;
const DNS_NAME = 0x82;
const IP_ADDRESS = 0x87;

/** @returns a NameConstraints extension (RFC 5280, 4.2.1.10) that permits only these ranges. */
export const nameConstraints = (): Uint8Array<ArrayBuffer> => {
  const names = DOMAINS.map((domain) => der(DNS_NAME, [...Buffer.from(domain)]));
  const networks = NETWORKS.map(([network, prefix]) => {
    const bytes = bytesOf(network);
    return der(IP_ADDRESS, [...bytes, ...maskOf(prefix, bytes.length)]);
  });
  const subtrees = [...names, ...networks].flatMap((base) => der(SEQUENCE, base));
  return Uint8Array.from(der(SEQUENCE, der(PERMITTED, subtrees)));
};
