/**
 * The damaged data directories under test/fixtures/damaged: what a start says of each (CONTRACT 8).
 */
import { cpSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { APP, uuid } from "./records.ts";
import { filesOf, newDir, open, refusal } from "./support.ts";

const FIXTURES = fileURLToPath(new URL("../fixtures/damaged", import.meta.url));
const SNAPSHOT = "stagedoor.json";
const JOURNAL = "journal-2.ndjson";

const copyOf = (name: string): string => {
  const dir = newDir();
  cpSync(path.join(FIXTURES, name), dir, { recursive: true });
  return dir;
};

const refused: [string, string, number | null, string][] = [
  ["journal-bad-last-line", JOURNAL, 1168, "checksum"],
  ["journal-bad-middle-line", JOURNAL, 72, "checksum"],
  ["journal-swapped", JOURNAL, 72, "checksum"],
  ["journal-removed", JOURNAL, 72, "checksum"],
  ["journal-doubled", JOURNAL, 379, "checksum"],
  ["journal-older-torn", JOURNAL, 1168, "a newer one follows"],
  ["journal-missing-generation", "journal-3.ndjson", 0, "journal-2.ndjson, which comes before this one, is missing"],
  ["journal-of-another-snapshot", JOURNAL, 0, "goes on from change 4"],
  ["journal-from-the-future", JOURNAL, 0, "newer Stagedoor"],
  ["snapshot-missing", SNAPSHOT, null, "is missing"],
  ["snapshot-empty", SNAPSHOT, 0, "is empty"],
  ["snapshot-null", SNAPSHOT, 0, "no JSON object"],
  ["snapshot-list", SNAPSHOT, 0, "no JSON object"],
  ["snapshot-number", SNAPSHOT, 0, "no JSON object"],
  ["snapshot-nuls", SNAPSHOT, 0, "is not JSON"],
  ["snapshot-cut", SNAPSHOT, 700, "is not JSON"],
  ["snapshot-not-utf8", SNAPSHOT, 671, "is not UTF-8"],
  ["snapshot-merge-markers", SNAPSHOT, 381, "is not JSON"],
  ["snapshot-from-the-future", SNAPSHOT, 11, "newer Stagedoor"],
  ["snapshot-wrong-type", SNAPSHOT, 668, "apps[0].profiles[1].name"],
  ["snapshot-username-twice", SNAPSHOT, 684, "+12025550001"],
];

test.each(refused)("%s is refused, and left byte for byte", async (name, file, offset, words) => {
  const dir = copyOf(name);
  const before = filesOf(dir);
  const failure = await refusal(dir);
  expect(failure).toMatchObject({ exitStatus: 3, file: path.join(dir, file), offset });
  expect(failure.message).toContain(words);
  expect(filesOf(dir)).toEqual(before);
});

const opens: [string, number[], boolean][] = [
  ["good", [1, 2, 3, 4], false],
  ["journal-torn", [1, 2, 3], true],
  ["journal-torn-nuls", [1, 2, 3, 4], true],
  ["journal-empty", [1, 2], true],
  ["journal-torn-header", [1, 2], true],
  ["snapshot-byte-order-mark", [1, 2, 3, 4], false],
  ["snapshot-line-copied", [1, 2, 9], false],
];

test.each(opens)("%s opens with profiles %j", async (name, numbers, recovered) => {
  const notices: string[] = [];
  const store = await open(copyOf(name), { onNotice: (text) => notices.push(text) });
  expect(store.world.app(APP)?.profiles.map(({ userId }) => userId)).toEqual(numbers.map(uuid));
  expect(notices.map((text) => text.startsWith("recovered "))).toEqual(recovered ? [true] : []);
});

test("every directory is tried", () => {
  expect([...refused, ...opens].map(([name]) => name).sort()).toEqual(readdirSync(FIXTURES).sort());
});
