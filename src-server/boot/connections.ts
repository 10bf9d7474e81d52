/**
 * Limits the connections of one listener. Beyond the limit the least active one is closed, so that a new client gets in
 * whoever holds the others.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { BOUNDS } from "#contract/bounds.ts";

/** Up to this many idle connections may all be new clients whose request is on its way. */
const FRESH = 16;

/** Pending requests of a connection. */
interface Asked {
  /** The newest one. */
  request: IncomingMessage;
  count: number;
}

/** @see file */
export class Connections {
  /** Connections without a complete request head, longest first. */
  readonly #idle = new Set<Socket>();
  /** Connections with one, oldest first. */
  readonly #asking = new Map<Socket, Asked>();
  readonly #most: number;

  /** @param most maximum number of connections. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Accepts a connection. If there are too many, closes another one, or this one if all others are being served. */
  admit(socket: Socket): void {
    if (this.#idle.size + this.#asking.size >= this.#most) {
      const victim = this.#leastMissed() ?? socket;
      this.#forget(victim);
      victim.destroy();
      if (victim === socket) return;
    }
    this.#idle.add(socket);
    socket.once("close", () => this.#forget(socket));
  }

  /** Tracks the TLS socket instead of the plain one below it, once the handshake is complete. */
  replace(plain: Socket | undefined, secure: Socket): void {
    if (plain !== undefined) this.#forget(plain);
    this.admit(secure);
  }

  /** Registers a request. @returns whether it may be handled; false if its connection has too many pending. */
  ask(request: IncomingMessage, response: ServerResponse): boolean {
    const { socket } = request;
    // Requests pipelined after the one beyond the limit.
    if (socket.destroyed) return false;
    const asked = this.#asking.get(socket);
    if (asked === undefined) {
      this.#idle.delete(socket);
      this.#asking.set(socket, { request, count: 1 });
    } else if (asked.count >= BOUNDS.pipelined.most) {
      socket.destroy();
      return false;
    } else {
      asked.request = request;
      asked.count++;
    }
    response.once("close", () => this.#answered(socket));
    return true;
  }

  #answered(socket: Socket): void {
    const asked = this.#asking.get(socket);
    if (asked === undefined || --asked.count > 0) return;
    this.#asking.delete(socket);
    if (!socket.destroyed) this.#idle.add(socket);
  }

  #forget(socket: Socket): void {
    this.#idle.delete(socket);
    this.#asking.delete(socket);
  }

  /** The longest idle one; if few are idle, and possibly new, the one whose request has been arriving for longest. */
  #leastMissed(): Socket | undefined {
    const [idle] = this.#idle;
    if (this.#idle.size > FRESH) return idle;
    for (const [socket, { request }] of this.#asking) if (!request.complete) return socket;
    return idle;
  }
}
