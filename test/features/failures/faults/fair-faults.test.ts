/** On a shared instance no job takes the room for faults, weather and provoked outcomes from others, or from the owner. */
import { describe, expect, test } from "vitest";
import { type Job, sharedInstance } from "#test/attack/shared.ts";

const KIB = 1_024;
const { owner, job } = sharedInstance({
  appFaults: 5,
  appFaultBytes: 20 * KIB,
  faults: 6,
  faultBytes: 30 * KIB,
  pageBytes: 8 * KIB,
});
const add = async ({ call }: Pick<Job, "call">, more: object = {}) =>
  await call("POST", "/faults", { effect: { status: 503 }, match: { path: "/v1/profiles" }, ...more });
const body = (bytes: number) => ({ effect: { status: 503, body: "x".repeat(bytes) } });
const end = async (...jobs: readonly Job[]) => {
  for (const { appId } of jobs) await owner("DELETE", `/apps/${appId}`);
};

describe("each bound is said with its 429, and takes nothing from anybody else:", () => {
  test("the number of faults of an app", async () => {
    const [greedy, other] = [await job(), await job()];
    for (let n = 0; n < 5; n++) expect((await add(greedy)).status).toBe(201);
    const refused = await add(greedy);
    expect([refused.status, refused.reason]).toEqual([429, "too_many_faults"]);
    expect(refused.json.instruction).toBe(
      "The token of an app sets at most 5 faults. Delete some first. Nothing was changed.",
    );
    expect((await add(other)).status).toBe(201);
    expect((await other.call("PUT", "/weather", { name: "tunnel" })).status).toBe(200);
    expect((await other.call("POST", "/coverage/provoke", { outcome: "serverError" })).status).toBe(200);
    // The owner can set one in the app, too.
    expect((await add({ call: owner }, { match: { appId: greedy.appId } })).status).toBe(201);
    await end(greedy, other);
  });

  test("the bytes of an app's faults", async () => {
    const [greedy, other] = [await job(), await job()];
    expect((await add(greedy, body(15 * KIB))).status).toBe(201);
    const refused = await add(greedy, body(6 * KIB));
    expect([refused.status, refused.json.instruction]).toEqual([
      429,
      "The token of an app sets at most 20,480 bytes of faults. Delete some first. Nothing was changed.",
    ]);
    expect((await add(greedy, body(KIB))).status).toBe(201);
    expect((await add(other, body(15 * KIB))).status).toBe(201);
    await end(greedy, other);
  });

  test("what the owner has set, in number and bytes; used-up ones make room first", async () => {
    for (let n = 0; n < 6; n++) expect((await add({ call: owner })).status).toBe(201);
    expect((await add({ call: owner })).json.instruction).toBe(
      "Stagedoor keeps at most 6 faults. Delete some first. Nothing was changed.",
    );
    await owner("DELETE", "/faults");
    expect((await add({ call: owner }, body(25 * KIB))).status).toBe(201);
    expect((await add({ call: owner }, body(6 * KIB))).json.instruction).toMatch(/at most 30,720 bytes of faults/);
    await owner("DELETE", "/faults");
  });
});

test("a 429 on PUT `weather` leaves the weather that was on", async () => {
  const one = await job();
  expect((await one.call("PUT", "/weather", { name: "deploy" })).status).toBe(200);
  const { items } = (await one.call("GET", "/weather")).json;
  for (let n = 0; n < 4; n++) await add(one);
  // Three faults, of which there is room for one, that of the deployment gone.
  expect((await one.call("PUT", "/weather", { name: "rush-hour" })).status).toBe(429);
  expect((await one.call("GET", "/weather")).json.items).toEqual(items);
  // As many as before have room.
  expect((await one.call("PUT", "/weather", { name: "deploy", seed: 1 })).status).toBe(200);
  await end(one);
});

test("a 429 on `provoke` leaves no profile", async () => {
  const one = await job();
  for (let n = 0; n < 5; n++) await add(one);
  const refused = await one.call("POST", "/coverage/provoke", { outcome: "locked", to: "+12025550133" });
  expect(refused.status).toBe(429);
  expect((await one.call("GET", "/profiles")).json.total).toBe(0);
  await one.call("DELETE", "/faults");
  const provoke = async () => await one.call("POST", "/coverage/provoke", { outcome: "locked", to: "+12025550133" });
  expect((await provoke()).status).toBe(200);
  for (let n = 0; n < 4; n++) await add(one);
  // The same again takes the place of the one before.
  expect((await provoke()).status).toBe(200);
  expect((await one.call("GET", "/faults")).json.total).toBe(5);
  await end(one);
});

test("GET `faults` is paged by number and by bytes, and all pages are all faults", async () => {
  const one = await job();
  for (let n = 0; n < 5; n++) expect((await add(one, body(3 * KIB))).status).toBe(201);
  for (const [limit, pages] of [
    ["", [3, 2]],
    ["limit=2", [2, 2, 1]],
  ] as const) {
    const seen: string[] = [];
    const sizes: number[] = [];
    for (let after: string | undefined = ""; after !== undefined; ) {
      // biome-ignore lint/suspicious/noExplicitAny: as a client reads it
      const page: any = (await one.call("GET", `/faults?${limit}${after}`)).json;
      expect(page.total).toBe(5);
      sizes.push(page.items.length);
      seen.push(...page.items.map(({ id }: { id: string }) => id));
      after = page.next === undefined ? undefined : `&after=${page.next}`;
    }
    expect([sizes, new Set(seen).size]).toEqual([pages, 5]);
  }
  expect((await one.call("GET", "/faults?after=00000000-0000-4000-8000-000000000000")).status).toBe(404);
  await end(one);
});
