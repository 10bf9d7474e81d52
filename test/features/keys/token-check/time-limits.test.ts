/** The limit of a call of a token check holds, and does not depend on what the garbage collector leaves. */
import { describe, expect, test } from "vitest";
import { checkTokens } from "#features/keys/token-check/check-tokens.ts";
import { listenWith, MUTE } from "#test/http/tokens/backends.ts";
import { amidGarbage } from "#test/support/garbage.ts";

const LIMIT_MS = 200;
const LONG_MS = 600_000;

describe.each(MUTE)("a backend that %s", (_how, listener) => {
  const check = (url: string, callMs: number, signal: AbortSignal) => {
    const tools = { sign: async () => "token", defects: [], addressError: () => undefined, callMs, signal };
    return checkTokens({ url }, tools);
  };
  test("holds a token check only until the limit of a call, or until its client is gone", async () => {
    const backend = await listenWith(() => listener);
    const gone = new AbortController();
    const limited = await amidGarbage(check(backend.url, LIMIT_MS, gone.signal));
    expect(await limited()).toMatchObject({ ok: false, error: "no response within 0.2 s" });
    const before = backend.seen.length;
    const left = await amidGarbage(check(backend.url, LONG_MS, gone.signal), () => backend.seen.length > before);
    gone.abort();
    expect(await left()).toMatchObject({ ok: false, items: [{ status: null }] });
  });
});
