/** What a run does to services that answer in ways nobody expected: each deviation alone, and every two together. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Send } from "#programs/conform/measure/service.ts";
import { DEVIATIONS, startDeviantServices, WAYS } from "../deviant-service.ts";
import { measureAt, overHttp } from "../support.ts";

let host: Awaited<ReturnType<typeof startDeviantServices>>;
beforeAll(async () => {
  host = await startDeviantServices();
});
afterAll(() => host.close());

const NAMES = Object.keys(DEVIATIONS);
const PAIRS = NAMES.flatMap((one, at) => NAMES.slice(at + 1).map((other) => [one, other]));
/** No request of a run may wait longer than this, in ms. */
const LATEST = 10_000;

/** Measures, and pretends that a late response took the whole time. @returns the result, and the time waited in ms. */
const run = async (names: readonly string[]) => {
  const service = host.service(names);
  let ms = 0;
  const send: Send = async (request, timeoutMs) => {
    const reply = await overHttp(request);
    if (reply.headers["late"] === undefined) return reply;
    expect(timeoutMs).toBeLessThanOrEqual(LATEST);
    ms += timeoutMs;
    throw new Error("none within 10 s");
  };
  const sleep = async (waited: number): Promise<void> => {
    ms += waited;
  };
  const found = await measureAt(service.urls, sleep, { send });
  return { ...found, service, ms };
};

test("a service without deviations: every profile is deleted", async () => {
  const { service, stopped, left, rows } = await run([]);
  expect([stopped, left, service.people.length]).toEqual([null, [], 7]);
  expect(rows.filter(({ verdict }) => verdict === "default").length).toBeGreaterThan(15);
});

test.each([...NAMES.map((name) => [name]), ...PAIRS])(
  "%s, %s: names each profile that is left, and ends",
  async (...names) => {
    const { service, stopped, left, isTidy, ms } = await run(names.filter(Boolean));
    const text = [stopped, ...left].join("\n");
    const rest = service.people.filter(({ name }) => !String(name).startsWith("Resident"));
    const unnamed = rest.filter(({ id, name, phone }) => {
      const words = [`/v1/profiles/${id} `, `/v1/profiles/user-${id} `, `"${name}"`, `"${phone}"`];
      return !words.some((word) => text.includes(word));
    });
    expect(unnamed, text).toEqual([]);
    expect(service.people.length - rest.length).toBe(7);
    expect(rest.length).toBeLessThanOrEqual(30);
    if (rest.length > 0) expect(isTidy).toBe(false);
    if (isTidy && stopped === null) expect(rest).toEqual([]);
    expect(service.requests()).toBeLessThan(500);
    expect(ms).toBeLessThan(5 * 60_000);
  },
);

const EXPECTED: Readonly<Record<string, readonly [question: string, seen: unknown]>> = {
  "pages count from 0": ["list.firstPage", 0],
  "pages have 6 profiles at most": ["list.maxLimit", 6],
  "sorted by name": ["list.order", "noSetting"],
  "sorted by updatedAt": ["list.order", "noSetting"],
  "in another order each time": ["list.order", "noSetting"],
  "times are days, the day first": ["list.order", "oldest"],
  "times are epoch seconds": ["Are times ISO 8601 in UTC?", "noSetting"],
  "422 is JSON:API": ["errors.fields", "noSetting"],
  "expiration is 0": ["session.expiration", "noSetting"],
};

test.each(Object.keys(WAYS))("%s: the row says so", async (name) => {
  const { rows, isTidy } = await run([name]);
  const [subject, seen] = EXPECTED[name] ?? [];
  const row = rows.find(({ setting, question }) => subject === (setting ?? question));
  expect([isTidy, row?.observed ?? row?.verdict], JSON.stringify(row)).toEqual([true, seen]);
  const order = rows.find(({ setting }) => setting === "list.order");
  if (name.startsWith("times are epoch")) expect(order?.observed).toBe("oldest");
  if (name.includes("at most")) expect(rows.find(({ setting }) => setting === "list.overLimit")?.observed).toBe("cut");
});
