/** Export, data directory and copying, from the menu's clicks to a server's control API. */
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { listen } from "#test/hosts/listen.ts";
import { openDataFolder } from "../../src-main/control.ts";
import { opened, renew } from "./electron-stand-in.ts";

vi.mock("electron", () => import("./electron-stand-in.ts"));

interface Reply {
  readonly status: number;
  readonly body: unknown;
}
interface Asked {
  readonly line: string;
  readonly type: string | undefined;
  readonly origin: string | undefined;
  readonly body: string;
}

const replies = new Map<string, Reply>();
const asked: Asked[] = [];
let server: Server;
let folder = "";
let consoleUrl = "";

beforeEach(async () => {
  renew("/data");
  replies.clear();
  asked.length = 0;
  folder = await mkdtemp(join(tmpdir(), "stagedoor-control-"));
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const line = `${request.method} ${request.url}`;
    const { "content-type": type, origin } = request.headers;
    asked.push({ line, type, origin, body: Buffer.concat(chunks).toString() });
    const { status, body } = replies.get(line) ?? { status: 404, body: { message: "nothing here" } };
    response
      .writeHead(status, { "content-type": "application/json", emulator: "stagedoor/0" })
      .end(JSON.stringify(body));
  });
  consoleUrl = `http://127.0.0.1:${await listen(server)}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

const reply = (line: string, body: unknown, status = 200): unknown => replies.set(line, { status, body });

test("opens the data directory, or says that there is none", async () => {
  reply("GET /emulator/v1/status", { dataDir: folder });
  await openDataFolder(consoleUrl);
  expect(opened).toEqual([folder]);
  reply("GET /emulator/v1/status", { dataDir: null });
  await expect(openDataFolder(consoleUrl)).rejects.toThrow("keeps no data");
});
