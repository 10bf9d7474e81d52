import { createServer } from "node:http";
import { expect, test } from "vitest";
import { z } from "zod";
import { tail } from "#server/commands/tail.ts";
import { listen } from "#test/hosts/listen.ts";

const ROW = {
  listener: "auth",
  at: "2026-01-01T00:00:00.000Z",
  method: "POST",
  path: "/v1/users/session",
  status: 202,
};

const event = (n: number, id: string): string => {
  const item = { ...ROW, id, reason: null, appId: "demo-app", durationMs: 1, more: n === 1 ? 2 : 0 };
  return `id: a-${n}\ndata: ${JSON.stringify({ type: "request.put", appId: "demo-app", seq: n, item })}\n\n`;
};

test.each(["before it answers", "in the middle of its answer"])(
  "waits for an emulator that goes away %s when asked for coalesced rows",
  async (when) => {
    let streams = 0;
    const server = createServer((req, res) => {
      if (req.url === "/emulator/v1/events") {
        streams++;
        res.writeHead(200, { Emulator: "stagedoor/0", "Content-Type": "text/event-stream" });
        res.write(streams === 1 ? event(1, "first") : event(2, "second"));
        return;
      }
      if (when === "before it answers") res.destroy();
      else {
        res.writeHead(200, { Emulator: "stagedoor/0", "Content-Type": "application/json", "Content-Length": "1000" });
        res.write('{"items":', () => res.destroy());
      }
      server.closeAllConnections();
    });
    const port = await listen(server);
    const stop = new AbortController();
    const said: string[] = [];
    const io = {
      out: () => undefined,
      json: (item: unknown) => {
        said.push(z.object({ id: z.string() }).parse(item).id);
        if (said.length === 2) stop.abort();
      },
      err: () => undefined,
      progress: () => undefined,
      ask: async () => null,
      input: async () => new Uint8Array(),
    };
    try {
      expect(await tail(io, stop.signal, { url: `http://127.0.0.1:${port}`, json: true })).toBe(0);
      expect(said).toEqual(["first", "second"]);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  },
);
