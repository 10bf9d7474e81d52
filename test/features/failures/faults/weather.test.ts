/** Faults that are left to chance, and weather, which is a named list of faults. */
import { describe, expect, test } from "vitest";
import { WEATHER } from "#contract/service/weather.ts";
import { freshPhone, handClock, harness, until } from "#test/http/control/support.ts";
import { openEvents } from "#test/http/events/event-stream.ts";

const clock = handClock();
const running = harness({ now: clock.now });
const { control, auth, app } = running;
const LOGIN = "/v1/users/session";
const PROFILES = "/v1/profiles";

/** An app, and calls that concern it alone. */
const place = async (fields: object = {}) => {
  const { appId, admin, profile } = await app(fields);
  return {
    appId,
    profile,
    /** @returns the statuses of so many requests; 0: no answer. */
    statuses: async (count: number): Promise<number[]> => {
      const all: number[] = [];
      for (let n = 0; n < count; n++)
        all.push(
          await admin("GET", `${PROFILES}?limit=${n + 1}`).then(
            ({ status }) => status,
            () => 0,
          ),
        );
      return all;
    },
    fault: async (fault: object) => {
      const made = await control("POST", "/faults", { match: { appId }, ...fault });
      expect([made.status, made.text]).toEqual([201, expect.any(String)]);
      return made.json;
    },
    read: async (id: string) => (await control("GET", `/faults/${id}`)).json,
    set: (name: string, more: object = {}) => control("PUT", "/weather", { appId, name, ...more }),
    weather: async () => (await control("GET", `/weather?appId=${appId}`)).json,
    clear: () => control("DELETE", `/weather?appId=${appId}`),
  };
};

