import { once } from "node:events";
import { connect as connectTcp, type Socket } from "node:net";
import { connect, type TLSSocket } from "node:tls";
import express from "express";
import { afterEach, beforeAll, expect, test } from "vitest";
import { createAuthority, issueLeaf, type Leaf } from "#certificates/authority.ts";
import { type Listening, type ListenLimits, listen } from "#server/boot/listen.ts";

const LIMITS: ListenLimits = { headersMs: 10_000, requestMs: 10_000, checkMs: 50, connections: 3 };
const KEPT = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
let certificate: Leaf;
let listener: Listening | undefined;
const sockets: Socket[] = [];
const failures: string[] = [];
beforeAll(async () => {
  certificate = await issueLeaf(await createAuthority("test", Date.now()), ["localhost"], Date.now());
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await listener?.close(0);
  failures.length = 0;
});

const begin = async (limits: Partial<ListenLimits> = {}): Promise<number> => {
  const app = express().use((req, res) => {
    req.resume().once("end", () => res.end("ok"));
  });
  const security = { certificate, onFailure: (_remote: string, how: string) => void failures.push(how) };
  listener = await listen(app, ["127.0.0.1"], 0, "--test-port", { ...LIMITS, ...limits }, security);
  return listener.port;
};
/** @returns a TLS connection that has had one response. */
const ask = async (port: number): Promise<TLSSocket> => {
  const socket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false });
  sockets.push(socket);
  socket.on("error", () => undefined);
  socket.write(KEPT);
  await once(socket, "data");
  return socket.resume();
};
/** @returns a connection that sends nothing. */
const idle = async (port: number): Promise<Socket> => {
  const socket = connectTcp(port, "127.0.0.1");
  sockets.push(socket);
  socket.on("error", () => undefined).resume();
  await once(socket, "connect");
  return socket;
};

test("counts a connection once, during and after its handshake; one above the limit closes the longest idle", async () => {
  const port = await begin();
  const [first, second, third] = [await ask(port), await ask(port), await ask(port)];
  expect([first, second, third].map(({ closed }) => closed)).toEqual([false, false, false]);
  const closed = once(first, "close");
  const fourth = await ask(port);
  await closed;
  expect([second, third, fourth].map((socket) => socket.closed)).toEqual([false, false, false]);
});

test("closes connections that never start a handshake to make room for one that does", async () => {
  const port = await begin({ connections: 20 });
  for (let i = 0; i < 30; i++) await idle(port);
  expect((await ask(port)).closed).toBe(false);
});

test("times out a handshake that does not arrive, and slow headers", async () => {
  const port = await begin({ headersMs: 1_000 });
  const silent = await idle(port);
  await once(silent, "close");
  expect(failures).toEqual([]);
  const half = await idle(port);
  half.write(Buffer.from([0x16, 0x03, 0x01]));
  await once(half, "close");
  await expect.poll(() => failures).toEqual(["aborted"]);
  const slow = connect({ port, host: "127.0.0.1", rejectUnauthorized: false });
  sockets.push(slow);
  slow.write("GET / HTTP/1.1\r\nX-Slow");
  const [answer] = await once(slow, "data");
  expect(String(answer)).toContain("408");
});

test("closing ends open connections and unfinished handshakes", async () => {
  const port = await begin();
  const [answered, waiting] = [await ask(port), await idle(port)];
  const ended = [once(answered, "close"), once(waiting, "close")];
  await listener?.close(0);
  await Promise.all(ended);
});
