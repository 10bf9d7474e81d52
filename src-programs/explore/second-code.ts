/** `twocodes`: a newer code is sent as soon as the command has read the first, and before it can use it. */
import { createServer, request } from "node:http";
import { pipeline } from "node:stream/promises";
import type { Client } from "#client/client.ts";

/**
 * Stands between the command and the console, and holds back what shows the first code until the second has been sent.
 * @param faultId of the fault that the POST of the first code meets. @param port of the command's console; 0: any.
 * @returns its URL, whether the second code was sent, and what closes it.
 */
export const secondCode = async (client: Client, consoleUrl: string, faultId: string, port: number) => {
  let sending: Promise<unknown> | undefined;
  const see = async (text: string): Promise<void> => {
    if (sending === undefined && (await client.faults.get(faultId)).used > 0) {
      const [first] = (await client.passcodes.list({ limit: 1 })).items;
      if (first !== undefined && text.includes(first.code))
        sending ??= client.passcodes.send({ appId: first.appId, userId: first.userId });
    }
    await sending;
  };
  const server = createServer((req, res) => {
    const { "accept-encoding": _, ...headers } = req.headers;
    const onward = request(new URL(req.url ?? "/", consoleUrl), { method: req.method ?? "GET", headers });
    onward.on("response", (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers).flushHeaders();
      const held = async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          await see(chunk.toString());
          yield chunk;
        }
      };
      pipeline(answer, held, res).catch(() => res.destroy());
    });
    res.on("close", () => onward.destroy());
    pipeline(req, onward).catch(() => res.destroy());
  });
  await new Promise<void>((done, fail) => server.once("error", fail).listen(port, "127.0.0.1", done));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : port}`,
    wasSent: () => sending !== undefined,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
