/** Reads the file of a named snapshot line by line and in slices, so that other requests are served meanwhile. */
import { crc32 } from "node:zlib";
import { z } from "zod";
import { type SnapshotItem, snapshotItem } from "#contract/control/snapshots.ts";
import { appRecord, COLLECTIONS, type Collection, clockRecord, type RecordsOfApp } from "#contract/service/records.ts";
import type { WorldData } from "#domain/world.ts";
import type { FileSystem } from "../disk/files.ts";
import { recordChecks } from "../document/check.ts";
import { type AppDocument, DOCUMENT_VERSION, emptyApp } from "../document/document.ts";
import { sealOf } from "../journal/format.ts";

/** Bytes to read at a time; processing them takes a few milliseconds. */
const CHUNK = 128 * 1024;
/** Maximum length of a line in bytes. */
const LONGEST_LINE = 8 * 1024 * 1024;

const headShape = snapshotItem.omit({ stored: true }).extend({
  version: z.literal(DOCUMENT_VERSION),
  // A corrupted digit must not exhaust the range of numbers.
  seq: z.int().min(0).max(1e15),
  clock: clockRecord,
});

const appLine = z.object({ app: appRecord });
const clockLine = z.object({ clock: clockRecord.nullable() });

/** The content of a file is not what was written. The message omits the file name. */
class Damaged extends Error {
  override readonly name = "Damaged";
}

/** Assembles a snapshot from its lines. @throws Damaged, SyntaxError and ZodError for corrupted lines. */
class SnapshotText {
  head: z.infer<typeof headShape> | undefined;
  /** Whether the checksum was present and correct. */
  isWhole = false;
  readonly apps: AppDocument[] = [];
  readonly #only: string | null;
  readonly #head: string[] = [];
  #crc = 0;
  #app: AppDocument | undefined;
  /** The list whose records the next lines hold. */
  #noun: Collection | undefined;

  /** @param only this app alone; null: all. */
  constructor(only: string | null) {
    this.#only = only;
  }

  add(line: string): void {
    if (this.isWhole) throw new Damaged("it goes on after its end");
    if (line.startsWith(',"crc":')) {
      this.isWhole = line === sealOf(this.#crc);
      if (!this.isWhole) throw new Damaged("its checksum does not match");
      return;
    }
    this.#crc = crc32(`${line}\n`, this.#crc);
    const text = line.endsWith(",") ? line.slice(0, -1) : line;
    if (this.head !== undefined) this.#line(text);
    else if (text.startsWith('"apps":[')) this.head = headShape.parse(JSON.parse(`${this.#head.join("\n")}"apps":[]}`));
    else this.#head.push(line);
  }

  #line(text: string): void {
    const [, list, isEmpty] = /^"(\w+)":\[(\]?)$/.exec(text) ?? [];
    if (text === "]" || text === "}") this.#noun = undefined;
    else if (text.startsWith('{"app":')) {
      this.#app = emptyApp(appLine.parse(JSON.parse(`${text}}`)).app);
      if (this.#isWanted) this.apps.push(this.#app);
    } else if (this.#app === undefined) throw new Damaged("it holds records of no app");
    else if (this.#noun !== undefined) this.#record(this.#app[this.#noun], this.#noun, text);
    else if (list === undefined) this.#app.clock = clockLine.parse(JSON.parse(`{${text}}`)).clock;
    else if (isEmpty === "") {
      this.#noun = COLLECTIONS.find((noun) => noun === list);
      if (this.#noun === undefined) throw new Damaged("it holds a list that this version does not know");
    }
  }

  #record<C extends Collection>(list: RecordsOfApp[C][], noun: C, text: string): void {
    // Records of other apps only count for the checksum.
    if (!this.#isWanted) return;
    const value: unknown = JSON.parse(text);
    const { quick, schema } = recordChecks[noun];
    const record = quick(value) ? value : schema.safeParse(value).data;
    if (record === undefined) throw new Damaged(`it holds ${noun} that this version does not know`);
    list.push(record);
  }

  get #isWanted(): boolean {
    return this.#only === null || this.#app?.app.appId === this.#only;
  }
}

/** @returns the lines of a file in batches. @throws Damaged and Node errors. */
async function* linesOf(files: FileSystem, file: string): AsyncGenerator<readonly string[]> {
  if (files.stat(file).kind !== "file") throw new Damaged("it is not a regular file");
  const fd = files.openToRead(file);
  try {
    const chunk = Buffer.allocUnsafe(CHUNK);
    let rest: Buffer = Buffer.alloc(0);
    for (let at = 0; ; ) {
      const count = await files.readLater(fd, chunk, 0, CHUNK, at);
      if (count === 0) break;
      at += count;
      const bytes = Buffer.concat([rest, chunk.subarray(0, count)]);
      const end = bytes.lastIndexOf("\n") + 1;
      if (end > 0) yield bytes.toString("utf8", 0, end - 1).split("\n");
      rest = bytes.subarray(end);
      if (rest.length > LONGEST_LINE) throw new Damaged("it is not a Stagedoor file");
    }
  } finally {
    files.close(fd);
  }
}

/** @returns the metadata at the start of a file. @throws Damaged, SyntaxError, ZodError and Node errors. */
export const readHead = async (files: FileSystem, file: string): Promise<SnapshotItem> => {
  const text = new SnapshotText("");
  for await (const lines of linesOf(files, file))
    for (const line of lines) {
      text.add(line);
      if (text.head === undefined) continue;
      const { name, appId, seq, createdAt, counts } = text.head;
      return { name, appId, seq, createdAt, counts, stored: true };
    }
  throw new Damaged("it is cut off");
};

/** @param only this app alone; null: all. @returns the content of a file. @throws as `readHead`. */
export const readWorldData = async (files: FileSystem, file: string, only: string | null): Promise<WorldData> => {
  const text = new SnapshotText(only);
  for await (const lines of linesOf(files, file)) for (const line of lines) text.add(line);
  if (text.head === undefined || !text.isWhole) throw new Damaged("it is cut off");
  return { clock: text.head.clock, apps: text.apps };
};
