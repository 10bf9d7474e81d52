/** Sends requests that fetch would refuse to send: any path, any method, any bytes. */
import { type Agent, type IncomingHttpHeaders, request } from "node:http";

/** The request. */
export interface Sent {
  readonly method: string;
  /** Path and query exactly as in the request line. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: Buffer;
}

/** The response. */
export interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/**
 * @param base URL of the listener. @param timeoutMs of silence; default: no limit.
 * @returns the response; of an event stream only its start. @throws Error without one.
 */
export const send = (
  agent: Agent,
  base: string,
  { method, target, headers, body }: Sent,
  timeoutMs?: number,
): Promise<Received> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(base);
    const host = hostname.replace(/^\[|\]$/g, "");
    const outgoing = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, typeof value === "string" ? value : [...value]]),
    );
    const req = request({ agent, hostname: host, port, method, path: target, headers: outgoing }, (res) => {
      const chunks: Buffer[] = [];
      const done = (): void =>
        resolve({ status: res.statusCode ?? 0, headers: res.headers, text: Buffer.concat(chunks).toString() });
      res.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        if (res.headers["content-type"]?.startsWith("text/event-stream") === true) {
          done();
          req.destroy();
        }
      });
      res.on("end", done);
      res.on("error", reject);
    });
    if (timeoutMs !== undefined)
      req.setTimeout(timeoutMs, () => req.destroy(new Error(`no answer within ${timeoutMs} ms`)));
    req.on("error", reject);
    if (body === undefined) req.end();
    else {
      if (headers["Transfer-Encoding"] === undefined) req.setHeader("Content-Length", body.length);
      req.end(body);
    }
  });
