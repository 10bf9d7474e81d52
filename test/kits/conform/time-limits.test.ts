/** The limit of a request of conform holds, and does not depend on what the garbage collector leaves. */
import type { RequestListener } from "node:http";
import { describe, expect, test } from "vitest";
import { createSender } from "#kits/conform/sender.ts";
import { listenWith } from "#test/http/tokens/backends.ts";
import { collectGarbage } from "#test/support/garbage.ts";

const LIMIT_MS = 200;
const LONG_MS = 600_000;

const silent: RequestListener = () => undefined;
/** Sends a head and the beginning of a body, then nothing. */
const stalling: RequestListener = (_req, res) => void res.writeHead(200).write("begun");

describe.each([
  ["never answers", silent],
  ["stalls in the middle of its answer", stalling],
])("a backend that %s", (_how, listener) => {
  /** Begins a wait, and collects garbage meanwhile. @param hasArrived what has to be so first */
  const amidGarbage = async <T>(
    waiting: Promise<T>,
    hasArrived: () => boolean = () => true,
  ): Promise<() => Promise<T>> => {
    await expect.poll(hasArrived).toBe(true);
    await collectGarbage();
    return () => waiting;
  };
  const send = (url: string, timeoutMs: number, ended: AbortSignal) =>
    createSender(ended)({ method: "GET", url, headers: {}, body: null }, timeoutMs).catch(String);

  test("holds conform only until the limit of a request, or until it is interrupted", async () => {
    const backend = await listenWith(() => listener);
    const ended = new AbortController();
    const limited = await amidGarbage(send(backend.url, LIMIT_MS, ended.signal));
    expect(await limited()).toBe("Error: none within 1 s");
    const before = backend.seen.length;
    const left = await amidGarbage(send(backend.url, LONG_MS, ended.signal), () => backend.seen.length > before);
    ended.abort(new Error("Interrupted."));
    expect(await left()).toBe("Error: Interrupted.");
  });
});
