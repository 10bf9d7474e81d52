import { describe, expect, test } from "vitest";
import { LIST_LIMIT, RecentChanges, withoutRows, withRow } from "../../src-renderer/api/rows.ts";

const row = (seq: number, appId = "a") => ({ id: `id-${seq}`, seq, appId });
const list = (...seqs: number[]) => ({ items: seqs.map((seq) => row(seq)), total: seqs.length });
const seqs = ({ items }: { items: { seq: number }[] }) => items.map(({ seq }) => seq);

describe("a list of rows", () => {
  test("takes a new row in its place, newest first, whatever the order in which rows come", () => {
    expect(seqs(withRow(list(9, 5, 1), row(10)))).toEqual([10, 9, 5, 1]);
    expect(seqs(withRow(list(9, 5, 1), row(7)))).toEqual([9, 7, 5, 1]);
    expect(seqs(withRow(list(9, 5), row(1)))).toEqual([9, 5, 1]);
    expect(withRow(list(9), row(10)).total).toBe(2);
  });

  test("replaces a row that it has, and counts it once", () => {
    const changed = { ...row(5), appId: "b" };
    expect(withRow(list(9, 5), changed)).toEqual({ items: [row(9), changed], total: 2 });
  });

  test("holds no more than the limit, and counts on", () => {
    const full = list(...Array.from({ length: LIST_LIMIT }, (_, i) => LIST_LIMIT - i));
    const more = withRow(full, row(LIST_LIMIT + 1));
    expect(more.items).toHaveLength(LIST_LIMIT);
    expect(more.items[0]?.seq).toBe(LIST_LIMIT + 1);
    expect(more.total).toBe(LIST_LIMIT + 1);
  });

  test("lets rows go, and stays the same object when it has none of them", () => {
    const before = list(9, 5);
    expect(withoutRows(before, new Set(["id-9"]))).toEqual({ items: [row(5)], total: 1 });
    expect(withoutRows(before, new Set(["id-1"]))).toBe(before);
  });
});

test("an answer that was under way gets the changes that came meanwhile, of its app only", () => {
  const recent = new RecentChanges<ReturnType<typeof row>>();
  recent.add({ put: row(1) });
  const mark = recent.mark();
  recent.add({ put: row(7) });
  recent.add({ put: row(8, "other") });
  recent.add({ removed: new Set(["id-5"]) });
  expect(seqs(recent.replay(list(5, 3), "a", mark))).toEqual([7, 3]);
  expect(seqs(recent.replay(list(5, 3), null, mark))).toEqual([8, 7, 3]);
  expect(seqs(recent.replay(list(5, 3), "a", recent.mark()))).toEqual([5, 3]);
});
