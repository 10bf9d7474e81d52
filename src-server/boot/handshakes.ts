/** The TLS handshakes of one server: limited like all its connections, and reported if they fail. */
import type { Server } from "node:https";
import type { Socket } from "node:net";
import type { Connections } from "./connections.ts";
import { answerPlain, type OnOtherScheme } from "./other-scheme.ts";

/**
 * Called for a failed handshake. @param remote the address of the client. @param how `refused`: the client does not
 * trust the certificate (alerts 42 to 48); `aborted`: anything else.
 */
export type OnHandshakeFailure = (remote: string, how: "refused" | "aborted") => void;

/** Identical for both sockets of a connection, the plain one and the TLS one. */
const socketKey = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

/** @returns whether this is a certificate alert: bad, unsupported, revoked, expired, unknown, illegal, unknown CA. */
const isRefusal = (error: Error): boolean => /\bSSL alert number 4[2-8]\b/.test(error.message);

/** Tracks the handshakes of a server. @returns a function that aborts the unfinished ones. */
export const followHandshakes = (
  server: Server,
  connections: Connections,
  tell: OnHandshakeFailure,
  onOtherScheme?: OnOtherScheme,
): (() => void) => {
  const underWay = new Map<string, Socket>();
  /** Those refused by the client; the second set is for clients that disconnected before their address was read. */
  const refused = new Set<string>();
  let refusedUnseen = 0;
  const takeRefusal = (key: string): boolean => refused.delete(key) || (refusedUnseen > 0 && refusedUnseen-- > 0);
  server.on("connection", (socket: Socket) => {
    connections.admit(socket);
    if (socket.destroyed) return;
    const key = socketKey(socket);
    const remote = socket.remoteAddress;
    underWay.set(key, socket);
    socket.once("close", () => {
      if (underWay.get(key) !== socket) return;
      underWay.delete(key);
      // A port scan sends nothing, and is not reported.
      if (remote !== undefined && socket.bytesRead > 0) tell(remote, takeRefusal(key) ? "refused" : "aborted");
    });
  });
  server.on("secureConnection", (secure) => {
    const key = socketKey(secure);
    connections.replace(underWay.get(key), secure);
    underWay.delete(key);
  });
  server.on("tlsClientError", (error, secure) => {
    const plain =
      "code" in error && error.code === "ERR_SSL_HTTP_REQUEST" ? underWay.get(socketKey(secure)) : undefined;
    if (plain !== undefined) {
      onOtherScheme?.(plain);
      answerPlain(plain);
    }
    if (!isRefusal(error)) return;
    if (secure.remoteAddress === undefined) refusedUnseen++;
    else refused.add(socketKey(secure));
  });
  return () => {
    const sockets = [...underWay.values()];
    underWay.clear();
    for (const socket of sockets) socket.destroy();
  };
};
