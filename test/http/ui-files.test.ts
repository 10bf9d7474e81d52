import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, get, type IncomingHttpHeaders, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import express from "express";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SCREENS } from "#contract/screens.ts";
import { createUi } from "#http/ui.ts";

const SCRIPT = "export const x = 1;\n".repeat(100);
let dir = "";
let server: Server;
let port = 0;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "stagedoor-ui-"));
  await mkdir(join(dir, "assets"));
  await writeFile(join(dir, "index.html"), "<!doctype html><title>Stagedoor</title>");
  await writeFile(join(dir, "assets/a.js"), SCRIPT);
  await writeFile(join(dir, "assets/a.js.br"), brotliCompressSync(SCRIPT));
  await writeFile(join(dir, "assets/a.js.gz"), gzipSync(SCRIPT));
  await writeFile(join(dir, "assets/small.js"), "1;");
  const app = express();
  app.use(createUi(dir, () => ["http://127.0.0.1:4011"]));
  server = createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  port = typeof address === "object" ? (address?.port ?? 0) : 0;
});
afterAll(async () => {
  server.close();
  await rm(dir, { recursive: true });
});

/** Not `fetch`, which decodes what it reads. */
const ask = (path: string, headers: Record<string, string> = {}) =>
  new Promise<{ status: number; headers: IncomingHttpHeaders; body: Buffer }>((resolve, reject) => {
    get({ host: "127.0.0.1", port, path, headers }, (res) => {
      const chunks: Buffer[] = [];
      res.on("data", (chunk: Buffer) => chunks.push(chunk));
      res.on("end", () => resolve({ status: res.statusCode ?? 0, headers: res.headers, body: Buffer.concat(chunks) }));
    }).on("error", reject);
  });

describe("the pages of the console", () => {
  test.each(["/", ...SCREENS.flatMap((screen) => [`/${screen}`, `/${screen}/some-id`])])("%s is one", async (path) => {
    expect((await ask(path)).status).toBe(200);
  });

  test.each(["/metrics", "/health", "/docs", "/inboxes", "/inbox/a/b", "//inbox", "/api", "/INBOX"])(
    "%s is none, also for a browser",
    async (path) => {
      expect((await ask(path)).status).toBe(404);
      expect((await ask(path, { accept: "text/html,*/*" })).status).toBe(404);
    },
  );

  test("a browser that asks for a page that is not there gets the UI, a program does not", async () => {
    expect((await ask("/nowhere", { accept: "text/html" })).headers["content-security-policy"]).toContain("'none'");
    expect((await ask("/nowhere")).headers["content-security-policy"] ?? "").not.toContain("nonce");
  });
});

describe("the files of the console", () => {
  test.each([
    ["gzip, deflate, br, zstd", "br", brotliCompressSync(SCRIPT)],
    ["gzip", "gzip", gzipSync(SCRIPT)],
    ["br;q=0, gzip;q=0.5", "gzip", gzipSync(SCRIPT)],
    ["identity", undefined, Buffer.from(SCRIPT)],
    ["zstd", undefined, Buffer.from(SCRIPT)],
  ])("for %s come as %s", async (accepted, encoding, body) => {
    const reply = await ask("/assets/a.js", { "accept-encoding": accepted });
    expect(reply.status).toBe(200);
    expect(reply.headers["content-encoding"]).toBe(encoding);
    expect(reply.headers["content-type"]).toBe("text/javascript; charset=utf-8");
    expect(reply.headers.vary).toBe("Accept-Encoding");
    expect(reply.headers["cache-control"]).toContain("immutable");
    expect(reply.body.equals(body)).toBe(true);
  });

  test("have an ETag for each form, and answer 304 to it", async () => {
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

  test("that the build did not compress come as they are", async () => {
    const reply = await ask("/assets/small.js", { "accept-encoding": "br" });
    expect(reply.headers["content-encoding"]).toBeUndefined();
    expect(reply.body.toString()).toBe("1;");
  });
});
