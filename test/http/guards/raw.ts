/** Speaks to a port in bytes, to send what no HTTP client would. */
import { connect } from "node:net";

/** The response before the connection was closed. */
export interface RawReply {
  /** 0: nothing that looks like a response. */
  readonly status: number;
  readonly head: string;
  readonly body: string;
  /** All of it, in case of several responses. */
  readonly text: string;
}

const parse = (text: string): RawReply => {
  const end = text.indexOf("\r\n\r\n");
  const head = end < 0 ? text : text.slice(0, end);
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0),
    head,
    body: end < 0 ? "" : text.slice(end + 4),
    text,
  };
};

/** @returns the port of a URL. */
export const portOf = (url: string): number => Number(new URL(url).port);

/**
 * @param lines of the head; adds `Connection: close` and the empty line.
 * @returns the response until the server closes or `ms` have passed.
 */
export const send = (url: string, lines: readonly string[], body = "", ms = 3_000): Promise<RawReply> =>
  sendBytes(url, `${[...lines, "Connection: close"].join("\r\n")}\r\n\r\n${body}`, ms);

/** Sends bytes as they are. */
export const sendBytes = (url: string, bytes: string, ms = 3_000, host = "127.0.0.1"): Promise<RawReply> =>
  new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(portOf(url), host, () => socket.write(bytes));
    const timer = setTimeout(() => socket.destroy(), ms);
    socket.setEncoding("utf8");
    socket.on("data", (chunk: string) => {
      text += chunk;
    });
    socket.once("error", (error: Error & { code?: string }) => {
      if (error.code !== "ECONNRESET" && error.code !== "EPIPE") reject(error);
    });
    socket.once("close", () => {
      clearTimeout(timer);
      resolve(parse(text));
    });
  });
