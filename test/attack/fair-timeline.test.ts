/** On a shared instance the timeline is shared fairly: what one job does takes nothing back from others, or the owner. */
import { afterEach, describe, expect, test } from "vitest";
import { type Job, sharedInstance } from "./shared.ts";

const KIB = 1_024;
const { owner, inWindow, job } = sharedInstance({
  timelineTransactions: 40,
  timelineAllTransactions: 60,
  timelineBytes: 64 * KIB,
  timelineAllBytes: 96 * KIB,
  pageBytes: 12 * KIB,
});
const made: string[] = [];
afterEach(async () => {
  for (const appId of made.splice(0)) await owner("DELETE", `/apps/${appId}`);
});

/** A job with a user. */
const withUser = async () => {
  const one = await job();
  made.push(one.appId);
  const { userId } = (await one.call("POST", "/profiles", { phone: "+12025550141", name: "Ada" })).json;
  const rename = async (name: string, of: { call: Job["call"] } = one) => {
    const { status } = await of.call("PATCH", `/profiles/${userId}?appId=${one.appId}`, { name });
    expect(status).toBe(200);
  };
  const mark = async (): Promise<number> => (await one.call("POST", "/mark", {})).json.seq;
  const back = async (to: number) => await one.call("POST", "/rewind", { to });
  const nameNow = async (): Promise<string> => (await one.call("GET", `/profiles/${userId}`)).json.name;
  return { ...one, userId, rename, mark, back, nameNow };
};
const imported = (count: number, name: string) => ({
  mode: "merge",
  state: {
    apps: [{ profiles: Array.from({ length: count }, (_, n) => ({ phone: `+1303555${1_000 + n}`, name })) }],
  },
});
const load = async ({ appId, call }: Pick<Job, "appId" | "call">, count: number, name: string) => {
  const { mode, state } = imported(count, name);
  const body = { mode, state: { apps: state.apps.map((app) => ({ appId, ...app })) } };
  expect((await call("PUT", "/state", body)).status).toBe(200);
};

test("an import that replaces more than the timeline keeps says beforehand that it cannot be undone", async () => {
  const { appId, call } = await withUser();
  const put = async (count: number, name: string, query: string) => {
    const { mode, state } = imported(count, name);
    const body = { mode, state: { apps: state.apps.map((app) => ({ appId, ...app })) } };
    return (await call("PUT", `/state${query}`, body)).json;
  };
  expect(await put(100, "First", "?dryRun=1")).not.toHaveProperty("undoable");
  expect(await put(100, "First", "")).not.toHaveProperty("undoable");
  expect(await put(100, "Second", "?dryRun=1")).toMatchObject({ undoable: false });
  expect(await put(10, "Second", "?dryRun=1")).not.toHaveProperty("undoable");
  expect(await put(100, "Second", "")).toMatchObject({ undoable: false });
  const { seq } = (await call("POST", "/mark", {})).json;
  expect((await call("POST", "/rewind", { undo: seq })).status).toBe(410);
});

test("an undo or a rewind that removes more than the timeline keeps says beforehand that it cannot be undone", async () => {
  const { appId, call, mark } = await withUser();
  const start = await mark();
  await load({ appId, call }, 100, "First");
  const seq = await mark();
  const many = await mark();
  for (const order of [{ undo: seq }, { to: start }]) {
    const { status, json } = await call("POST", "/rewind?dryRun=1", order);
    expect({ status, ...json }).toMatchObject({ status: 200, seq, changed: { profiles: 100 }, undoable: false });
  }
  expect(await mark()).toBe(many);
  const { json } = await call("POST", "/rewind", { undo: seq });
  expect(json).toMatchObject({ changed: { profiles: 100 }, undoable: false });
  expect((await call("POST", "/rewind", { undo: json.seq })).status).toBe(410);
  await load({ appId, call }, 10, "Third");
  expect((await call("POST", "/rewind?dryRun=1", { undo: await mark() })).json).not.toHaveProperty("undoable");
});

