/** Listens with one HTTP app on the same port of several addresses, limiting slow and many clients. */
import { once } from "node:events";
import { createServer, type RequestListener, type Server, ServerResponse, STATUS_CODES } from "node:http";
import type { Server as SecureServer } from "node:https";
import { isIP, isIPv4 } from "node:net";
import type { Duplex } from "node:stream";
import { BOUNDS } from "#contract/bounds.ts";
import { type HttpApp, type MessageClasses, messageClasses } from "#http/message-classes.ts";
import type { MachineAddress } from "./addresses.ts";
import { Connections } from "./connections.ts";
import { followHandshakes, type OnHandshakeFailure } from "./handshakes.ts";
import { isTlsHello, type OnOtherScheme } from "./other-scheme.ts";
import { StartError } from "./start-error.ts";

/** The loopback addresses. */
export const LOOPBACK = ["127.0.0.1", "::1"] as const;
/** All interfaces, IPv4 and IPv6. */
export const EVERYWHERE = ["::"] as const;

/** Limits against slow and many clients; `checkMs`: how often connections are checked. */
const LIMITS: Readonly<Record<"headersMs" | "requestMs" | "checkMs" | "connections", number>> = {
  headersMs: BOUNDS.headersMs.most,
  requestMs: BOUNDS.requestMs.most,
  checkMs: 1_000,
  connections: BOUNDS.connections.most,
};
/** Such limits; times in milliseconds. */
export type ListenLimits = Readonly<typeof LIMITS>;

/** How often to try another free port if the IPv4 one is taken on IPv6. */
const FREE_PORT_TRIES = 20;

/** A listener. */
export interface Listening {
  readonly port: number;
  /** The addresses that it listens on. */
  readonly hosts: readonly string[];
  /** Listens on another address. @throws StartError */
  add(host: string): Promise<void>;
  /** Stops listening on an address, and closes its connections. */
  remove(host: string): Promise<void>;
  /** Uses another certificate for new connections; open ones keep theirs. */
  renew(certificate: Certificate): void;
  /** Stops accepting connections, lets pending responses finish, and closes the rest after `graceMs`. */
  close(graceMs: number): Promise<void>;
}

/** A certificate chain and its key, as PEM. */
export type Certificate = Readonly<Record<"cert" | "key", string>>;

interface Security {
  certificate: Certificate;
  readonly onFailure: OnHandshakeFailure;
}

const codeOf = (error: unknown): string => (error instanceof Error && "code" in error ? String(error.code) : "");

interface Served {
  readonly app: HttpApp;
  readonly classes: MessageClasses;
  readonly limits: ListenLimits;
  /** Of all its servers together. */
  readonly connections: Connections;
  readonly security: Security | undefined;
  readonly onOtherScheme: OnOtherScheme | undefined;
}

/** One server on one address. `endHandshakes` aborts those that the server does not count as connections yet. */
interface At {
  readonly host: string;
  readonly server: Server | SecureServer;
  readonly endHandshakes: () => void;
}

/** Requests with `Expect` go the way of all others; Node would answer 100 to each body, and 417 without our headers. */
const takeExpectations = (server: Server | SecureServer, listener: RequestListener): void => {
  server.on("checkContinue", listener);
  server.on("checkExpectation", listener);
};

/** What to do about what Node's parser refuses, before there is a request. */
const REFUSED: Readonly<Record<number, string>> = {
  400: "This is not a valid HTTP/1.1 request. Check its request line and its headers.",
  408: "The request did not arrive in time.",
  413: "The extensions of the body's chunks are too long.",
  431: `Path and headers together exceed ${BOUNDS.headBytes.most} bytes. Often a token or a cookie is too long.`,
};

/** @returns the status with which Node answers what its parser refuses. */
const parserStatus = ({ code }: NodeJS.ErrnoException): number => {
  if (code === "HPE_HEADER_OVERFLOW") return 431;
  if (code === "HPE_CHUNK_EXTENSIONS_OVERFLOW") return 413;
  return code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : 400;
};

/** Answers what the parser refuses with the status that Node has for it, and the body of all errors. */
const explainRefusals = (server: Server | SecureServer, onOtherScheme?: OnOtherScheme): void => {
  server.on("clientError", (error: NodeJS.ErrnoException & { rawPacket?: unknown }, socket: Duplex) => {
    if (isTlsHello(error.rawPacket)) onOtherScheme?.(socket);
    const begun: unknown = Reflect.get(socket, "_httpMessage");
    if (!socket.writable || (begun instanceof ServerResponse && begun.headersSent)) return void socket.destroy(error);
    const status = parserStatus(error);
    const message = STATUS_CODES[status];
    const body = JSON.stringify({ message, instruction: REFUSED[status] });
    const type = `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${body.length}`;
    // Destroyed once it is sent, as by Node.
    socket.write(`HTTP/1.1 ${status} ${message}\r\n${type}\r\nConnection: close\r\n\r\n${body}`);
    socket.destroy(error);
  });
};

