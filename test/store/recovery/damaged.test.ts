/** The damaged data directories under test/fixtures/damaged: how a start treats each. */
import { cpSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { APP, uuid } from "#test/store/records.ts";
import { filesOf, newDir, open, refusal } from "#test/store/support.ts";

const FIXTURES = fileURLToPath(new URL("../../fixtures/damaged", import.meta.url));
const DOCUMENT = "stagedoor.json";
const JOURNAL = "journal-2.ndjson";

const copyOf = (name: string): string => {
  const dir = newDir();
  // What is wrong is in the journal; a folder that says nothing else has the document of the good one.
  if (name.startsWith("journal-")) cpSync(path.join(FIXTURES, "good", DOCUMENT), path.join(dir, DOCUMENT));
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
  ["journal-of-another-document", JOURNAL, 0, "goes on from change 4"],
  ["journal-from-the-future", JOURNAL, 0, "newer Stagedoor"],
  ["document-missing", DOCUMENT, null, "is missing"],
  ["document-empty", DOCUMENT, 0, "is empty"],
  ["document-null", DOCUMENT, 0, "not contain a JSON object"],
  ["document-list", DOCUMENT, 0, "not contain a JSON object"],
  ["document-number", DOCUMENT, 0, "not contain a JSON object"],
  ["document-nuls", DOCUMENT, 0, "is not JSON"],
  ["document-cut", DOCUMENT, 699, "is not JSON"],
  ["document-not-utf8", DOCUMENT, 671, "is not UTF-8"],
  ["document-merge-markers", DOCUMENT, 381, "is not JSON"],
  ["document-from-the-future", DOCUMENT, 11, "newer Stagedoor"],
  ["document-wrong-type", DOCUMENT, 668, "apps[0].profiles[1].name"],
  ["document-username-twice", DOCUMENT, 684, "+12025550001"],
];

test.each(refused)("%s is refused and left byte for byte", async (name, file, offset, words) => {
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
  ["document-byte-order-mark", [1, 2, 3, 4], false],
  ["document-line-copied", [1, 2, 9], false],
];

test.each(opens)("%s opens with profiles %j", async (name, numbers, recovered) => {
  const notices: string[] = [];
  const store = await open(copyOf(name), { onNotice: (text) => notices.push(text) });
  expect(store.world.app(APP)?.profiles.map(({ userId }) => userId)).toEqual(numbers.map(uuid));
  expect(notices.map((text) => text.startsWith("recovered "))).toEqual(recovered ? [true] : []);
});

test("every fixture directory is tested", () => {
  expect([...refused, ...opens].map(([name]) => name).sort()).toEqual(readdirSync(FIXTURES).sort());
});
