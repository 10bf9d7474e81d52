/** A client that closes the connection before the response: the request was carried out, and nobody heard. */
import diagnostics from "node:diagnostics_channel";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { nodeFiles } from "#store/disk/files.ts";
import { harness } from "#test/http/control/support.ts";
import { afterFile } from "#test/support/cleanup.ts";
import { faultCalls } from "./fault-calls.ts";

/** The disk, which keeps the response waiting while it is held. */
let held: Promise<void> | undefined;
let asked = (): void => undefined;
const files = {
  ...nodeFiles,
  syncDataLater: async (fd: number): Promise<void> => {
    asked();
    await held;
    await nodeFiles.syncDataLater(fd);
  },
};
const dataDir = await mkdtemp(join(tmpdir(), "stagedoor-left-"));
afterFile(() => rmSync(dataDir, { recursive: true, force: true }));
const running = harness({ files, config: { dataDir, durability: "disk" } });
const { control, auth, app } = running;
const { set } = faultCalls(running);
const LOGIN = "/v1/users/session";

const newest = async (appId: string) => (await control("GET", `/requests?appId=${appId}&limit=1`)).json.items[0];

/** A user with a code. */
const withCode = async () => {
  const made = await app();
  const { phone } = await made.profile();
  expect(await made.ask(phone)).toBe(202);
  const { code } = (await control("GET", `/passcodes/latest?appId=${made.appId}&to=${encodeURIComponent(phone)}`)).json;
  const body = { appId: made.appId, user: { phone }, passcode: code };
  const leaving = (signal: AbortSignal): Promise<unknown> =>
    fetch(running.server.urls.auth + LOGIN, {
      method: "PUT",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal,
    }).catch(() => "left");
  return { ...made, leaving, enter: () => auth("PUT", LOGIN, body) };
};

test("the row says so, with what was carried out; the next PUT is told that the client left", async () => {
  const { appId, leaving, enter } = await withCode();
  let goOn = (): void => undefined;
  held = new Promise((resolve) => {
    goOn = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const client = new AbortController();
  let ended: Promise<unknown> | undefined;
  const note = (message: unknown): void => {
    const request = typeof message === "object" && message !== null && Reflect.get(message, "request");
    if (request instanceof IncomingMessage) ended ??= once(request.socket, "close");
  };
  diagnostics.subscribe("http.server.request.start", note);
  const answer = leaving(client.signal);
  await reached;
  diagnostics.unsubscribe("http.server.request.start", note);
  client.abort();
  expect(await answer).toBe("left");
  await ended;
  goOn();
  held = undefined;
  await expect.poll(async () => (await newest(appId)).method).toBe("PUT");
  const row = await newest(appId);
  expect(row).toMatchObject({
    status: 0,
    reason: null,
    left: true,
    fault: null,
    carriedOut: { status: 200, reason: null },
  });
  const lost = (await control("GET", `/requests?appId=${appId}&lost=1`)).json.items;
  expect(lost.map(({ id }: { id: string }) => id)).toEqual([row.id]);
  expect((await control("GET", `/sessions?appId=${appId}`)).json.items).toMatchObject([{ requestId: row.id }]);
  expect((await enter()).reason).toBe("passcode_used");
  expect((await newest(appId)).advice).toMatchObject([
    {
      code: "answer_lost",
      text: expect.stringContaining("carried out with status 200, but the client left before the response."),
    },
  ]);
});

test("also while a fault delays the response", async () => {
  const { appId, leaving, enter } = await withCode();
  await set({ delayMs: 60_000, after: true }, { appId, method: "PUT" }, 1);
  const client = new AbortController();
  const answer = leaving(client.signal);
  await expect.poll(async () => (await control("GET", `/sessions?appId=${appId}`)).json.total).toBe(1);
  client.abort();
  expect(await answer).toBe("left");
  await expect.poll(async () => (await newest(appId)).left).toBe(true);
  await enter();
  expect((await newest(appId)).advice[0].text).toContain("but the client left before the response.");
});
