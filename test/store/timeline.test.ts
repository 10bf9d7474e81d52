/** What the store remembers of past transactions. */
import { describe, expect, test } from "vitest";
import { BOUNDS, maximaWith } from "#contract/bounds.ts";
import { epochMs } from "#contract/scalars.ts";
import type { AppRecord, RecordsOfApp } from "#contract/service/records.ts";
import type { AlteredRecord, Past } from "#domain/history/timeline.ts";
import { loadsOf, weightOfChange } from "#domain/history/weight.ts";
import { PastTransactions } from "#store/past.ts";
import { APP, app, passcode, profile, session, uuid } from "./records.ts";

const past = (seq: number, altered: Past["altered"] = [], first = seq): Omit<Past, "appIds"> => ({
  first,
  seq,
  realMs: seq,
  atMs: epochMs(seq),
  requestId: null,
  altered,
});
/** A change of a profile whose earlier name has so many characters. */
const renamed = (appId: string, seq: number, length = 10) => ({
  noun: "profiles" as const,
  appId,
  before: profile(seq, seq, { name: "x".repeat(length) }),
  after: profile(seq, seq),
});
const own = (seq: number, appId = APP, length = 10) => past(seq, [renamed(appId, seq, length)]);
/** How many transactions there are of an app. */
const countOf = ({ items }: PastTransactions, appId: string) =>
  items.filter(({ appIds }) => appIds.includes(appId)).length;

test("keeps the newest 10,000 transactions of an app; the earliest moment is the end of the last one dropped", () => {
  const timeline = new PastTransactions(0, 0);
  const { most } = BOUNDS.timelineTransactions;
  for (let seq = 1; seq <= most; seq++) timeline.add(own(seq));
  expect([timeline.reach(APP), timeline.items.length]).toEqual([{ oldestSeq: 0 }, most]);
  for (let seq = most + 1; seq <= most + 300; seq++) timeline.add(own(seq));
  const cut = { of: "app", unit: "transactions", most, appId: APP };
  expect([timeline.reach(APP), timeline.items.length]).toEqual([{ oldestSeq: 300, cut }, most]);
  expect([timeline.items[0]?.seq, timeline.dropped(300), timeline.dropped(301)]).toEqual([
    301,
    { first: 300, oldestSeq: 300, cut },
    undefined,
  ]);
});

test("keeps at most 64 MiB of an app, every text counted; that one is larger can be told before", () => {
  const timeline = new PastTransactions(0, 0);
  const MIB = 1_048_576;
  const most = Math.floor(BOUNDS.timelineBytes.most / weightOfChange(renamed(APP, 1, MIB)));
  expect(most).toBeLessThan(33);
  for (let seq = 1; seq <= most + 5; seq++) timeline.add(own(seq, APP, MIB));
  const cut = { of: "app", unit: "bytes", most: BOUNDS.timelineBytes.most, appId: APP };
  expect([timeline.reach(APP), timeline.items.length]).toEqual([{ oldestSeq: 5, cut }, most]);
  const large = Array.from({ length: most + 1 }, (_, n) => renamed(APP, n, MIB));
  expect([timeline.holds(loadsOf(large)), timeline.holds(loadsOf(large.slice(1)))]).toEqual([false, true]);
  timeline.add(past(most + 6, large));
  expect([timeline.reach(APP), timeline.items.length]).toEqual([{ oldestSeq: most + 6, cut }, 0]);
});

test.each<[string, Partial<Record<keyof RecordsOfApp, object>>]>([
  ["a name", { profiles: { name: "x".repeat(1_000) } }],
  ["a phone", { profiles: { phone: "x".repeat(1_000) } }],
  ["an address", { profiles: { email: "x".repeat(1_000) } }],
  ["metadata", { profiles: { metadata: { a: { b: ["x".repeat(1_000)] } } } }],
  ["a scenario", { profiles: { scenario: { effect: { status: 503, body: "x".repeat(1_000) } } } }],
  ["a message", { passcodes: { message: "x".repeat(1_000) } }],
  ["a device", { sessions: { device: "x".repeat(1_000) } }],
])("counts %s of a record, and of an app that was removed", (_, parts) => {
  const noun = "passcodes" in parts ? "passcodes" : "sessions" in parts ? "sessions" : "profiles";
  const made = { profiles: profile(1, 1), passcodes: passcode(1, 1, uuid(1)), sessions: session(1, 1, uuid(1)) }[noun];
  const large = { ...made, ...parts[noun] };
  const change = (before: object) => ({ noun, appId: APP, before, after: undefined }) as AlteredRecord;
  expect(weightOfChange(change(large)) - weightOfChange(change(made))).toBeGreaterThan(1_900);
  const removed = (before: object) => {
    const moment = {
      app: app(1, APP),
      clock: null,
      profiles: [],
      passcodes: [],
      sessions: [],
      connections: [],
      [noun]: [before],
    };
    return { noun: "apps" as const, appId: APP, before: app(1, APP), after: undefined, moment };
  };
  expect(weightOfChange(removed(large)) - weightOfChange(removed(made))).toBeGreaterThan(1_900);
});