describe("each bound says what it is, and whose", () => {
  test("a mark and the owner's history outlive another job's imports", async () => {
    const [quiet, loud] = [await withUser(), await withUser()];
    const mark = await quiet.mark();
    await quiet.rename("Bea");
    const { json: app } = await owner("POST", "/apps", { name: "Owner's" });
    made.push(app.appId);
    const { userId } = (await owner("POST", "/profiles", { appId: app.appId, phone: "+12025550142" })).json;
    await inWindow("PATCH", `/profiles/${userId}?appId=${app.appId}`, { name: "By hand" });
    for (let n = 0; n < 8; n++) await load(loud, 50, `Round ${n}`);
    expect((await quiet.back(mark)).status).toBe(200);
    expect(await quiet.nameNow()).toBe("Ada");
    const [item] = (await owner("GET", "/timeline?by=console&brief=1")).json.items;
    expect((await owner("POST", "/rewind", { undo: item.seq })).status).toBe(200);
  });

  test("transactions of an app", async () => {
    const one = await withUser();
    const mark = await one.mark();
    for (let n = 0; n < 45; n++) await one.rename(`Name ${n}`);
    const refused = await one.back(mark);
    const { oldestSeq } = (await one.call("GET", "/timeline")).json;
    expect([refused.status, refused.reason, refused.json.oldestSeq]).toEqual([410, "rewound_too_far", oldestSeq]);
    expect(refused.json.instruction).toBe(
      `The timeline of ${one.appId} begins with change ${oldestSeq}: it keeps at most 40 transactions of an app. Nothing was changed.`,
    );
    expect((await one.back(oldestSeq)).status).toBe(200);
  });

  test("bytes of an app", async () => {
    const one = await withUser();
    const mark = await one.mark();
    for (let n = 0; n < 12; n++) await one.rename(`${n}${"x".repeat(4 * KIB)}`);
    expect((await one.back(mark)).json.instruction).toMatch(/it keeps at most 65,536 bytes of an app\. Nothing/);
  });

  test("transactions and bytes of all apps: those of the app with the most; nobody learns of another's", async () => {
    for (const [count, length, words] of [
      [30, 1, "60 transactions"],
      [9, 3 * KIB, "98,304 bytes"],
    ] as const) {
      const [one, two, three] = [await withUser(), await withUser(), await withUser()];
      const mark = await one.mark();
      for (let n = 0; n < count; n++) {
        await one.rename(`${n}${"x".repeat(length)}`);
        await two.rename(`${n}${"x".repeat(length)}`);
        if (n % 10 === 0) await three.rename(`${n}`);
      }
      for (let n = 0; n < count / 3; n++) await one.rename(`${n}${"y".repeat(length)}`);
      for (let n = 0; n < count / 3; n++) await two.rename(`${n}${"y".repeat(length)}`);
      const { instruction } = (await one.back(mark)).json;
      expect(instruction).toContain(
        `it keeps at most ${words} of all apps, and dropped the oldest of the app with the most`,
      );
      expect(instruction).not.toContain(two.appId);
      const first = (await two.call("GET", "/timeline?limit=1")).json.oldestSeq;
      const asked = await one.call("POST", "/rewind", { undo: first });
      expect(asked.text).not.toContain(two.appId);
      await three.rename("still there");
      for (const { appId } of [one, two, three]) await owner("DELETE", `/apps/${appId}`);
    }
  });
});

describe("GET `timeline`", () => {
  test("cuts what happened and the name to a length that can be read", async () => {
    const one = await withUser();
    await one.call("POST", "/profiles", { phone: "+12025550143", name: `Zoe ${"x".repeat(9 * KIB)}` });
    const [{ what, user }] = (await one.call("GET", "/timeline?brief=1&limit=1")).json.items;
    expect([what.length, user.length, what.at(-1), user.at(-1)]).toEqual([201, 101, "…", "…"]);
    expect(what).toMatch(/^Profile created: Zoe x/);
  });

  test("is paged by number and by bytes, and all pages are all of it", async () => {
    const one = await withUser();
    for (let n = 0; n < 6; n++) await one.rename(`${n}${"x".repeat(2 * KIB)}`);
    for (const [limit, most] of [
      ["", 18 * KIB],
      ["limit=2", 12 * KIB],
    ] as const) {
      const seen: number[] = [];
      let pages = 0;
      for (let before: string | undefined = ""; before !== undefined; pages++) {
        const { text, json } = await one.call("GET", `/timeline?${limit}${before}`);
        expect(text.length).toBeLessThan(most);
        seen.push(...json.items.map(({ seq }: { seq: number }) => seq));
        expect(json.total).toBe(8);
        before = json.next === undefined ? undefined : `&before=${json.next}`;
      }
      expect([seen, pages > 1]).toEqual([seen.toSorted((a, b) => b - a), true]);
      expect(new Set(seen).size).toBe(8);
    }
  });

  test("of a change of many records shows as many as find room, and says how many more there are", async () => {
    const one = await withUser();
    await load(one, 60, "x".repeat(KIB));
    const { text, json } = await one.call("GET", "/timeline?limit=1");
    const [{ changes, moreChanges, what }] = json.items;
    expect(text.length).toBeLessThan(16 * KIB);
    expect([changes.length + moreChanges, what, changes.length > 5]).toEqual([61, "60 profiles imported", true]);
  });
});

test("of changes that are larger than all that is kept, none is", async () => {
  const one = await withUser();
  for (let n = 0; n < 4; n++) await one.rename(`${n}${"x".repeat(100 * KIB)}`);
  expect((await one.call("GET", "/timeline")).json).toMatchObject({ items: [], total: 0 });
});
