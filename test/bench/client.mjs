/**
 * A lightweight HTTP/1.1 client for load tests: persistent connections, prepared requests, responses parsed no further
 * than necessary. It uses a fraction of the servers' processor time, so the servers are what is measured.
 */
import { connect } from "node:net";

/**
 * @typedef {object} Reply
 * @property {number} status
 * @property {string} body
 */

const HEAD_END = "\r\n\r\n";

/** One connection with one request at a time. */
class Connection {
  /** @param {number} port */
  constructor(port) {
    this.socket = connect({ host: "127.0.0.1", port, noDelay: true });
    /** @type {((reply: Reply) => void) | undefined} */
    this.resolve = undefined;
    /** @type {((error: Error) => void) | undefined} */
    this.reject = undefined;
    /** @type {Buffer[]} */
    this.chunks = [];
    this.got = 0;
    /** Size of the whole response in bytes, once its head has been read. */
    this.need = 0;
    this.headBytes = 0;
    this.status = 0;
    this.socket.on("data", (chunk) => this.take(chunk));
    this.socket.on("error", (error) => this.reject?.(error));
    this.socket.on("close", () => this.reject?.(new Error("The server closed the connection.")));
  }

  /** @param {Buffer} chunk */
  take(chunk) {
    this.chunks.push(chunk);
    this.got += chunk.length;
    if (this.need === 0 && !this.readHead()) return;
    if (this.got < this.need) return;
    const all = this.chunks.length === 1 ? chunk : Buffer.concat(this.chunks);
    const reply = { status: this.status, body: all.toString("utf8", this.headBytes, this.need) };
    this.chunks = [];
    this.got = 0;
    this.need = 0;
    this.resolve?.(reply);
  }

  /** @returns {boolean} whether the head is complete */
  readHead() {
    const all = this.chunks.length === 1 ? this.chunks[0] : Buffer.concat(this.chunks);
    const text = all?.toString("latin1") ?? "";
    const end = text.indexOf(HEAD_END);
    if (end < 0) return false;
    const head = text.slice(0, end);
    this.status = Number(head.slice(9, 12));
    this.headBytes = end + HEAD_END.length;
    this.need = this.headBytes + Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    return true;
  }

  /**
   * @param {Buffer} request
   * @returns {Promise<Reply>}
   */
  ask(request) {
    return new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
      this.socket.write(request);
    });
  }
}

/** Connections to the listeners of one server, for one worker. */
export class Client {
  constructor() {
    /** @type {Map<number, Connection>} */
    this.connections = new Map();
  }

  /**
   * @param {string} base `http://127.0.0.1:<port>`
   * @param {string} method
   * @param {string} path
   * @param {Record<string, string>} [headers]
   * @param {unknown} [body] sent as JSON
   * @returns {Promise<Reply>}
   */
  ask(base, method, path, headers = {}, body = undefined) {
    const port = Number(base.slice(base.lastIndexOf(":") + 1));
    let connection = this.connections.get(port);
    if (connection === undefined) {
      connection = new Connection(port);
      this.connections.set(port, connection);
    }
    let head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n`;
    for (const name in headers) head += `${name}: ${headers[name]}\r\n`;
    if (body === undefined) return connection.ask(Buffer.from(`${head}\r\n`));
    const text = JSON.stringify(body);
    head += `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n`;
    return connection.ask(Buffer.from(head + text));
  }

  /** Closes the connections. */
  close() {
    for (const { socket } of this.connections.values()) {
      socket.removeAllListeners("close");
      socket.destroy();
    }
    this.connections.clear();
  }
}
