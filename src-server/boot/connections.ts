/**
 * The connections of one listener: a bounded number of them. Where one too many comes, the one that is least missed is
 * closed, so that a new client gets in whoever holds the others (CONTRACT 5).
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { BOUNDS } from "#contract/bounds.ts";

/** So few idle connections may all be new clients, whose request is on its way. */
const FRESH = 16;

/** The requests of a connection that wait for their answer. */
interface Asked {
  /** The newest of them. */
  request: IncomingMessage;
  count: number;
}

/** @see file */
export class Connections {
  /** Without a request whose head has come, the longest so first. */
  readonly #idle = new Set<Socket>();
  /** With one, the oldest first. */
  readonly #asking = new Map<Socket, Asked>();
  readonly #most: number;

  /** @param most connections at a time. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Takes a new connection; another, or where all are being answered this one, is closed if there are too many. */
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

  /** Has the socket of TLS stand for the connection once its handshake is over. @param plain the one below it. */
  replace(plain: Socket | undefined, secure: Socket): void {
    if (plain !== undefined) this.#forget(plain);
    this.admit(secure);
  }

  /** Notes a request. @returns whether it may be answered: not where too many of its connection wait already. */
  ask(request: IncomingMessage, response: ServerResponse): boolean {
    const { socket } = request;
    // What came along with the request that was one too many.
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

  /** The longest idle; where few are idle, who may just have come, first one whose request has been coming for longest. */
  #leastMissed(): Socket | undefined {
    const [idle] = this.#idle;
    if (this.#idle.size > FRESH) return idle;
    for (const [socket, { request }] of this.#asking) if (!request.complete) return socket;
    return idle;
  }
}
