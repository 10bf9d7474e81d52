/**
 * Listening: one HTTP app on several addresses with the same port, with limits against slow and many clients (CONTRACT 1, 5).
 */
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";

/** The addresses of this machine that nobody else can reach. */
export const LOOPBACK = ["127.0.0.1", "::1"] as const;
/** All interfaces, both families. */
export const EVERYWHERE = ["::"] as const;

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 60_000;
const CHECK_EVERY_MS = 1_000;
const MAX_CONNECTIONS = 4_096;
/** Another free port is tried this often, when the one that IPv4 gave is taken on IPv6. */
const FREE_PORT_TRIES = 20;

/** A listener that cannot be had. */
export class ListenError extends Error {
  override readonly name = "ListenError";
}

/** A listener. */
export interface Listening {
  readonly port: number;
  /** Takes no more connections, lets answers under way end, and cuts what is left after `graceMs`. */
  close(graceMs: number): Promise<void>;
}

const codeOf = (error: unknown): string => (error instanceof Error && "code" in error ? String(error.code) : "");

const listenOnce = (app: RequestListener, host: string, port: number): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer(
      {
        headersTimeout: HEADERS_TIMEOUT_MS,
        requestTimeout: REQUEST_TIMEOUT_MS,
        connectionsCheckingInterval: CHECK_EVERY_MS,
        requireHostHeader: false,
      },
      app,
    );
    server.maxConnections = MAX_CONNECTIONS;
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

/** IPv6 may be absent: then IPv4 alone does. */
const isAbsentFamily = (host: string, error: unknown): boolean =>
  host.includes(":") && ["EADDRNOTAVAIL", "EAFNOSUPPORT", "EINVAL"].includes(codeOf(error));

const listenOnAll = async (app: RequestListener, hosts: readonly string[], port: number): Promise<Server[]> => {
  const servers: Server[] = [];
  try {
    for (const host of hosts) {
      const first = servers[0];
      const at = first === undefined ? port : portOf(first);
      try {
        servers.push(await listenOnce(app, host, at));
      } catch (error) {
        if (!isAbsentFamily(host, error)) throw error;
        if (host === "::") servers.push(await listenOnce(app, "0.0.0.0", at));
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
 * @throws ListenError saying what is in the way.
 */
export const listen = async (
  app: RequestListener,
  hosts: readonly string[],
  port: number,
  flag: string,
): Promise<Listening> => {
  for (let tries = 1; ; tries++) {
    try {
      const servers = await listenOnAll(app, hosts, port);
      const [first] = servers;
      if (first === undefined) throw new ListenError(`This machine has none of the addresses ${hosts.join(", ")}.`);
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
        throw new ListenError(`Port ${port} is already in use. Choose another with ${flag}, or 0 for any free one.`);
      if (code === "EACCES")
        throw new ListenError(`Port ${port} may not be used by this user. Choose another with ${flag}.`);
      if (code === "EADDRNOTAVAIL")
        throw new ListenError(
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
