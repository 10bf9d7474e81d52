import { connect, type Socket } from "node:net";
import express from "express";
import { afterEach, describe, expect, test } from "vitest";
import { type Listening, type ListenLimits, LOOPBACK, listen } from "#server/boot/listen.ts";
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
  const { status } = await sendBytes(await limited(), "GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow", 30_000);
  expect(status).toBe(408);
});

test("a body that does not come is cut", async () => {
  const request = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{";
  const { status } = await sendBytes(await limited(), request, 30_000);
  expect(status).toBe(408);
});

describe("one connection too many", () => {
  const KEPT = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
  const HALF = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n{";

  /** Connections to a listener that takes three. @returns how to make one that has sent these bytes and was taken note of. */
  const connecting = async () => {
    const url = await limited();
    return async (bytes: string): Promise<Socket> => {
      const socket = connect(Number(new URL(url).port), "127.0.0.1");
      sockets.push(socket);
      socket.on("error", () => undefined).resume();
      socket.write(bytes);
      await new Promise((resolve) => socket.once("data", resolve));
      return socket;
    };
  };

  test("one connection too many closes the one idle longest, and the new one is answered", async () => {
    const open = await connecting();
    const [first, second, third] = [await open(KEPT), await open(KEPT), await open(KEPT)];
    // Whoever has asked since is not the one idle longest.
    first.write(KEPT);
    await new Promise((resolve) => first.once("data", resolve));
    await open(KEPT);
    await until(
      () => second.destroyed,
      (closed) => closed,
    );
    expect([first.destroyed, third.destroyed]).toEqual([false, false]);
  });

  test("where all have asked, it closes the one whose request has been unfinished longest", async () => {
    const open = await connecting();
    const [first, second] = [await open(HALF), await open(HALF), await open(HALF)];
    await open(KEPT);
    await until(
      () => first.destroyed,
      (closed) => closed,
    );
    expect(second.destroyed).toBe(false);
  });
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
