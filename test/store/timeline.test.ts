/** What the store remembers of past transactions (CONTRACT 14). */
import { expect, test } from "vitest";
import { BOUNDS } from "#contract/bounds.ts";
import { epochMs } from "#contract/scalars.ts";
import { Changes } from "#domain/decision.ts";
import { rewindTo } from "#domain/history/rewind.ts";
import { type Past, weightOfChange } from "#domain/history/timeline.ts";
import type { World } from "#domain/world.ts";
import { PastTransactions } from "#store/past.ts";
import { APP, profile } from "./records.ts";
import { open } from "./support.ts";

const past = (seq: number, altered: Past["altered"] = []): Past => ({
  first: seq,
  seq,
  realMs: seq,
  atMs: epochMs(seq),
  requestId: null,
  altered,
});

test("keeps the newest 10,000 transactions; the earliest moment is the end of the last one dropped", () => {
  const timeline = new PastTransactions(0, 0);
  const { most } = BOUNDS.timelineTransactions;
  for (let seq = 1; seq <= most; seq++) timeline.add(past(seq));
  expect([timeline.oldestSeq, timeline.items.length]).toEqual([0, most]);
  for (let seq = most + 1; seq <= most + 300; seq++) timeline.add(past(seq));
  expect([timeline.oldestSeq, timeline.oldestMs, timeline.items.length]).toEqual([300, 300, most]);
  expect(timeline.items[0]?.seq).toBe(301);
});

test("keeps at most 64 MiB of replaced records, the newest; one that is larger is not kept", () => {
  const timeline = new PastTransactions(0, 0);
  const big = (seq: number) => ({
    noun: "profiles" as const,
    appId: APP,
    before: profile(seq, seq, { metadata: { text: "x".repeat(1_000_000) } }),
    after: undefined,
  });
  const most = Math.floor(BOUNDS.timelineBytes.most / weightOfChange(big(1)));
  for (let seq = 1; seq <= most + 5; seq++) timeline.add(past(seq, [big(seq)]));
  expect([timeline.oldestSeq, timeline.items.length]).toEqual([5, most]);
  timeline.add(
    past(
      most + 6,
      Array.from({ length: most + 1 }, (_, n) => big(n)),
    ),
  );
  expect([timeline.oldestSeq, timeline.items.length]).toEqual([most + 6, 0]);
});

test("a rewind of deleted profiles puts them where they were, one or many", async () => {
  for (const count of [1, 15, 16, 200]) {
    const store = await open("", { durability: "memory" });
    store.transactBulk((world: World) => {
      const changes = new Changes(world);
      for (let n = 1; n <= 1_000; n++) changes.put("profiles", APP, profile(changes.seq, n));
      return changes.decided(null);
    });
    const before = structuredClone(store.world.app(APP)?.profiles);
    const { seq } = store.world;
    const ids = (before ?? [])
      .filter((_, place) => place % Math.floor(1_000 / count) === 0)
      .map(({ userId }) => userId);
    store.transact((world) => {
      const changes = new Changes(world);
      changes.remove("profiles", APP, ids);
      return changes.decided(null);
    });
    const order = { appId: APP, userId: undefined, to: seq, turnsClock: false };
    expect(store.transact(rewindTo(store.timeline, order, 0))).toMatchObject({ ok: true });
    expect(store.world.app(APP)?.profiles).toEqual(before);
  }
});
