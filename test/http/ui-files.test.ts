import { createServer, get, type IncomingHttpHeaders, type Server } from "node:http";
import { brotliCompressSync, gzipSync } from "node:zlib";
import express from "express";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SCREENS } from "#contract/control/screens.ts";
import { createUi } from "#http/answering/ui.ts";
import { listen } from "#test/hosts/listen.ts";

const SCRIPT = "export const x = 1;\n".repeat(100);
const FILES = new Map([
  ["index.html", Buffer.from("<!doctype html><title>Stagedoor</title>")],
  ["assets/a.js", Buffer.from(SCRIPT)],
  ["assets/a.js.br", brotliCompressSync(SCRIPT)],
  ["assets/a.js.gz", gzipSync(SCRIPT)],
  ["assets/small.js", Buffer.from("1;")],
  ["assets/once.js.gz", gzipSync(SCRIPT)],
]);
let server: Server;
let port = 0;

beforeAll(async () => {
  const app = express();
  app.use(
    createUi(
      (path) => FILES.get(path),
      () => ["http://127.0.0.1:4011"],
    ),
  );
  server = createServer(app);
  port = await listen(server);
});
afterAll(() => void server.close());

/** Unlike `fetch`, does not decompress. */
const ask = (path: string, headers: Record<string, string> = {}) =>
  new Promise<{ status: number; headers: IncomingHttpHeaders; body: Buffer }>((resolve, reject) => {
    get({ host: "127.0.0.1", port, path, headers }, (res) => {
      const chunks: Buffer[] = [];
      res.on("data", (chunk: Buffer) => chunks.push(chunk));
      res.on("end", () => resolve({ status: res.statusCode ?? 0, headers: res.headers, body: Buffer.concat(chunks) }));
    }).on("error", reject);
  });

describe("console pages", () => {
  test.each(["/", ...SCREENS.flatMap((screen) => [`/${screen}`, `/${screen}/some-id`])])("%s exists", async (path) => {
    expect((await ask(path)).status).toBe(200);
  });

  test.each(["/metrics", "/health", "/docs", "/inboxes", "/inbox/a/b", "//inbox", "/api", "/INBOX"])(
    "%s does not exist, not even for a browser",
    async (path) => {
      expect((await ask(path)).status).toBe(404);
      expect((await ask(path, { accept: "text/html,*/*" })).status).toBe(404);
    },
  );

  test.each([
    ["/inbox", "/codes"],
    ["/inbox/1a?app=demo-app&show=failed", "/codes/1a?app=demo-app&show=failed"],
    ["/sessions/1a", "/users/sessions/1a"],
    ["/requests/1a?show=logins", "/codes/1a"],
    ["/sessions?app=a&show=keys", "/setup/keys?app=a"],
    ["/profiles/new?q=a%20b", "/users/new?q=a%20b"],
    ["/coverage?show=exploration", "/requests/exploration"],
    ["/coverage?show=missing", "/requests/outcomes?show=missing"],
    ["/fixtures?show=import", "/setup/data?show=import"],
    ["/faults/new?show=slow", "/simulate/new?show=slow"],
  ])("%s is now %s", async (path, to) => {
    const { status, headers } = await ask(path);
    expect([status, headers.location]).toEqual([302, to]);
  });

  test("an unknown page shows the UI to a browser, but not to a program", async () => {
    expect((await ask("/nowhere", { accept: "text/html" })).headers["content-security-policy"]).toContain("'none'");
    expect((await ask("/nowhere")).headers["content-security-policy"] ?? "").not.toContain("nonce");
  });
});

describe("console files", () => {
  test.each([
    ["gzip, deflate, br, zstd", "br", brotliCompressSync(SCRIPT)],
    ["gzip", "gzip", gzipSync(SCRIPT)],
    ["br;q=0, gzip;q=0.5", "gzip", gzipSync(SCRIPT)],
    ["identity", undefined, Buffer.from(SCRIPT)],
    ["zstd", undefined, Buffer.from(SCRIPT)],
  ])("for Accept-Encoding %s are sent as %s", async (accepted, encoding, body) => {
    const reply = await ask("/assets/a.js", { "accept-encoding": accepted });
    expect(reply.status).toBe(200);
    expect(reply.headers["content-encoding"]).toBe(encoding);
    expect(reply.headers["content-type"]).toBe("text/javascript; charset=utf-8");
    expect(reply.headers.vary).toBe("Accept-Encoding");
    expect(reply.headers["cache-control"]).toContain("immutable");
    expect(reply.body.equals(body)).toBe(true);
  });

  test("have an ETag per encoding, which can return 304", async () => {
    const tags = await Promise.all(
      ["br", "gzip", "identity"].map(
        async (accepted) => (await ask("/assets/a.js", { "accept-encoding": accepted })).headers.etag ?? "",
      ),
    );
    expect(new Set(tags).size).toBe(3);
    const again = await ask("/assets/a.js", { "accept-encoding": "br", "if-none-match": tags[0] ?? "" });
    expect(again.status).toBe(304);
    expect(again.headers.vary).toBe("Accept-Encoding");
  });

  test("are sent as they are if the build did not compress them", async () => {
    const reply = await ask("/assets/small.js", { "accept-encoding": "br" });
    expect(reply.headers["content-encoding"]).toBeUndefined();
    expect(reply.body.toString()).toBe("1;");
  });

  test("that are there in one form only, as in the single executable, are sent in it, or unpacked", async () => {
    const packed = await ask("/assets/once.js", { "accept-encoding": "br, gzip" });
    expect(packed.headers["content-encoding"]).toBe("gzip");
    const plain = await ask("/assets/once.js", { "accept-encoding": "identity" });
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(plain.body.toString()).toBe(SCRIPT);
    expect(plain.headers["content-type"]).toBe("text/javascript; charset=utf-8");
  });
});
