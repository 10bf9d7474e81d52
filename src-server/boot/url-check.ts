/** Checks whether auth responds at its URLs, from this machine: name, port, certificate. */
import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import { get, type IncomingMessage, type RequestOptions } from "node:http";
import { get as getSecure } from "node:https";
import { isIP } from "node:net";
import { checkServerIdentity, TLSSocket } from "node:tls";
import type { UrlCheck } from "#contract/control/network.ts";
import { OWN_AGENT } from "#http/clients.ts";
import { hostOf } from "./addresses.ts";

/** Timeout for unknown names and filtered ports, in milliseconds. */
const WAIT_MS = 3_000;

type Problem = UrlCheck["problem"];

/** Resolves a name to all its addresses; rejects if there are none. */
export type Lookup = (name: string) => Promise<readonly LookupAddress[]>;

/** The system's name resolution. */
export const lookupAll: Lookup = (name) => lookup(name, { all: true });

/** @returns all addresses of a name; none if it is unknown, or after a timeout. */
const addressesOf = async (name: string, find: Lookup): Promise<string[]> => {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<[]>((resolve) => {
    timer = setTimeout(resolve, WAIT_MS, []);
  });
  const found = await Promise.race([find(name).catch(() => []), tooLate]).finally(() => clearTimeout(timer));
  return [...new Set(found.map(({ address }) => address))];
};

const NOT_THERE: readonly string[] = ["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "EADDRNOTAVAIL"];

const isValid = (socket: TLSSocket, name: string): boolean =>
  socket.authorized && checkServerIdentity(name, socket.getPeerCertificate()) === undefined;

/** Sends a request that is not logged. @returns what is wrong. */
const ask = (url: URL, address: string, ca: string | undefined): Promise<Problem> =>
  new Promise((resolve) => {
    const options: RequestOptions = {
      host: address,
      port: url.port,
      path: "/emulator/app",
      headers: { "User-Agent": OWN_AGENT },
      agent: false,
    };
    const name = hostOf(url);
    // Judged after the handshake: a refusal during it would look like a device that does not trust the certificate.
    const trust = { servername: isIP(name) === 0 ? name : "", rejectUnauthorized: false };
    const secure = { ...options, ...trust, ...(ca === undefined ? {} : { ca }) };
    const request = url.protocol === "https:" ? getSecure(secure) : get(options);
    request.setTimeout(WAIT_MS, () => {
      resolve("silent");
      request.destroy();
    });
    request.once("response", (response: IncomingMessage) => {
      const { socket, headers } = response;
      response.resume();
      if (!String(headers["emulator"]).startsWith("stagedoor/")) resolve("stranger");
      else resolve(socket instanceof TLSSocket && !isValid(socket, name) ? "certificate" : null);
    });
    request.once("error", ({ code = "" }: NodeJS.ErrnoException) => {
      resolve(NOT_THERE.includes(code) ? "refused" : "stranger");
    });
  });

const instructions = ({ hostname, port }: URL): Readonly<Record<Exclude<Problem, null>, string>> => ({
  unresolved: `This machine cannot resolve ${hostname}. A device finds it only if mDNS runs here: Bonjour on macOS and Windows, avahi-daemon on Linux. Otherwise use the address.`,
  elsewhere: `${hostname} belongs to another machine. Use the address of this one.`,
  refused: `Nothing listens on ${hostname}:${port}. Turn the local network off and on again.`,
  silent: `${hostname}:${port} does not respond. A firewall may block it: allow incoming connections to port ${port}.`,
  stranger: `Another program uses ${hostname}:${port}. Stop it, or start Stagedoor on another port.`,
  certificate: `The certificate is not valid for ${hostname}. Use a name or an address that it covers, or http.`,
});

/** The addresses of this machine, except loopback, and the authority's certificate as PEM, if there is one. */
interface ReachParts {
  readonly own: readonly string[];
  readonly ca: string | undefined;
  readonly lookup?: Lookup | undefined;
}

/** @returns whether Stagedoor responds at a URL, or what is wrong. Never rejects. */
export const reach = async (given: string, { own, ca, lookup: find = lookupAll }: ReachParts): Promise<UrlCheck> => {
  const url = new URL(given);
  const addresses = await addressesOf(hostOf(url), find);
  const item = (problem: Problem): UrlCheck => {
    return { url: given, addresses, problem, instruction: problem === null ? null : instructions(url)[problem] };
  };
  const [address] = addresses;
  if (address === undefined) return item("unresolved");
  const isOwn = (one: string): boolean => own.includes(one) || one === "::1" || one.startsWith("127.");
  const ours = addresses.find(isOwn);
  return item(ours === undefined ? "elsewhere" : await ask(url, ours, ca));
};