test("counts an app's own weather once, however often its record changes", () => {
  const before = {
    ...app(1, APP),
    weather: { office: [{ match: {}, effect: { status: 503, body: "x".repeat(9_000) }, times: null }] },
  };
  const weight = (after: AppRecord | undefined) => weightOfChange({ noun: "apps", appId: APP, before, after });
  expect([weight({ ...before, steps: 2 }) < 2_000, weight(undefined) > 18_000, weight(app(1, APP)) > 18_000]).toEqual([
    true,
    true,
    true,
  ]);
});

describe("of all apps together", () => {
  const low = maximaWith({ timelineTransactions: 50, timelineAllTransactions: 60, timelineAllBytes: 40_000 });

  test.each([
    ["transactions", 10, 60],
    ["bytes", 2_000, 40_000],
  ])("%s: the oldest of the app with the most are dropped, another's stay", (unit, length, most) => {
    const timeline = new PastTransactions(
      0,
      0,
      maximaWith({ ...low, ...(unit === "transactions" && { timelineAllBytes: 1e9 }) }),
    );
    for (let seq = 1; seq <= 2; seq++) timeline.add(own(seq, "quiet", length));
    for (let seq = 3; seq <= 200; seq++) timeline.add(own(seq, seq % 2 === 0 ? "loud" : "louder", length));
    expect([timeline.reach("quiet"), countOf(timeline, "quiet")]).toEqual([{ oldestSeq: 0 }, 2]);
    expect(timeline.reach("loud")).toEqual({
      oldestSeq: expect.any(Number),
      cut: { of: "all", unit, most, appId: "loud" },
    });
    expect(Math.abs(countOf(timeline, "loud") - countOf(timeline, "louder"))).toBeLessThan(2);
  });

  test("a leased app that is gone makes room first, however little it holds", () => {
    const timeline = new PastTransactions(0, 0, maximaWith({ ...low, timelineAllBytes: 1e9 }));
    const leased = { ...app(1, "leased"), appId: "leased", ttlSeconds: 60 };
    timeline.add(past(1, [{ noun: "apps", appId: "leased", before: leased, after: undefined }]));
    for (let seq = 2; seq <= 12; seq++) timeline.add(own(seq, "quiet"));
    for (let seq = 13; seq <= 61; seq++) timeline.add(own(seq, "loud"));
    expect([countOf(timeline, "leased"), countOf(timeline, "quiet"), timeline.reach("loud")]).toEqual([
      0,
      11,
      { oldestSeq: 0 },
    ]);
    expect(timeline.dropped(1)?.cut).toMatchObject({ of: "all", appId: "leased" });
  });

  test("keeps little of apps of the join token that are gone", () => {
    const timeline = new PastTransactions(0, 0, maximaWith({ timelineLeftBytes: 20_000 }), (appId) => appId === "job");
    const joined = { ...app(1, "job"), appId: "job", ttlSeconds: 60, joined: 1 };
    for (let seq = 1; seq <= 40; seq++) timeline.add(own(seq, "job", 2_000));
    expect(countOf(timeline, "job")).toBe(40);
    timeline.add(past(41, [{ noun: "apps", appId: "job", before: joined, after: undefined }]));
    expect(countOf(timeline, "job")).toBeLessThan(5);
    expect(timeline.bytesOf("job")).toBeLessThan(22_000);
  });

  test("apps of the join token have bounds apart from those of all others", () => {
    const timeline = new PastTransactions(
      0,
      0,
      maximaWith({ ...low, timelineAllBytes: 1e9 }),
      (appId) => appId !== APP,
    );
    for (let seq = 1; seq <= 40; seq++) timeline.add(own(seq));
    for (let seq = 41; seq <= 400; seq++) timeline.add(own(seq, `job-${seq % 10}`));
    expect([timeline.reach(APP), countOf(timeline, APP)]).toEqual([{ oldestSeq: 0 }, 40]);
  });

  test("gives up as much as is asked of one app", () => {
    const timeline = new PastTransactions(0, 0);
    for (let seq = 1; seq <= 20; seq++) timeline.add(own(seq, seq % 2 === 0 ? "loud" : "quiet", 1_000));
    const before = timeline.bytesOf("loud");
    timeline.release("loud", before / 2);
    expect(timeline.bytesOf("loud")).toBeLessThanOrEqual(before / 2);
    expect([countOf(timeline, "loud"), countOf(timeline, "quiet")]).toEqual([5, 10]);
    timeline.release("loud", before);
    expect([timeline.bytesOf("loud"), timeline.reach("loud").cut?.of]).toEqual([0, "shared"]);
  });

  test("of one that changed two apps, one app's part goes, and the other's stays", () => {
    const timeline = new PastTransactions(0, 0, low);
    timeline.add(past(2, [renamed("quiet", 1), renamed("loud", 2)], 1));
    for (let seq = 3; seq <= 100; seq++) timeline.add(own(seq, "loud"));
    expect(timeline.items[0]).toMatchObject({ seq: 2, lost: ["loud"], altered: [{ appId: "quiet" }] });
    expect([timeline.reach("quiet"), timeline.dropped(1)?.cut?.appId]).toEqual([{ oldestSeq: 0 }, "loud"]);
  });
});

test("knows when each moment was, also of what it has dropped", () => {
  const timeline = new PastTransactions(0, 7, maximaWith({ timelineTransactions: 2 }));
  for (let seq = 1; seq <= 9; seq++) timeline.add(own(seq * 10));
  expect([0, 9, 10, 25, 90, 99].map((seq) => timeline.msAt(seq))).toEqual([7, 7, 10, 20, 90, 90]);
});
