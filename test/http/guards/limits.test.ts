import { connect, type Socket } from "node:net";
import express from "express";
import { afterEach, expect, test } from "vitest";
import { type Listening, type ListenLimits, LOOPBACK, listen } from "#server/listen.ts";
import { stage, until } from "../control/support.ts";
import { send, sendBytes } from "./raw.ts";

const at = stage();
const { control, admin } = at;
const LIMITS: ListenLimits = { headersMs: 150, requestMs: 300, checkMs: 50, connections: 3 };
const open: Listening[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(open.splice(0).map((listener) => listener.close(0)));
});

/** A listener with short limits, that answers once the whole body is there. */
const limited = async (): Promise<string> => {
  const app = express().use((req, res) => {
    req.resume().once("end", () => res.end("ok"));
  });
  const listener = await listen(app, LOOPBACK, 0, "--test-port", LIMITS);
  open.push(listener);
  return `http://127.0.0.1:${listener.port}`;
};

test("slow headers are cut", async () => {
  const began = performance.now();
  const { status } = await sendBytes(await limited(), "GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow", 5_000);
  expect([0, 408]).toContain(status);
  expect(performance.now() - began).toBeLessThan(4_000);
});

test("a body that does not come is cut", async () => {
  const began = performance.now();
  const request = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{";
  const { status } = await sendBytes(await limited(), request, 5_000);
  expect([0, 408]).toContain(status);
  expect(performance.now() - began).toBeLessThan(4_000);
});

test("there is a limit to connections; room is made again", async () => {
  const url = await limited();
  const hold = (): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(Number(new URL(url).port), "127.0.0.1");
      sockets.push(socket);
      // Kept busy by half a request each, answered or cut later.
      socket.once("connect", () => socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"));
      socket.once("data", () => resolve(true));
      socket.once("close", () => resolve(false));
      socket.once("error", () => resolve(false));
    });
  expect([await hold(), await hold(), await hold()]).toEqual([true, true, true]);
  expect(await hold()).toBe(false);
  for (const socket of sockets.splice(0)) socket.destroy();
  expect(await until(hold, (taken) => taken)).toBe(true);
});

test("200 half requests hold nobody else up", async () => {
  const url = at.server.urls.admin;
  const half = Array.from({ length: 200 }, () => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.once("connect", () => socket.write("POST /v1/profiles HTTP/1.1\r\nHost: localhost\r\n"));
    sockets.push(socket);
    return socket;
  });
  await until(
    () => half.filter(({ connecting }) => connecting).length,
    (count) => count === 0,
  );
  expect((await admin("GET", "/v1/profiles")).status).toBe(200);
});

test("a body that is too large is refused while it still comes, and the client sees the answer", async () => {
  const before = (await control("GET", "/status")).json.seq;
  const size = 3_000_000;
  const head = ["POST /v1/profiles HTTP/1.1", "Host: localhost", "Authorization: Bearer sk_local_demo"];
  const body = "x".repeat(size);
  const json = "Content-Type: application/json";
  const declared = await send(at.server.urls.admin, [...head, json, `Content-Length: ${size}`], body);
  expect(declared.status).toBe(413);
  const chunked = await send(
    at.server.urls.admin,
    [...head, json, "Transfer-Encoding: chunked"],
    `${size.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
  );
  expect(chunked.status).toBe(413);
  expect((await control("GET", "/status")).json.seq).toBe(before);
  expect((await admin("POST", "/v1/profiles", { name: "innocent" })).status).toBe(201);
});
