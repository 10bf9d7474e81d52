/** The event stream reader, with streams that a server sends only if something is wrong. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { StagedoorError } from "#client/error.ts";
import { streamEvents } from "#client/events.ts";
import { fixedPlace } from "#client/place.ts";
import { createTokens } from "#client/tokens.ts";
import { segment, type Transport } from "#client/transport.ts";

type Stream = ReadableStream<Uint8Array>;

const streamOf = (texts: readonly string[], open = false): Stream =>
  new ReadableStream({
    start: (controller) => {
      for (const text of texts) controller.enqueue(new TextEncoder().encode(text));
      if (!open) controller.close();
    },
  });
const block = (id: string, seq: number): string =>
  `id: ${id}\ndata: ${JSON.stringify({ type: "state.put", appId: null, seq, item: null })}\n\n`;

/** Consecutive streams, and the Last-Event-ID that each was requested with. */
const transportOf = (...answers: (Stream | Error)[]): { transport: Transport; asked: (string | undefined)[] } => {
  const asked: (string | undefined)[] = [];
  const open: Transport["open"] = async (_method, path, call) => {
    expect(path).toBe(segment("events"));
    asked.push(call?.headers?.["Last-Event-ID"]);
    const answer = answers.shift() ?? streamOf([], true);
    if (answer instanceof Error) throw answer;
    return new Response(answer);
  };
  const never = (): never => {
    throw new Error("not asked in these tests");
  };
  const [place, tokens] = [fixedPlace("http://127.0.0.1:1"), createTokens(undefined)];
  return { transport: { place, tokens, open, ask: never, text: never, tell: never, ends: [] }, asked };
};

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** @returns the first events of a stream, with fake time running. */
const first = async (count: number, transport: Transport, options: Parameters<typeof streamEvents>[1] = {}) => {
  const events = streamEvents(transport, options);
  const seen: string[] = [];
  while (seen.length < count) {
    const next = events.next();
    const settled = next.then(
      () => true,
      () => true,
    );
    while (!(await Promise.race([settled, vi.advanceTimersByTimeAsync(100).then(() => false)])));
    const { value } = await next;
    if (value === undefined) break;
    seen.push(`${value.type} ${value.seq}`);
  }
  await events.return();
  return seen;
};

describe("the event stream", () => {
  test("reports a gap in the numbers as resync, within a stream and after a reconnect", async () => {
    const { transport, asked } = transportOf(
      streamOf([`id: a-4\n: connected\n\n${block("a-5", 1)}`, block("a-7", 2)]),
      streamOf([block("a-8", 3), block("b-9", 4)]),
    );
    const seen = await first(6, transport);
    expect(seen).toEqual(["state.put 1", "resync 2", "state.put 2", "state.put 3", "resync 4", "state.put 4"]);
    expect(asked).toEqual([undefined, "a-7"]);
  });

  test("parses events that arrive in pieces", async () => {
    const [text] = [block("a-1", 1)];
    const { transport } = transportOf(streamOf([text.slice(0, 9), text.slice(9, -1), "\n"]));
    expect(await first(1, transport)).toEqual(["state.put 1"]);
  });

  test("reconnects after a silence longer than the heartbeat interval", async () => {
    const { transport, asked } = transportOf(streamOf([block("a-1", 1)], true), streamOf([block("a-2", 2)]));
    const breaks: unknown[] = [];
    const seen = await first(2, transport, { onBreak: (error) => breaks.push(error) });
    expect(seen).toEqual(["state.put 1", "state.put 2"]);
    expect(asked).toEqual([undefined, "a-1"]);
    expect(breaks).toEqual([expect.objectContaining({ message: expect.stringContaining("silent") })]);
  });

  test("resumes after the last event, also if only a heartbeat came since", async () => {
    const { transport, asked } = transportOf(
      streamOf([block("a-1", 1), ": still here\n\n"]),
      streamOf([block("a-2", 2)]),
    );
    expect(await first(2, transport)).toEqual(["state.put 1", "state.put 2"]);
    expect(asked).toEqual([undefined, "a-1"]);
  });

  test("waits longer after each failure, up to four seconds", async () => {
    const away = () => new StagedoorError("No Stagedoor answers", 0, "unreachable");
    const { transport } = transportOf(away(), away(), away(), away(), away(), away(), streamOf([block("a-1", 1)]));
    const breaks: number[] = [];
    await first(1, transport, { persistent: true, onBreak: () => breaks.push(Date.now()) });
    expect(breaks.slice(1).map((ms, n) => ms - (breaks[n] ?? 0))).toEqual([500, 1_000, 2_000, 4_000, 4_000]);
  });

  test("leaves no timer behind when the loop ends", async () => {
    const { transport } = transportOf(streamOf([block("a-1", 1), block("a-2", 2)], true));
    expect(await first(2, transport)).toEqual(["state.put 1", "state.put 2"]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("throws an error response, or retries if it is persistent", async () => {
    const refused = () => new StagedoorError("GET events: 429", 429, "too_many_streams");
    await expect(first(1, transportOf(refused()).transport)).rejects.toThrow("429");
    const { transport } = transportOf(refused(), refused(), streamOf([block("a-1", 1)]));
    expect(await first(1, transport, { persistent: true })).toEqual(["state.put 1"]);
  });
});