const createAt = async (
  host: string,
  { app, classes, limits, connections, security, onOtherScheme }: Served,
): Promise<At> => {
  const options = {
    ...classes,
    maxHeaderSize: BOUNDS.headBytes.most,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: limits.checkMs,
    requireHostHeader: false,
  };
  const listener: RequestListener = (req, res) => {
    if (connections.ask(req, res)) app(req, res);
  };
  if (security === undefined) {
    const server = createServer(options, listener);
    takeExpectations(server, listener);
    explainRefusals(server, onOtherScheme);
    server.on("connection", (socket) => connections.admit(socket));
    return { host, server, endHandshakes: () => undefined };
  }
  const https = await import("node:https");
  const { certificate, onFailure } = security;
  const secure = { ...options, ...certificate, minVersion: "TLSv1.2", handshakeTimeout: limits.headersMs } as const;
  const server = https.createServer(secure, listener);
  takeExpectations(server, listener);
  explainRefusals(server);
  return { host, server, endHandshakes: followHandshakes(server, connections, onFailure, onOtherScheme) };
};

const listenOnce = async (served: Served, host: string, port: number): Promise<At> => {
  const at = await createAt(host, served);
  at.server.listen({ host, port });
  // Rejects if the server emits an error first.
  await once(at.server, "listening");
  return at;
};

const closeServer = ({ server, endHandshakes }: At, graceMs: number): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    endHandshakes();
    if (graceMs === 0) server.closeAllConnections();
    else server.closeIdleConnections();
  });

const portOf = ({ server }: At): number => {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
};

/** IPv6 may be missing on a machine; an address requested explicitly may not. */
const isAbsentFamily = (host: string, error: unknown): boolean =>
  (host === "::1" || host === "::") && ["EADDRNOTAVAIL", "EAFNOSUPPORT", "EINVAL"].includes(codeOf(error));

const addressesOf = async (hosts: readonly string[]): Promise<string[]> => {
  if (hosts.every((host) => isIP(host) !== 0)) return [...new Set(hosts)];
  const { lookup } = await import("node:dns/promises");
  const found = await Promise.all(
    hosts.map(async (host) => (isIP(host) === 0 ? await lookup(host, { all: true }) : [{ address: host }])),
  );
  return [...new Set(found.flat().map(({ address }) => address))];
};

const listenOnAll = async (served: Served, hosts: readonly string[], port: number): Promise<At[]> => {
  const servers: At[] = [];
  try {
    for (const host of await addressesOf(hosts)) {
      const [first] = servers;
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

const startError = (error: unknown, hosts: readonly string[], port: number, flag: string, where = ""): unknown => {
  const code = codeOf(error);
  const another = `Choose another port with ${flag}`;
  if (code === "EADDRINUSE") {
    const text = `Port ${port} is already in use${where}. ${another}, or 0 for any free port.`;
    return new StartError("port_in_use", text, { port });
  }
  if (code === "EACCES")
    return new StartError("port_denied", `Port ${port} requires other permissions. ${another}.`, { port });
  if (!["EADDRNOTAVAIL", "ENOTFOUND", "EAI_AGAIN", "EINVAL"].includes(code)) return error;
  const text = `This machine does not have the address ${hosts.join(", ")} (see ${flag.replace("port", "host")}).`;
  return new StartError("address_unavailable", text);
};

const begin = async (served: Served, hosts: readonly string[], port: number, flag: string): Promise<At[]> => {
  for (let tries = 1; ; tries++) {
    try {
      return await listenOnAll(served, hosts, port);
    } catch (error) {
      if (codeOf(error) === "EADDRINUSE" && port === 0 && tries < FREE_PORT_TRIES) continue;
      throw startError(error, hosts, port, flag);
    }
  }
};

/**
 * @param hosts addresses, all with the same port. @param port 0: any that is free on all of them.
 * @param flag the option that changes the port, for the error. @param security absent: plain HTTP. @param onOtherScheme called for a client that speaks the other one.
 * @throws StartError
 */
export const listen = async (
  app: HttpApp,
  hosts: readonly string[],
  port: number,
  flag: string,
  limits: ListenLimits = LIMITS,
  security?: Security,
  onOtherScheme?: OnOtherScheme,
): Promise<Listening> => {
  const connections = new Connections(limits.connections);
  const served: Served = { app, classes: messageClasses(app), limits, connections, security, onOtherScheme };
  let servers = await begin(served, hosts, port, flag);
  const [first] = servers;
  if (first === undefined)
    throw new StartError("address_unavailable", `This machine has none of the addresses ${hosts.join(", ")}.`);
  const own = portOf(first);
  return {
    port: own,
    get hosts() {
      return servers.map(({ host }) => host);
    },
    add: async (host) => {
      const added = await listenOnce(served, host, own).catch((error: unknown) => {
        throw startError(error, [host], own, flag, ` on ${host}`);
      });
      servers = [...servers, added];
    },
    remove: async (host) => {
      const removed = servers.filter((server) => server.host === host);
      servers = servers.filter((server) => server.host !== host);
      await Promise.all(removed.map((server) => closeServer(server, 0)));
    },
    renew: (certificate) => {
      if (security === undefined) return;
      security.certificate = certificate;
      for (const { server } of servers) if ("setSecureContext" in server) server.setSecureContext(certificate);
    },
    close: async (graceMs) => {
      await Promise.all(servers.map((server) => closeServer(server, graceMs)));
    },
  };
};

/**
 * @param hosts where the console listens. @param allowed additional names that it accepts.
 * @param addresses of the machine.
 * @returns names and IPv4 addresses, in the form of a Content-Security-Policy, which cannot name IPv6 addresses.
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
