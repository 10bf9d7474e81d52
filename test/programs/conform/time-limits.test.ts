/** The limit of a request of conform holds, and does not depend on what the garbage collector leaves. */
import { describe, expect, test } from "vitest";
import { createSender } from "#programs/conform/sender.ts";
import { listenWith, MUTE } from "#test/http/tokens/backends.ts";
import { amidGarbage } from "#test/support/garbage.ts";

const LIMIT_MS = 200;
const LONG_MS = 600_000;

describe.each(MUTE)("a backend that %s", (_how, listener) => {
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
