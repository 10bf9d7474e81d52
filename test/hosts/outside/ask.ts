/** Asks a Stagedoor as programs elsewhere do: by its public URLs, over HTTP/1.1 or HTTP/2. */
import { once } from "node:events";
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from "node:http";
import { type ClientHttp2Session, connect } from "node:http2";
import { request as requestTls } from "node:https";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { connect as connectTls } from "node:tls";

/** What to send. An object body is sent as JSON. */
export interface Sent {
  readonly method?: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A response before its body. */
export interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable;
}

/** A client of one version of HTTP. */
export interface Client {
  /** @param url as outside. */
  ask(url: string, sent?: Sent): Promise<Received>;
  close(): void;
}

/** Where a proxy listens, whatever the name; its certificate, which must be valid for the name. */
export interface Proxied {
  readonly port: number;
  readonly ca: string;
}

const withBody = ({ body, headers = {} }: Sent): [content: string | undefined, headers: OutgoingHttpHeaders] => {
  if (body === undefined) return [undefined, headers];
  const content = JSON.stringify(body);
  return [content, { "content-type": "application/json", "content-length": Buffer.byteLength(content), ...headers }];
};

/** @param proxied absent: the URLs are asked where they say. @returns a client with a connection per request. */
export const overHttp1 = (proxied?: Proxied): Client => ({
  ask: async (url, sent = {}) => {
    const { host, hostname } = new URL(url);
    const [content, headers] = withBody(sent);
    const options = { method: sent.method ?? "GET", headers: { host, ...headers }, agent: false };
    const asked =
      proxied === undefined
        ? request(url, options)
        : requestTls(url, { ...options, ...proxied, hostname: "127.0.0.1", servername: hostname });
    asked.end(content);
    const [response] = await once(asked, "response");
    return { status: response.statusCode, headers: response.headers, body: response };
  },
  close: () => undefined,
});

/** @returns a client that asks each name over one connection, as a browser does. */
export const overHttp2 = ({ port, ca }: Proxied): Client => {
  const sessions = new Map<string, ClientHttp2Session>();
  const sessionOf = (origin: string): ClientHttp2Session => {
    const known = sessions.get(origin);
    if (known !== undefined) return known;
    const servername = new URL(origin).hostname;
    const socket = () => connectTls({ host: "127.0.0.1", port, ca, servername, ALPNProtocols: ["h2"] });
    const session = connect(origin, { createConnection: socket });
    // Each of its requests fails with the reason.
    session.on("error", () => undefined);
    sessions.set(origin, session);
    return session;
  };
  return {
    ask: async (url, sent = {}) => {
      const { origin, host, pathname, search } = new URL(url);
      const [content, headers] = withBody(sent);
      const session = sessionOf(origin);
      const stream = session.request({
        ...headers,
        ":authority": host,
        ":method": sent.method ?? "GET",
        ":path": pathname + search,
      });
      stream.end(content);
      const [{ ":status": status, ...rest }] = await once(stream, "response");
      return { status, headers: rest, body: stream };
    },
    close: () => {
      for (const session of sessions.values()) session.destroy();
    },
  };
};

/** @returns the whole response. `json`: undefined unless it is JSON. */
export const whole = async ({ status, headers, body }: Received) => {
  const all = await text(body);
  const isJson = headers["content-type"]?.startsWith("application/json") === true;
  return { status, headers, text: all, json: isJson ? JSON.parse(all) : undefined };
};
