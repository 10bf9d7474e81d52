import { connect, type Socket } from "node:net";
import express from "express";
import { afterEach, describe, expect, test } from "vitest";
import { type Listening, type ListenLimits, LOOPBACK, listen } from "#server/boot/listen.ts";
import { until } from "../control/support.ts";
import { sendBytes } from "./raw.ts";

const LIMITS: ListenLimits = { headersMs: 150, requestMs: 300, checkMs: 50, connections: 3 };
const open: Listening[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(open.splice(0).map((listener) => listener.close(0)));
});

/** A listener with short timeouts that responds once the body is complete. */
const limited = async (): Promise<string> => {
  const app = express().use((req, res) => {
    if (req.headers.expect !== undefined) res.writeContinue();
    req.resume().once("end", () => res.end("ok"));
  });
  const listener = await listen(app, LOOPBACK, 0, "--test-port", LIMITS);
  open.push(listener);
  return `http://127.0.0.1:${listener.port}`;
};

test("times out slow headers", async () => {
  const { status } = await sendBytes(await limited(), "GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow", 30_000);
  expect(status).toBe(408);
});

test("times out a body that does not arrive", async () => {
  const request = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{";
  const { status } = await sendBytes(await limited(), request, 30_000);
  expect(status).toBe(408);
});

describe("one connection too many", () => {
  const KEPT = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
  const HALF = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n{";

  /** Connections to a listener that allows three. @returns a function that opens one and sends these bytes. */
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

  test("closes the one idle longest and serves the new one", async () => {
    const open = await connecting();
    const [first, second, third] = [await open(KEPT), await open(KEPT), await open(KEPT)];
    // The one that has sent a request since is not idle longest.
    first.write(KEPT);
    await new Promise((resolve) => first.once("data", resolve));
    await open(KEPT);
    await until(
      () => second.destroyed,
      (closed) => closed,
    );
    expect([first.destroyed, third.destroyed]).toEqual([false, false]);
  });

  test("closes the one whose request has been incomplete longest, if none is idle", async () => {
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
