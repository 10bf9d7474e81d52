/** Import, export, data directory and copying, from the menu's clicks to a server's control API. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { copyNewestCode, exportState, importState, openDataFolder } from "../../src-main/control.ts";
import { answers, copied, opened, questions, renew } from "./electron-stand-in.ts";

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
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  consoleUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : address}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

const reply = (line: string, body: unknown, status = 200): unknown => replies.set(line, { status, body });

test("exports the state as JSON to the chosen file, and nothing without one", async () => {
  reply("GET /emulator/v1/state", { version: 1, apps: [] });
  await exportState(consoleUrl);
  expect(asked).toEqual([]);
  const file = join(folder, "state.json");
  answers.push(file);
  await exportState(consoleUrl);
  expect(await readFile(file, "utf8")).toBe('{\n  "version": 1,\n  "apps": []\n}\n');
});

test.each([
  ["Merge", "merge"],
  ["Replace", "replace"],
])("imports a file: %s", async (label, mode) => {
  const file = join(folder, "state.json");
  await writeFile(file, '\uFEFF{"version": 1, "apps": []}');
  reply("PUT /emulator/v1/state", {});
  answers.push(file, label);
  await importState(consoleUrl);
  expect(asked).toMatchObject([{ line: "PUT /emulator/v1/state", type: "application/json", origin: undefined }]);
  expect(JSON.parse(asked[0]?.body ?? "")).toEqual({ mode, state: { version: 1, apps: [] } });
});

test("imports nothing without a file, with malformed JSON, or after Cancel", async () => {
  await importState(consoleUrl);
  const file = join(folder, "state.json");
  await writeFile(file, "not JSON");
  answers.push(file);
  await expect(importState(consoleUrl)).rejects.toThrow(/JSON/);
  expect(questions).toEqual([]);
  await writeFile(file, "{}");
  answers.push(file, "Cancel");
  await importState(consoleUrl);
  expect(asked).toEqual([]);
});

test("shows the server's words when it rejects a file", async () => {
  const file = join(folder, "state.json");
  await writeFile(file, "{}");
  answers.push(file, "Merge");
  reply("PUT /emulator/v1/state", { "apps[0].x": ["is unknown", "is too long"], version: ["is missing"] }, 422);
  await expect(importState(consoleUrl)).rejects.toThrow("apps[0].x is unknown, is too long; version is missing");
});

test("opens the data directory, or says that there is none", async () => {
  reply("GET /emulator/v1/status", { dataDir: folder });
  await openDataFolder(consoleUrl);
  expect(opened).toEqual([folder]);
  reply("GET /emulator/v1/status", { dataDir: null });
  await expect(openDataFolder(consoleUrl)).rejects.toThrow("keeps no data");
});

test("copies the newest code, or says that there is none", async () => {
  reply("GET /emulator/v1/passcodes?status=active&limit=1", { items: [{ code: "123456" }], total: 1 });
  await copyNewestCode(consoleUrl);
  expect(copied).toEqual(["123456"]);
  reply("GET /emulator/v1/passcodes?status=active&limit=1", { items: [], total: 0 });
  await expect(copyNewestCode(consoleUrl)).rejects.toThrow("No code is active. Request one first.");
  expect(copied).toEqual(["123456"]);
});
