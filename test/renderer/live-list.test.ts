import { afterEach, describe, expect, test } from "vitest";
import type { List } from "#client/index.ts";
import { cache } from "../../src-renderer/api/cache.ts";
import { type Change, LiveList, MOST_ROWS } from "../../src-renderer/api/live-list.ts";

const row = (seq: number, appId = "a") => ({ id: `id-${seq}`, seq, appId });
type Row = ReturnType<typeof row>;
const list = (...seqs: number[]): List<Row> => ({ items: seqs.map((seq) => row(seq)), total: seqs.length });
const seqs = ({ items }: List<Row>) => items.map(({ seq }) => seq);
const newest = new LiveList<Row>({
  key: "newest",
  read: () => Promise.resolve(list()),
  order: (a, b) => b.seq - a.seq,
});
const after = (before: List<Row>, ...changes: Change<Row>[]) => newest.changed(before, null, changes);

afterEach(() => cache.clear());

describe("a live list", () => {
  test("inserts a row in its place, newest first, in whatever order rows arrive", () => {
    expect(seqs(after(list(9, 5, 1), { put: row(10) }))).toEqual([10, 9, 5, 1]);
    expect(seqs(after(list(9, 5, 1), { put: row(7) }))).toEqual([9, 7, 5, 1]);
    expect(seqs(after(list(9, 5), { put: row(1) }))).toEqual([9, 5, 1]);
    expect(after(list(9), { put: row(10) }, { put: row(11) })).toMatchObject({ total: 3 });
  });

  test("replaces a row that it has, and counts it once", () => {
    const changed = { ...row(5), appId: "b" };
    expect(after(list(9, 5), { put: changed })).toEqual({ items: [row(9), changed], total: 2 });
  });

  test("holds at most the limit, but counts all", () => {
    const full = list(...Array.from({ length: MOST_ROWS }, (_, i) => MOST_ROWS - i));
    const more = after(full, { put: row(MOST_ROWS + 1) });
    expect(more.items).toHaveLength(MOST_ROWS);
    expect(more.items[0]?.seq).toBe(MOST_ROWS + 1);
    expect(more.total).toBe(MOST_ROWS + 1);
  });

  test("removes rows, and stays the same object if it has none of them", () => {
    const before = list(9, 5);
    expect(after(before, { removed: "id-9" })).toEqual({ items: [row(5)], total: 1 });
    expect(after(before, { removed: "id-1" })).toBe(before);
    expect(newest.changed(before, "a", [{ put: row(10, "b") }])).toBe(before);
  });

  test("that is truncated ignores rows from beyond its end", () => {
    const beginning = { ...list(9, 5), total: 4 };
    expect(after(beginning, { put: row(2) })).toBe(beginning);
    expect(seqs(after(beginning, { put: row(7) }))).toEqual([9, 7, 5]);
  });

  test("without an order keeps rows in place and appends new ones", () => {
    const made = new LiveList<Row>({ key: "made", read: () => Promise.resolve(list()) });
    const changed = { ...row(1), appId: "b" };
    expect(made.changed(list(1, 5), null, [{ put: row(3) }, { put: changed }]).items).toEqual([
      changed,
      row(5),
      row(3),
    ]);
  });
});

test("a pending response is merged with the changes that arrived meanwhile, of its app only", async () => {
  const answers: ((answer: List<Row>) => void)[] = [];
  const slow = new LiveList<Row>({
    key: "slow",
    read: () => new Promise((resolve) => answers.push(resolve)),
    order: (a, b) => b.seq - a.seq,
  });
  slow.apply([{ put: row(1) }]);
  const [ofA, ofAll] = [cache.fetchQuery(slow.query("a")), cache.fetchQuery(slow.query(null))];
  await expect.poll(() => answers.length).toBe(2);
  slow.apply([{ put: row(7) }, { put: row(8, "other") }]);
  slow.apply([{ removed: "id-5" }]);
  for (const answer of answers) answer(list(5, 3));
  expect(seqs(await ofA)).toEqual([7, 3]);
  expect(seqs(await ofAll)).toEqual([8, 7, 3]);
});

test("reports which rows are new to every list", () => {
  cache.setQueryData(newest.query("a").queryKey, list(2, 1));
  expect(newest.apply([{ put: row(2) }, { put: row(3) }, { removed: "id-1" }])).toEqual([row(3)]);
  expect(seqs(cache.getQueryData(newest.query("a").queryKey) ?? list())).toEqual([3, 2]);
});