describe("probability and seed", () => {
  test("the same seed makes the same choices, request for request; another seed makes others", async () => {
    const seen: string[] = [];
    for (const seed of [42, "42", "another"]) {
      const { fault, statuses, read } = await place();
      const { id } = await fault({ effect: { status: 503 }, probability: 0.5, seed });
      const all = await statuses(40);
      seen.push(all.join(" "));
      const used = all.filter((status) => status === 503).length;
      expect(await read(id)).toMatchObject({ seed, used, passed: 40 - used });
      expect(used).toBeGreaterThan(10);
      expect(used).toBeLessThan(30);
    }
    expect(seen[1]).toBe(seen[0]);
    expect(seen[2]).not.toBe(seen[0]);
  });

  test("without a seed one is drawn and shown, with which the same choices can be made again", async () => {
    const { fault, statuses } = await place();
    const { seed, id } = await fault({ effect: { status: 503 }, probability: 0.5 });
    expect(seed).toMatch(/^\d{9}$/);
    const first = await statuses(20);
    await control("DELETE", `/faults/${id}`);
    await fault({ effect: { status: 503 }, probability: 0.5, seed });
    expect(await statuses(20)).toEqual(first);
    expect(await fault({ effect: { status: 503 } })).not.toHaveProperty("seed");
  });

  test("a deterministic app draws the same seeds", async () => {
    const seeds: string[][] = [];
    for (let n = 0; n < 2; n++) {
      const { fault, appId } = await place({ appId: "determined", settings: { deterministic: { seed: 7 } } });
      const one = { effect: { status: 503 }, probability: 0.5 };
      seeds.push([(await fault(one)).seed, (await fault(one)).seed]);
      await control("DELETE", `/apps/${appId}`);
    }
    expect(seeds[1]).toEqual(seeds[0]);
    expect(new Set(seeds[0]).size).toBe(2);
  });

  test("what a fault lets pass meets the next one; times counts only what it applied to", async () => {
    const { fault, statuses, read } = await place();
    const rare = await fault({ effect: { status: 503 }, probability: 0, times: 1 });
    const sure = await fault({ effect: { status: 502 }, probability: 1, times: 2 });
    expect(await statuses(3)).toEqual([502, 502, 200]);
    expect(await read(rare.id)).toMatchObject({ used: 0, passed: 3, remaining: 1 });
    expect(await read(sure.id)).toMatchObject({ used: 2, remaining: 0 });
  });

  test("a range is drawn from: the same delays for the same seed", async () => {
    const arrivals: number[][] = [];
    for (let n = 0; n < 2; n++) {
      const { appId, profile, fault } = await place();
      await fault({ effect: { deliverAfterMs: { from: 15_000, to: 90_000 } }, seed: 1 });
      const all: number[] = [];
      for (let m = 0; m < 10; m++) {
        const { phone } = await profile({ phone: freshPhone() });
        await auth("POST", LOGIN, { appId, user: { phone } });
        const to = encodeURIComponent(phone);
        const { arrivesAt } = (await control("GET", `/passcodes/latest?appId=${appId}&to=${to}&status=any`)).json;
        all.push(Date.parse(arrivesAt) - clock.now());
      }
      arrivals.push(all);
      expect(Math.min(...all)).toBeGreaterThanOrEqual(15_000);
      expect(Math.max(...all)).toBeLessThanOrEqual(90_000);
      expect(new Set(all).size).toBeGreaterThan(5);
    }
    expect(arrivals[1]).toEqual(arrivals[0]);
  });

  test("a scenario of a user can be left to chance, too", async () => {
    const { appId, profile } = await place();
    const scenario = { effect: { status: 503 }, probability: 0, seed: "x" };
    const { phone } = await profile({ phone: freshPhone(), scenario });
    expect((await auth("POST", LOGIN, { appId, user: { phone } })).status).toBe(202);
  });

  test("a cycle: only for the first part of each period, in real time since it was set", async () => {
    const { fault, statuses } = await place();
    clock.tick(12_345);
    await fault({ effect: { status: 503 }, cycle: { everyMs: 60_000, forMs: 10_000 } });
    const seen: number[] = [];
    for (const ms of [0, 9_999, 1, 49_999, 1, 10_000]) {
      clock.tick(ms);
      seen.push(...(await statuses(1)));
    }
    expect(seen).toEqual([503, 503, 200, 200, 503, 200]);
  });

  test("clockOffMs: the service's clock is wrong for these requests, and for no other", async () => {
    const { appId, fault } = await place();
    await fault({ effect: { clockOffMs: 180_000 } });
    const { headers } = await auth("POST", LOGIN, { appId, user: { phone: freshPhone() } });
    expect(headers.get("Date")).toBe(new Date(clock.now() + 180_000).toUTCString());
    const [session] = (await control("GET", `/sessions?appId=${appId}`)).json.items;
    expect(Date.parse(session.createdAt)).toBe(clock.now() + 180_000);
    expect((await control("GET", `/clock?appId=${appId}`)).json).toMatchObject({ offsetSeconds: 0 });
  });

  test.each([
    [{ effect: { status: 503 }, probability: 1.5 }, "probability"],
    [{ effect: { status: 503 }, probability: -0.1 }, "probability"],
    [{ effect: { status: 503 }, seed: "" }, "seed"],
    [{ effect: { status: 503 }, cycle: { everyMs: 10, forMs: 10 } }, "cycle.forMs"],
    [{ effect: { delayMs: { from: 20, to: 10 } } }, "effect.delayMs"],
    [{ effect: { deliverAfterMs: { from: 0, to: 10 } } }, "effect.deliverAfterMs.from"],
    [{ effect: { clockOffMs: 86_400_001 } }, "effect.clockOffMs"],
  ])("%j is refused", async (fault, field) => {
    const refused = await control("POST", "/faults", fault);
    expect([refused.status, Object.keys(refused.json)]).toEqual([422, [field]]);
  });
});

