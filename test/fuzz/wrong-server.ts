/**
 * A deliberately wrong server, so that each check can be seen to fail: it answers the fuzzer's own questions like a
 * correct server, and the fuzzed request as configured.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonValue } from "#contract/scalars.ts";
import { ID } from "./seed.ts";

/** A response as configured by a test. */
export interface Told {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The state changes, whatever the response says. */
  readonly changes?: boolean;
  /** Writes fail from then on. */
  readonly breaks?: boolean;
}

/** The wrong server. */
export interface WrongServer {
  readonly url: string;
  close(): Promise<void>;
}

/** What a correct response on admin contains. */
export const RIGHT_HEADERS = {
  "Content-Type": "application/json; charset=utf-8",
  Emulator: "stagedoor/0.0.0-test",
  "Emulator-Request-Id": ID.missing,
};

/** @param told the response to the fuzzed request; everything else gets the correct one. */
export const startWrongServer = async (told: Told): Promise<WrongServer> => {
  let seq = 1;
  let broken = false;
  const json = (res: ServerResponse, status: number, body: JsonValue): void => {
    res.writeHead(status, RIGHT_HEADERS).end(JSON.stringify(body));
  };
  const answer = (req: IncomingMessage, res: ServerResponse, sent: string): void => {
    if (req.url === "/emulator/v1/status") json(res, 200, { seq });
    else if (req.url === "/emulator/v1/state" && req.method === "PUT") json(res, 200, {});
    else if (req.url?.endsWith("/token") === true) json(res, 200, { token: "a.b.c" });
    else if (req.url?.endsWith("/introspect") === true) json(res, 200, { active: true });
    else if (req.url === `/v1/profiles/${ID.witness}` && req.method === "PUT")
      json(res, broken ? 507 : 200, JSON.parse(sent));
    else {
      if (told.changes === true) seq++;
      broken = told.breaks === true;
      res.writeHead(told.status, told.headers ?? RIGHT_HEADERS).end(told.body);
    }
  };
  const server = createServer((req, res) => {
    let sent = "";
    req.setEncoding("utf8").on("data", (text: string) => {
      sent += text;
    });
    req.on("end", () => answer(req, res, sent));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
