/** Nothing of one request can be seen by another; a request without a body has none, whoever sent one before. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RunningServer } from "#server/server.ts";
import { type Call, caller } from "#test/hosts/client.ts";
import { startInProcess } from "#test/hosts/in-process.ts";

let server: RunningServer;
const stopped: string[] = [];
beforeAll(async () => {
  server = await startInProcess({
    config: { consoleHost: "127.0.0.1", accessToken: "whole-console", joinToken: "join-the-others" },
    stop: () => stopped.push("stop"),
  });
});
afterAll(() => server.close());

const as = (token: string): Call =>
  caller(() => `${server.urls.console}/emulator/v1`, { Authorization: `Bearer ${token}` });
const whole = as("whole-console");
const newApp = async (): Promise<Call> =>
  as((await as("join-the-others")("POST", "/apps", { ttlSeconds: 3_600 })).json.accessToken);

test("requests without a body of one token leave nothing behind for those of others", async () => {
  const [one, other] = [await newApp(), await newApp()];
  // Operations that read the app from the body, and from `match` in it.
  expect((await one("POST", "/faults")).json).toEqual({ effect: ["can't be blank"] });
  expect((await one("POST", "/mark")).status).toBe(200);
  expect((await other("POST", "/mark")).status).toBe(200);
  expect((await other("POST", "/profiles")).status).toBe(201);
  for (const path of ["/faults", "/state", "/requests"]) {
    const { status, text } = await whole("DELETE", path);
    expect([status, text], path).toEqual([204, ""]);
  }
  expect((await whole("POST", "/stop")).status).toBe(200);
  expect(stopped).toEqual(["stop"]);
});
