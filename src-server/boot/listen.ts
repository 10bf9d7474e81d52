/**
 * Listening: one HTTP app on several addresses with the same port, with limits against slow and many clients (CONTRACT 1, 5).
 */
import { createServer, type Server } from "node:http";
import { type AddressInfo, isIP } from "node:net";
import { networkInterfaces } from "node:os";
import { BOUNDS } from "#contract/bounds.ts";
import { type HttpApp, type MessageClasses, messageClasses } from "#http/message-classes.ts";
import { Connections } from "./connections.ts";
import { StartError } from "./start-error.ts";

/** The addresses of this machine that nobody else can reach. */
export const LOOPBACK = ["127.0.0.1", "::1"] as const;
/** All interfaces, both families. */
export const EVERYWHERE = ["::"] as const;

/** What keeps slow and many clients from holding a listener up; times in milliseconds. */
export interface ListenLimits {
  /** For the headers of a request. */
  readonly headersMs: number;
  /** For a whole request, its body too. */
  readonly requestMs: number;
  /** How often connections are looked at. */
  readonly checkMs: number;
  readonly connections: number;
}

const LIMITS: ListenLimits = {
  headersMs: BOUNDS.headersMs.most,
  requestMs: BOUNDS.requestMs.most,
  checkMs: 1_000,
  connections: BOUNDS.connections.most,
};
/** Another free port is tried this often, when the one that IPv4 gave is taken on IPv6. */
const FREE_PORT_TRIES = 20;

/** A listener. */
export interface Listening {
  readonly port: number;
  /** Takes no more connections, lets answers under way end, and cuts what is left after `graceMs`. */
  close(graceMs: number): Promise<void>;
}

const codeOf = (error: unknown): string => (error instanceof Error && "code" in error ? String(error.code) : "");

/** An app with what its servers need. */
interface Served {
  readonly app: HttpApp;
  readonly classes: MessageClasses;
  readonly limits: ListenLimits;
  /** Of all its servers together. */
  readonly connections: Connections;
}

const listenOnce = ({ app, classes, limits, connections }: Served, host: string, port: number): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer({
      ...classes,
      maxHeaderSize: BOUNDS.headBytes.most,
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: limits.checkMs,
      requireHostHeader: false,
    });
    server.on("connection", (socket) => connections.admit(socket));
    server.on("request", (req, res) => {
      if (connections.ask(req, res)) app(req, res);
    });
    server.once("error", reject);
    server.listen({ host, port }, () => {
      server.off("error", reject);
      resolve(server);
    });
  });

const closeServer = (server: Server, graceMs: number): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });

const portOf = (server: Server): number => {
  const address: AddressInfo | string | null = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
};

/** IPv6 may be absent: then IPv4 alone does. An address that somebody asked for may not. */
const isAbsentFamily = (host: string, error: unknown): boolean =>
  (host === "::1" || host === "::") && ["EADDRNOTAVAIL", "EAFNOSUPPORT", "EINVAL"].includes(codeOf(error));

/** @returns the addresses that these names and addresses stand for, each once: two of them may be the same. */
const addressesOf = async (hosts: readonly string[]): Promise<string[]> => {
  if (hosts.every((host) => isIP(host) !== 0)) return [...new Set(hosts)];
  const { lookup } = await import("node:dns/promises");
  const found = await Promise.all(
    hosts.map(async (host) => (isIP(host) === 0 ? await lookup(host, { all: true }) : [{ address: host }])),
  );
  return [...new Set(found.flat().map(({ address }) => address))];
};

const listenOnAll = async (served: Served, hosts: readonly string[], port: number): Promise<Server[]> => {
  const servers: Server[] = [];
  try {
    for (const host of await addressesOf(hosts)) {
      const first = servers[0];
      const at = first === undefined ? port : portOf(first);
      try {
        servers.push(await listenOnce(served, host, at));
      } catch (error) {
        if (!isAbsentFamily(host, error)) throw error;
        if (host === "::") servers.push(await listenOnce(served, "0.0.0.0", at));
      }
    }
    return servers;
  } catch (error) {
    await Promise.all(servers.map((server) => closeServer(server, 0)));
    throw error;
  }
};

/**
 * @param hosts addresses; all get the same port. @param port 0: any that is free on all of them.
 * @param flag the option that changes the port, for the error.
 * @throws StartError saying what is in the way.
 */
export const listen = async (
  app: HttpApp,
  hosts: readonly string[],
  port: number,
  flag: string,
  limits: ListenLimits = LIMITS,
): Promise<Listening> => {
  const connections = new Connections(limits.connections);
  const served: Served = { app, classes: messageClasses(app), limits, connections };
  for (let tries = 1; ; tries++) {
    try {
      const servers = await listenOnAll(served, hosts, port);
      const [first] = servers;
      if (first === undefined)
        throw new StartError("address_unavailable", `This machine has none of the addresses ${hosts.join(", ")}.`);
      return {
        port: portOf(first),
        close: async (graceMs) => {
          await Promise.all(servers.map((server) => closeServer(server, graceMs)));
        },
      };
    } catch (error) {
      const code = codeOf(error);
      if (code === "EADDRINUSE" && port === 0 && tries < FREE_PORT_TRIES) continue;
      if (code === "EADDRINUSE")
        throw new StartError(
          "port_in_use",
          `Port ${port} is already in use. Choose another port with ${flag}, or 0 for any free port.`,
          { port },
        );
      if (code === "EACCES")
        throw new StartError(
          "port_denied",
          `Port ${port} requires other permissions. Choose another port with ${flag}.`,
          { port },
        );
      if (["EADDRNOTAVAIL", "ENOTFOUND", "EAI_AGAIN", "EINVAL"].includes(code))
        throw new StartError(
          "address_unavailable",
          `This machine does not have the address ${hosts.join(", ")} (see ${flag.replace("port", "host")}).`,
        );
      throw error;
    }
  }
};

/** @returns the IPv4 addresses by which other machines reach this one. */
export const lanAddresses = (): string[] =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter((address) => address.family === "IPv4" && !address.internal)
    .map((address) => address.address);
