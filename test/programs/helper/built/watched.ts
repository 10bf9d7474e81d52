/** The console through a proxy that measures how long a helper waits to be told why there is no code. */
import { createServer, request } from "node:http";
import { text } from "node:stream/consumers";
import { listen } from "#test/hosts/listen.ts";

/** An answer of `passcodes/latest` without a code. */
interface NoCode {
  readonly text: string;
  /** From the request to the whole answer. */
  readonly ms: number;
}

/** A running proxy. */
export interface Watched {
  readonly url: string;
  /** In the order in which they came. */
  readonly refusals: readonly NoCode[];
  close(): void;
}

/** @param consoleUrl where all requests go on to. */
export const watch = async (consoleUrl: string): Promise<Watched> => {
  const refusals: NoCode[] = [];
  const { host, hostname, port } = new URL(consoleUrl);
  const server = createServer((req, res) => {
    const { method, url = "/" } = req;
    const sentAt = performance.now();
    const headers = { ...req.headers, host };
    const onward = request({ hostname, port, method, path: url, headers }, async (answer) => {
      const body = await text(answer);
      if (url.includes("/passcodes/latest?") && answer.statusCode !== 200)
        refusals.push({ text: body, ms: performance.now() - sentAt });
      // The body is whole here, so it has a length.
      const { "transfer-encoding": _, ...rest } = answer.headers;
      res.writeHead(answer.statusCode ?? 502, rest).end(body);
    });
    onward.on("error", () => res.destroy());
    req.pipe(onward);
  });
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    refusals,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
