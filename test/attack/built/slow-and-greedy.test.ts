/** Slow and greedy clients: however many there are, a well-behaved client is served. */
import { afterEach, expect, test } from "vitest";
import { BOUNDS } from "#contract/bounds.ts";
import { until } from "#test/http/control/support.ts";
import { besideWellBehaved, type Held, headOf, hold, lasting, target } from "../support.ts";

const at = target();
const held: Held[] = [];
afterEach(() => {
  for (const attackers of held.splice(0)) attackers.release();
});
const holding = async (count: number, bytes?: string | Buffer): Promise<Held> => {
  const attackers = await hold(at.built.ready.authUrl, count, bytes);
  held.push(attackers);
  return attackers;
};
const POST = "POST /v1/users/session";
const JSON_HEAD = { "Content-Type": "application/json" };
/** Duration of an attack: dozens of requests of the well-behaved client, or hundreds. */
const LASTS_MS = 1_000;
/** Time limit, since the machine may be busy. */
const LONG = { timeout: 120_000 };

test("serves a well-behaved client alone", LONG, async () => {
  await besideWellBehaved(at, "nobody", () => lasting(LASTS_MS));
});

test("serves others beside 600 clients whose headers never end", LONG, async () => {
  await besideWellBehaved(at, "600 slow headers", async () => {
    const { sockets } = await holding(600, `${POST} HTTP/1.1\r\nHost: localhost\r\nX-Slow: `);
    for (let i = 0; i < 20; i++) {
      for (const socket of sockets) socket.write("x");
      await lasting(LASTS_MS / 20);
    }
  });
});

test("serves others beside 500 clients that hold bodies of 1 MiB, closing the largest", LONG, async () => {
  await besideWellBehaved(at, "500 held bodies of 1 MiB", async () => {
    const head = headOf(POST, { ...JSON_HEAD, "Content-Length": 1_048_576 });
    const attackers = await holding(500, Buffer.concat([Buffer.from(head), Buffer.alloc(1_048_575, " ")]));
    await until(
      () => attackers.open(),
      (open) => open <= BOUNDS.bodiesBytes.most / 1_048_576,
      60_000,
    );
    await lasting(LASTS_MS);
  });
  process.stdout.write(`500 held bodies of 1 MiB: ${at.residentMib()} MiB\n`);
  expect(at.residentMib()).toBeLessThan(400);
});

test("serves new clients beside 4,600 silent connections", LONG, async () => {
  await besideWellBehaved(at, "4,600 idle connections", async () => {
    const attackers = await holding(4_600);
    await until(
      () => attackers.open(),
      (open) => open <= BOUNDS.connections.most,
      60_000,
    );
    await lasting(LASTS_MS);
  });
});

/** 20 clients repeat a request in sequence. */
const repeating = (bytes: string) => async () => {
  const { sockets } = await holding(20, bytes);
  for (const socket of sockets) socket.on("data", () => socket.write(bytes));
  await lasting(LASTS_MS);
};

test("serves others beside 20 clients that send the worst Content-Type", LONG, async () => {
  const type = `application/json${" ".repeat(15_500)}x`;
  const request = `${headOf(POST, { "Content-Type": type, "Content-Length": 1 })}{`;
  await besideWellBehaved(at, "20 hostile media types", repeating(request));
});

test("serves others beside 20 clients that send as many headers as fit", LONG, async () => {
  const headers = Object.fromEntries(Array.from({ length: 1_500 }, (_, i) => [`h${i}`, ""]));
  await besideWellBehaved(at, "20 times 1,500 headers", repeating(headOf("GET /", headers)));
});

test("serves others beside 20 clients that pipeline 5,000 requests and read no response", LONG, async () => {
  await besideWellBehaved(at, "20 clients with 5,000 requests at once", async () => {
    await holding(20, headOf("GET /").repeat(5_000));
    await lasting(LASTS_MS);
  });
});

test("serves others beside 20 clients that send 1 MiB in chunks of one byte: memory stays limited", LONG, async () => {
  await besideWellBehaved(at, "20 bodies in chunks of one byte", async () => {
    await holding(20, headOf(POST, { ...JSON_HEAD, "Transfer-Encoding": "chunked" }) + "1\r\n \r\n".repeat(170_000));
    await lasting(LASTS_MS);
  });
  expect(at.residentMib()).toBeLessThan(400);
});
