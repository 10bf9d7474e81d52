/** What the store remembers of past transactions. */
import { describe, expect, test } from "vitest";
import { BOUNDS, maximaWith } from "#contract/bounds.ts";
import { epochMs } from "#contract/scalars.ts";
import type { AppRecord, RecordsOfApp } from "#contract/service/records.ts";
import type { RecordDifference } from "#domain/history/differences.ts";
import type { HistoryEntry } from "#domain/history/history.ts";
import { loadsOf, memoryOfDifference } from "#domain/history/memory.ts";
import { KeptHistory } from "#store/history.ts";
import { APP, app, passcode, profile, session, uuid } from "./records.ts";

const past = (
  seq: number,
  differences: HistoryEntry["differences"] = [],
  first = seq,
): Omit<HistoryEntry, "appIds"> => ({
  first,
  seq,
  realMs: seq,
  atMs: epochMs(seq),
  requestId: null,
  differences,
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
const countOf = ({ items }: KeptHistory, appId: string) => items.filter(({ appIds }) => appIds.includes(appId)).length;

test("keeps the newest 10,000 transactions of an app; the earliest moment is the end of the last one dropped", () => {
  const history = new KeptHistory(0, 0);
  const { most } = BOUNDS.timelineTransactions;
  for (let seq = 1; seq <= most; seq++) history.add(own(seq));
  expect([history.extent(APP), history.items.length]).toEqual([{ oldestSeq: 0 }, most]);
  for (let seq = most + 1; seq <= most + 300; seq++) history.add(own(seq));
  const cut = { of: "app", unit: "transactions", most, appId: APP };
  expect([history.extent(APP), history.items.length]).toEqual([{ oldestSeq: 300, cut }, most]);
  expect([history.items[0]?.seq, history.dropped(300), history.dropped(301)]).toEqual([
    301,
    { first: 300, oldestSeq: 300, cut },
    undefined,
  ]);
});

test("keeps at most 64 MiB of an app, every text counted; that one is larger can be told before", () => {
  const history = new KeptHistory(0, 0);
  const MIB = 1_048_576;
  const most = Math.floor(BOUNDS.timelineBytes.most / memoryOfDifference(renamed(APP, 1, MIB)));
  expect(most).toBeLessThan(33);
  for (let seq = 1; seq <= most + 5; seq++) history.add(own(seq, APP, MIB));
  const cut = { of: "app", unit: "bytes", most: BOUNDS.timelineBytes.most, appId: APP };
  expect([history.extent(APP), history.items.length]).toEqual([{ oldestSeq: 5, cut }, most]);
  const large = Array.from({ length: most + 1 }, (_, n) => renamed(APP, n, MIB));
  expect([history.holds(loadsOf(large)), history.holds(loadsOf(large.slice(1)))]).toEqual([false, true]);
  history.add(past(most + 6, large));
  expect([history.extent(APP), history.items.length]).toEqual([{ oldestSeq: most + 6, cut }, 0]);
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
  const change = (before: object) => ({ noun, appId: APP, before, after: undefined }) as RecordDifference;
  expect(memoryOfDifference(change(large)) - memoryOfDifference(change(made))).toBeGreaterThan(1_900);
  const removed = (before: object) => {
    const data = {
      app: app(1, APP),
      clock: null,
      profiles: [],
      passcodes: [],
      sessions: [],
      connections: [],
      [noun]: [before],
    };
    return { noun: "apps" as const, appId: APP, before: app(1, APP), after: undefined, data };
  };
  expect(memoryOfDifference(removed(large)) - memoryOfDifference(removed(made))).toBeGreaterThan(1_900);
});

test("counts an app's own weather once, however often its record changes", () => {
  const before = {
    ...app(1, APP),
    weather: { office: [{ match: {}, effect: { status: 503, body: "x".repeat(9_000) }, times: null }] },
  };
  const bytes = (after: AppRecord | undefined) => memoryOfDifference({ noun: "apps", appId: APP, before, after });
  expect([bytes({ ...before, steps: 2 }) < 2_000, bytes(undefined) > 18_000, bytes(app(1, APP)) > 18_000]).toEqual([
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
    const history = new KeptHistory(
      0,
      0,
      maximaWith({ ...low, ...(unit === "transactions" && { timelineAllBytes: 1e9 }) }),
    );
    for (let seq = 1; seq <= 2; seq++) history.add(own(seq, "quiet", length));
    for (let seq = 3; seq <= 200; seq++) history.add(own(seq, seq % 2 === 0 ? "loud" : "louder", length));
    expect([history.extent("quiet"), countOf(history, "quiet")]).toEqual([{ oldestSeq: 0 }, 2]);
    expect(history.extent("loud")).toEqual({
      oldestSeq: expect.any(Number),
      cut: { of: "all", unit, most, appId: "loud" },
    });
    expect(Math.abs(countOf(history, "loud") - countOf(history, "louder"))).toBeLessThan(2);
  });

  test("a leased app that is gone makes room first, however little it holds", () => {
    const history = new KeptHistory(0, 0, maximaWith({ ...low, timelineAllBytes: 1e9 }));
    const leased = { ...app(1, "leased"), appId: "leased", ttlSeconds: 60 };
    history.add(past(1, [{ noun: "apps", appId: "leased", before: leased, after: undefined }]));
    for (let seq = 2; seq <= 12; seq++) history.add(own(seq, "quiet"));
    for (let seq = 13; seq <= 61; seq++) history.add(own(seq, "loud"));
    expect([countOf(history, "leased"), countOf(history, "quiet"), history.extent("loud")]).toEqual([
      0,
      11,
      { oldestSeq: 0 },
    ]);
    expect(history.dropped(1)?.cut).toMatchObject({ of: "all", appId: "leased" });
  });

  test("keeps little of apps of the join token that are gone", () => {
    const history = new KeptHistory(0, 0, maximaWith({ timelineLeftBytes: 20_000 }), (appId) => appId === "job");
    const joined = { ...app(1, "job"), appId: "job", ttlSeconds: 60, joined: 1 };
    for (let seq = 1; seq <= 40; seq++) history.add(own(seq, "job", 2_000));
    expect(countOf(history, "job")).toBe(40);
    history.add(past(41, [{ noun: "apps", appId: "job", before: joined, after: undefined }]));
    expect(countOf(history, "job")).toBeLessThan(5);
    expect(history.bytesOf("job")).toBeLessThan(22_000);
  });

  test("apps of the join token have bounds apart from those of all others", () => {
    const history = new KeptHistory(0, 0, maximaWith({ ...low, timelineAllBytes: 1e9 }), (appId) => appId !== APP);
    for (let seq = 1; seq <= 40; seq++) history.add(own(seq));
    for (let seq = 41; seq <= 400; seq++) history.add(own(seq, `job-${seq % 10}`));
    expect([history.extent(APP), countOf(history, APP)]).toEqual([{ oldestSeq: 0 }, 40]);
  });

  test("gives up as much as is asked of one app", () => {
    const history = new KeptHistory(0, 0);
    for (let seq = 1; seq <= 20; seq++) history.add(own(seq, seq % 2 === 0 ? "loud" : "quiet", 1_000));
    const before = history.bytesOf("loud");
    history.release("loud", before / 2);
    expect(history.bytesOf("loud")).toBeLessThanOrEqual(before / 2);
    expect([countOf(history, "loud"), countOf(history, "quiet")]).toEqual([5, 10]);
    history.release("loud", before);
    expect([history.bytesOf("loud"), history.extent("loud").cut?.of]).toEqual([0, "shared"]);
  });

  test("of one that changed two apps, one app's part goes, and the other's stays", () => {
    const history = new KeptHistory(0, 0, low);
    history.add(past(2, [renamed("quiet", 1), renamed("loud", 2)], 1));
    for (let seq = 3; seq <= 100; seq++) history.add(own(seq, "loud"));
    expect(history.items[0]).toMatchObject({ seq: 2, lost: ["loud"], differences: [{ appId: "quiet" }] });
    expect([history.extent("quiet"), history.dropped(1)?.cut?.appId]).toEqual([{ oldestSeq: 0 }, "loud"]);
  });
});

test("knows when each moment was, also of what it has dropped", () => {
  const history = new KeptHistory(0, 7, maximaWith({ timelineTransactions: 2 }));
  for (let seq = 1; seq <= 9; seq++) history.add(own(seq * 10));
  expect([0, 9, 10, 25, 90, 99].map((seq) => history.msAt(seq))).toEqual([7, 7, 10, 20, 90, 90]);
});
