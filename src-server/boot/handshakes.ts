/**
 * The TLS handshakes of one server: bounded like all its connections, and what became of those that no connection came of.
 */
import type { Server } from "node:https";
import type { Socket } from "node:net";
import type { Connections } from "./connections.ts";

/** `refused`: the client does not trust the certificate (alerts 42 to 48). `aborted`: anything else. */
type HandshakeFailure = "refused" | "aborted";
/** Told of a handshake that failed. @param remote the address of the client. */
export type OnHandshakeFailure = (remote: string, how: HandshakeFailure) => void;

/** Both sockets of a connection, the plain one below TLS and that of TLS, have the same. */
const keyOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

/** @returns whether this is an alert about the certificate: bad, unsupported, revoked, expired, unknown, illegal, unknown CA. */
const isRefusal = (error: Error): boolean => /\bSSL alert number 4[2-8]\b/.test(error.message);

/** Follows the handshakes of a server. @returns what ends those under way. */
export const followHandshakes = (server: Server, connections: Connections, tell: OnHandshakeFailure): (() => void) => {
  const underWay = new Map<string, Socket>();
  /** Those of them that the client refused; the second for clients that were gone before we could look who they are. */
  const refused = new Set<string>();
  let refusedUnseen = 0;
  const takeRefusal = (key: string): boolean => refused.delete(key) || (refusedUnseen > 0 && refusedUnseen-- > 0);
  server.on("connection", (socket: Socket) => {
    connections.admit(socket);
    if (socket.destroyed) return;
    const [key, remote] = [keyOf(socket), socket.remoteAddress];
    underWay.set(key, socket);
    socket.once("close", () => {
      if (underWay.get(key) !== socket) return;
      underWay.delete(key);
      // Whoever only looks whether the port is open says nothing.
      if (remote !== undefined && socket.bytesRead > 0) tell(remote, takeRefusal(key) ? "refused" : "aborted");
    });
  });
  server.on("secureConnection", (secure) => {
    const key = keyOf(secure);
    connections.replace(underWay.get(key), secure);
    underWay.delete(key);
  });
  server.on("tlsClientError", (error, secure) => {
    if (!isRefusal(error)) return;
    if (secure.remoteAddress === undefined) refusedUnseen++;
    else refused.add(keyOf(secure));
  });
  return () => {
    const sockets = [...underWay.values()];
    underWay.clear();
    for (const socket of sockets) socket.destroy();
  };
};
