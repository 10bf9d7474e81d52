/** Heavy requests: the queue in front of them, what an import may weigh, and answers that are sent as they are read. */
import { EventEmitter } from "node:events";
import type { Response } from "express";
import { afterEach, describe, expect, test, vi } from "vitest";
import { BOUNDS } from "#contract/bounds.ts";
import { routes } from "#contract/control/routes.ts";
import { sendPieces } from "#http/answering/send-pieces.ts";
import { jsonPieces } from "#http/answering/slices.ts";
import { createSteps } from "#http/checks.ts";
import type { Deps } from "#http/deps.ts";
import type { Answers, PendingCall } from "#http/handler.ts";
import { HeavyQueue } from "#http/heavy-queue.ts";

afterEach(() => void vi.useRealTimers());

/** A queue, and the names of what has started. */
const queueOf = () => {
  const queue = new HeavyQueue();
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const stand = (name: string, appId: string, isBound = false): Promise<boolean> => {
    const turn = queue.turn({ appId, kind: name.slice(1, 2), isBound }, (giveUp) => ends.set(name, giveUp));
    void turn.then((isIn) => isIn && started.push(name));
    return turn;
  };
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await Promise.resolve();
    await Promise.resolve();
  };
  return { stand, end, started };
};

describe("the queue", () => {
  test("two run at a time, one of each app, in turn by app", async () => {
    const { stand, end, started } = queueOf();
    for (const name of ["a1", "a2", "a3", "b1", "b2", "c1"]) void stand(name, name.slice(0, 1));
    await end("nothing");
    expect(started).toEqual(["a1", "b1"]);
    await end("a1");
    expect(started).toEqual(["a1", "b1", "c1"]);
    await end("c1");
    expect(started).toEqual(["a1", "b1", "c1", "a2"]);
    await end("b1");
    expect(started).toEqual(["a1", "b1", "c1", "a2", "b2"]);
    await end("a2");
    await end("b2");
    expect(started.at(-1)).toBe("a3");
  });

  test("the kinds of an app take turns, so that a search does not wait for all imports", async () => {
    const { stand, end, started } = queueOf();
    const names = ["ai1", "ai2", "ai3", "as1", "as2", "ae1"];
    for (const name of names) void stand(name, "a");
    for (let n = 0; n < names.length; n++) await end(started.at(-1) ?? "nothing");
    expect(started).toEqual(["ai1", "as1", "ae1", "ai2", "as2", "ai3"]);
  });

  test("tokens of others never take both places", async () => {
    const { stand, end, started } = queueOf();
    void stand("x", "x", true);
    void stand("y", "y", true);
    await end("nothing");
    expect(started).toEqual(["x"]);
    void stand("owner", "");
    await end("nothing");
    expect(started).toEqual(["x", "owner"]);
  });

  test("after 30 s it is too late, and a client that left has no place", async () => {
    vi.useFakeTimers();
    const { stand, end, started } = queueOf();
    void stand("a1", "a");
    const late = stand("a2", "a");
    void stand("a3", "a");
    await end("a3");
    await vi.advanceTimersByTimeAsync(BOUNDS.heavyWaitMs.most);
    expect(await late).toBe(false);
    await end("a1");
    expect(started).toEqual(["a1"]);
  });
});

test("a client that has left before it stands in the queue takes nobody's place", async () => {
  // Safe: the step of the queue asks nothing else.
  const deps = { store: { world: { apps: [] } } } as unknown as Deps;
  const steps = createSteps("console", deps, {} as Answers)(routes.readState, undefined);
  const stand = async (res: object) => {
    const req = { url: "/emulator/v1/state" };
    const pending = { operation: routes.readState, holder: undefined, raw: {}, req, res } as unknown as PendingCall;
    return await steps[1]?.run(pending);
  };
  const there = () => Object.assign(new EventEmitter(), { closed: false, destroyed: false });
  expect(await stand(Object.assign(there(), { closed: true }))).toEqual({ code: "busy" });
  const [first, second] = [there(), there()];
  expect(await stand(first)).toBeUndefined();
  const waiting = stand(second);
  first.emit("close");
  expect(await waiting).toBeUndefined();
});

/** A client that reads only when told. */
class Client extends EventEmitter {
  writableLength = 0;
  destroyed = false;
  most = 0;
  text = "";
  readonly socket = {
    destroy: () => {
      this.destroyed = true;
      this.emit("close");
    },
  };

  write(bytes: Buffer): void {
    this.text += bytes.toString();
    this.writableLength += bytes.length;
    this.most = Math.max(this.most, this.writableLength);
  }

  end(text: string): void {
    this.text += text;
  }

  read(): void {
    this.writableLength = 0;
    this.emit("drain");
  }
}

const send = (client: Client, value: object) => {
  const told: string[] = [];
  const how = { whole: (text: string) => void told.push(text), begin: () => void told.push("head") };
  // Safe: nothing else of it is used.
  const sent = sendPieces(client as unknown as Response, jsonPieces(value, 2), how);
  return { sent, told };
};
const LONG = Array.from({ length: 40_000 }, (_, id) => ({ id, name: "x".repeat(100) }));

describe("a long answer", () => {
  test("waits with at most 1 MiB and a piece for its client", async () => {
    const client = new Client();
    let isDone = false;
    const { sent } = send(client, LONG);
    void sent.then(() => {
      isDone = true;
    });
    while (!isDone) {
      await new Promise((resolve) => setImmediate(resolve));
      client.read();
    }
    expect(client.most).toBeLessThan(BOUNDS.waitingBytes.most + 200_000);
    expect(JSON.parse(client.text)).toEqual(LONG);
  });

  test("is closed if its client reads nothing for 10 s", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const client = new Client();
    const { sent } = send(client, LONG);
    while (client.listenerCount("drain") === 0) await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(BOUNDS.heavyStallMs.most);
    await sent;
    expect(client.destroyed).toBe(true);
  });

  test("that is short is sent as a whole", async () => {
    const { sent, told } = send(new Client(), { a: [1, { b: undefined }], c: undefined });
    expect(await sent).toBeUndefined();
    expect(told).toEqual(['{"a":[1,{}]}']);
  });
});
