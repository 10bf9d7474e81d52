/**
 * What was replaced over some time, in a file: one record a line, app by app, so that one app can be read alone. The file is
 * of this process alone and goes with the snapshots that need it.
 */
import type { Problem } from "#contract/problems.ts";
import type { AppRecord, ClockRecord, Collection, RecordsOfApp } from "#contract/records.ts";
import type { AppPast, Entries, Past } from "#domain/past.ts";
import { newAppUndo, Undo } from "#domain/undo.ts";
import { COLLECTIONS } from "./document.ts";
import { errorText } from "./failure.ts";
import { attempt, type FileSystem } from "./files.ts";
import { mendRecord, recordChecks } from "./record-check.ts";

/** Where records lie in the file, in bytes. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** An app as it was, with the places of its records. */
export interface SpilledApp extends AppPast {
  readonly ranges: { readonly [C in Collection]: Range };
}

/** How much is read at a time: some hundred records, whose reading takes about a millisecond. */
const CHUNK_BYTES = 64 * 1024;
const NEWLINE = 10;

/** What a snapshot needs could not be read back; `problem` is what a client should be told. */
export class SnapshotUnreadable extends Error {
  override readonly name = "SnapshotUnreadable";
  readonly problem: Problem = { code: "snapshot_unreadable" };
}

const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new SnapshotUnreadable("a line is not JSON", { cause: error });
  }
};

/** @param before undefined: it was not there, and its id is all there is to say. @returns the line of a record. */
export const spilledLine = (id: string, before: object | undefined): string => `${JSON.stringify(before ?? id)}\n`;

/** @throws SnapshotUnreadable */
const readLine = <C extends Collection>(
  collection: C,
  line: string,
): readonly [string, RecordsOfApp[C] | undefined] => {
  const value = parsed(line);
  if (typeof value === "string") return [value, undefined];
  const { quick, schema } = recordChecks[collection];
  const mended = quick(value) ? { record: value } : mendRecord({ quick, schema }, value, 1);
  if ("fault" in mended) throw new SnapshotUnreadable(mended.fault.message);
  const { record } = mended;
  return ["id" in record ? record.id : record.userId, record];
};

/** @see Undo */
export class SpilledUndo implements Past {
  readonly clock: ClockRecord | undefined;
  readonly apps: Map<string, SpilledApp>;
  readonly #files: FileSystem;
  readonly #fd: number;
  #readers = 0;
  #closed = false;

  /** @param fd open for reading; closed by `close`, once nobody reads any more. */
  constructor(files: FileSystem, fd: number, apps: Map<string, SpilledApp>, clock: ClockRecord | undefined) {
    this.#files = files;
    this.#fd = fd;
    this.apps = apps;
    this.clock = clock;
  }

  /** Keeps the file open until `release`. */
  hold(): void {
    this.#readers += 1;
  }

  /** @see hold */
  release(): void {
    this.#readers -= 1;
    this.#closeUnread();
  }

  /** Lets go of the file as soon as nobody reads it. */
  close(): void {
    this.#closed = true;
    this.#closeUnread();
  }

  /** @see Past. @throws SnapshotUnreadable, also where the file is not what was written. */
  async *chunks<C extends Collection>(appId: string, collection: C): AsyncGenerator<Entries<C>> {
    const range = this.apps.get(appId)?.ranges[collection];
    if (range === undefined) return;
    let rest: Buffer = Buffer.alloc(0);
    for (let at = range.start; at < range.end; ) {
      const bytes = await this.#read(at, Math.min(CHUNK_BYTES, range.end - at));
      at += bytes.length;
      const all = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
      const end = all.lastIndexOf(NEWLINE) + 1;
      rest = all.subarray(end);
      if (end === 0) continue;
      const lines = all.toString("utf8", 0, end - 1).split("\n");
      yield lines.map((line) => readLine(collection, line));
    }
    if (rest.length > 0) throw new SnapshotUnreadable("a line has no end");
  }

  /** Reads it back. @param only one app. @returns the same in memory. @throws as `chunks`. */
  async load(only: string | null): Promise<Undo> {
    const undo = new Undo();
    if (only === null) undo.clock = this.clock;
    for (const [appId, { born, gone, app, clock }] of [...this.apps]) {
      if (only !== null && appId !== only) continue;
      const loaded = newAppUndo(born);
      loaded.app = app;
      loaded.clock = clock;
      // All that it had is among the records.
      if (gone !== undefined) loaded.gone = { ...gone, profiles: [], passcodes: [], sessions: [], connections: [] };
      for (const collection of COLLECTIONS) await this.#fill(loaded.records[collection], appId, collection);
      undo.apps.set(appId, loaded);
    }
    return undo;
  }

  async #fill<C extends Collection>(
    into: Map<string, RecordsOfApp[C] | undefined>,
    appId: string,
    collection: C,
  ): Promise<void> {
    for await (const entries of this.chunks(appId, collection))
      for (const [id, before] of entries) if (!into.has(id)) into.set(id, before);
  }

  async #read(at: number, length: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(length);
    try {
      const count = await this.#files.readLater(this.#fd, bytes, 0, length, at);
      if (count > 0) return bytes.subarray(0, count);
    } catch (error) {
      throw new SnapshotUnreadable(errorText(error), { cause: error });
    }
    throw new SnapshotUnreadable("the file ends too early");
  }

  #closeUnread(): void {
    if (!this.#closed || this.#readers > 0) return;
    this.#readers = Number.POSITIVE_INFINITY;
    attempt(() => this.#files.close(this.#fd));
  }
}

/** @returns what is kept in memory of an app whose records are in a file. */
export const spilledApp = (app: AppPast, ranges: SpilledApp["ranges"]): SpilledApp => {
  const gone: { app: AppRecord; clock: ClockRecord | null } | undefined =
    app.gone === undefined ? undefined : { app: app.gone.app, clock: app.gone.clock };
  return { born: app.born, gone, app: app.app, clock: app.clock, ranges };
};