describe("weather", () => {
  test("the same seed gives the same tunnel, request for request: a fifth gets no answer", async () => {
    const seen: number[][] = [];
    for (let n = 0; n < 2; n++) {
      const { appId, set } = await place();
      await set("tunnel", { seed: 42 });
      // The delays are real: 0.5 to 4 s.
      const [before, after, slow] = (await control("GET", `/faults?appId=${appId}`)).json.items;
      expect([before.effect, after.effect]).toEqual([{ drop: true }, { drop: true, after: true }]);
      expect(before.probability + (1 - before.probability) * after.probability).toBeCloseTo(0.2);
      expect(slow.effect).toEqual({ delayMs: { from: 500, to: 4_000 } });
      await control("DELETE", `/faults/${slow.id}`);
      const all: number[] = [];
      for (let m = 0; m < 100; m++) {
        const user = { phone: `+1202555${String(m).padStart(4, "0")}` };
        all.push(
          await auth("POST", LOGIN, { appId, user }).then(
            ({ status }) => status,
            () => 0,
          ),
        );
      }
      seen.push(all);
    }
    expect(seen[1]).toEqual(seen[0]);
    const lost = seen[0]?.filter((status) => status === 0).length;
    expect(lost).toBeGreaterThan(10);
    expect(lost).toBeLessThan(30);
  });

  test("rush-hour: codes come after 15 to 90 s, some twice, some never", async () => {
    const { appId, profile, set } = await place();
    await set("rush-hour", { seed: 3 });
    const kinds: string[] = [];
    for (let n = 0; n < 100; n++) {
      const { phone } = await profile({ phone: freshPhone() });
      expect((await auth("POST", LOGIN, { appId, user: { phone } })).status).toBe(202);
    }
    const faults = (await control("GET", `/faults?appId=${appId}`)).json.items;
    const [never, twice, late] = faults.map(({ used }: { used: number }) => used);
    for (const { delivery } of (await control("GET", `/passcodes?appId=${appId}&limit=100`)).json.items)
      kinds.push(delivery);
    expect(never + twice + late).toBe(100);
    expect(kinds.filter((kind) => kind === "failed")).toHaveLength(never);
    expect(kinds.filter((kind) => kind === "pending")).toHaveLength(twice + late);
    expect([never, twice].every((count) => count > 0 && count < 25)).toBe(true);
  });

  test("deploy: 503 with Retry-After for 10 s of each minute", async () => {
    const { set, statuses } = await place();
    await set("deploy");
    expect(await statuses(2)).toEqual([503, 503]);
    clock.tick(10_000);
    expect(await statuses(2)).toEqual([200, 200]);
    clock.tick(50_000);
    expect(await statuses(1)).toEqual([503]);
  });

  test("bad-clock: 3 minutes off", async () => {
    const { appId, set } = await place();
    await set("bad-clock");
    await auth("POST", LOGIN, { appId, user: { phone: freshPhone() } });
    const [session] = (await control("GET", `/sessions?appId=${appId}`)).json.items;
    expect(Date.parse(session.createdAt) - clock.now()).toBe(180_000);
  });

  test("replaces the one that is on; calm and DELETE end it; faults of one's own stay", async () => {
    const { appId, set, weather, fault, statuses, clear } = await place();
    await fault({ effect: { status: 418 }, times: 1 });
    await set("tunnel");
    expect((await set("deploy", { seed: 5 })).json.items).toEqual([
      { appId, name: "deploy", seed: 5, until: null, faults: [expect.any(String)] },
    ]);
    // What was set for a purpose goes before the weather, also if it is set later.
    await fault({ effect: { status: 419 }, times: 1 });
    expect(await statuses(3)).toEqual([418, 419, 503]);
    expect((await set("calm")).json.items).toEqual([]);
    expect(await statuses(1)).toEqual([200]);
    await set("deploy");
    expect((await clear()).status).toBe(204);
    expect((await weather()).items).toEqual([]);
    expect((await control("GET", `/faults?appId=${appId}`)).json.total).toBe(2);
  });

  test("of one app concerns no other; for all apps it concerns each", async () => {
    const [one, other] = [await place(), await place()];
    await one.set("deploy");
    expect([await one.statuses(1), await other.statuses(1)]).toEqual([[503], [200]]);
    await one.clear();
    expect((await control("PUT", "/weather", { name: "deploy", seed: "s" })).json.items).toMatchObject([
      { appId: null, seed: "s" },
    ]);
    expect([await one.statuses(1), await other.statuses(1)]).toEqual([[503], [503]]);
    expect((await other.weather()).items).toHaveLength(1);
    expect((await control("DELETE", "/weather")).status).toBe(204);
    expect(await other.statuses(1)).toEqual([200]);
  });

  test("ends after its seconds, by itself and with an event", async () => {
    const { appId, set, weather, statuses } = await place();
    const stream = await openEvents(running.server.urls.console);
    const { until: end } = (await set("deploy", { seconds: 5 })).json.items[0];
    expect(Date.parse(end)).toBe(clock.now() + 5_000);
    const about = ({ appId: of }: { appId: string | null }) => of === appId;
    await until(() => stream.events.some((event) => about(event) && event.type === "fault.put"), Boolean);
    expect(stream.events.find(about)?.item).toMatchObject({ weather: { name: "deploy", until: end } });
    clock.tick(4_999);
    expect(await statuses(1)).toEqual([503]);
    clock.tick(1);
    expect(await statuses(1)).toEqual([200]);
    expect((await weather()).items).toEqual([]);
    await until(() => stream.events.some((event) => about(event) && event.type === "fault.remove"), Boolean);
    stream.close();
  });

  test("one's own: in a fixture, in an export, over a restart of the data, beside what everybody has", async () => {
    const { appId, set, weather, statuses } = await place();
    const own = { "our-office": [{ effect: { status: 511 }, times: 2 }, { effect: { status: 502 } }] };
    const state = { version: 1, apps: [{ appId, weather: own }] };
    expect((await control("PUT", "/state", { mode: "merge", state })).status).toBe(200);
    const exported = (await control("GET", `/state?appId=${appId}`)).json.apps[0].weather;
    expect(exported["our-office"]).toMatchObject(own["our-office"]);
    expect((await weather()).known.map(({ name }: { name: string }) => name)).toEqual([
      ...Object.keys(WEATHER),
      "our-office",
    ]);
    expect((await set("our-office")).json.items).toMatchObject([{ name: "our-office" }]);
    expect(await statuses(3)).toEqual([511, 511, 502]);
    // An import that says nothing about it leaves it.
    await control("PUT", "/state", { mode: "merge", state: { version: 1, apps: [{ appId, name: "New" }] } });
    expect((await control("GET", `/state?appId=${appId}`)).json.apps[0].weather).toEqual(exported);
  });

  test("of a whole file is that of each of its apps, which can have its own of the same name", async () => {
    const { appId } = await place();
    const { appId: other } = await place();
    const weather = { office: [{ effect: { status: 511 } }], cellar: [{ effect: { drop: true } }] };
    const own = { office: [{ effect: { status: 502 } }] };
    const state = { version: 1, weather, apps: [{ appId }, { appId: other, weather: own }] };
    expect((await control("PUT", "/state", { mode: "merge", state })).status).toBe(200);
    const exported = async (id: string) => (await control("GET", `/state?appId=${id}`)).json.apps[0].weather;
    expect(await exported(appId)).toMatchObject(weather);
    expect(await exported(other)).toMatchObject({ ...weather, ...own });
    const wrong = { ...state, weather: { office: [] } };
    const refused = await control("PUT", "/state", { mode: "merge", state: wrong });
    expect([refused.status, Object.keys(refused.json)]).toEqual([422, ["weather.office"]]);
  });

  test.each([
    [{ tunnel: [{ effect: { drop: true } }] }, "apps[0].weather"],
    [{ "Our Office": [{ effect: { drop: true } }] }, "apps[0].weather.Our Office"],
    [{ office: [] }, "apps[0].weather.office"],
    [{ office: [{ effect: { status: 99 } }] }, "apps[0].weather.office[0].effect.status"],
  ])("a fixture with the weather %j is refused", async (weather, field) => {
    const state = { version: 1, apps: [{ appId: "w", weather }] };
    const refused = await control("PUT", "/state", { mode: "merge", state });
    expect([refused.status, Object.keys(refused.json)]).toEqual([422, [field]]);
  });

  test("unknown ones are refused with the nearest name; an unknown app is 404", async () => {
    const { set } = await place();
    expect((await set("tunel")).json).toEqual({ name: ['Unknown weather "tunel". Did you mean "tunnel"?'] });
    const known = "tunnel, rush-hour, deploy, bad-clock, calm";
    expect((await set("monsoon")).json).toEqual({ name: [`Unknown weather "monsoon". Known: ${known}.`] });
    expect((await set("tunnel", { seed: 1.5 })).json).toEqual({
      seed: ["must be 1 to 64 characters, or a whole number"],
    });
    expect((await control("PUT", "/weather", { appId: "ghost", name: "tunnel" })).status).toBe(404);
    expect((await control("GET", "/weather?appId=ghost")).status).toBe(404);
    expect((await set("tunnel", { seconds: 0 })).status).toBe(422);
  });
});
