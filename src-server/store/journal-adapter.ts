/**
 * lowdb's adapter: `read` is the start (snapshot, then journals), `write` the snapshot in slices. Beside lowdb's two calls
 * it has `append` for one transaction and `replace` for a whole new document.
 */
import path from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Adapter } from "lowdb";
import type { Problem } from "#contract/problems.ts";
import type { Change } from "#domain/decision.ts";
import { type DataDir, journalNumbers, removeLeftovers } from "./data-dir.ts";
import { momentOf, type StoreDocument } from "./document.ts";
import { diskProblem, errorText } from "./failure.ts";
import { attempt, type FileSystem, syncDir, syncDirLater } from "./files.ts";
import type { WorldIndex } from "./indexes.ts";
import { JournalWriter } from "./journal-writer.ts";
import { recover } from "./recovery.ts";
import { SnapshotFile, snapshotSlices } from "./snapshot.ts";

/** What the adapter needs from outside. */
export interface AdapterOptions {
  readonly files: FileSystem;
  readonly dir: DataDir;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Told what people should know: something was recovered, a write to the disk failed. */
  readonly onNotice: (text: string) => void;
}

/** @see AdapterOptions */
export class JournalAdapter implements Adapter<StoreDocument> {
  /** The index of what `read` gave; undefined before, and when there was nothing. */
  index: WorldIndex | undefined;
  /** In bytes, of the last snapshot. */
  snapshotSize = 0;
  readonly #options: AdapterOptions;
  #journal: JournalWriter;
  /** The present document. A snapshot that had to wait for another one writes this, whatever it was asked to write. */
  #document: StoreDocument | undefined;
  /** Snapshots are written one after the other. */
  #last: Promise<void> = Promise.resolve();
  /** The snapshot under way; a whole new document makes it void. */
  #job: { void: boolean } | undefined;
  /** The number of the last change in the snapshot, and whether a journal stands beside it. */
  #snapshotSeq = -1;
  #journals = false;

  constructor(options: AdapterOptions) {
    this.#options = options;
    this.#journal = this.#writer({ open: undefined, next: 1, chain: 0 });
  }

  /** Reads what the directory holds, and tidies up. @returns null if it holds nothing yet. @throws StoreFailure */
  async read(): Promise<StoreDocument | null> {
    const { files, dir, onNotice } = this.#options;
    const found = recover(files, dir, onNotice);
    removeLeftovers(files, dir);
    if (found === undefined) return null;
    this.index = found.index;
    this.#journal = this.#writer(found.journal);
    this.snapshotSize = found.snapshotSize;
    this.#snapshotSeq = found.snapshotSeq;
    this.#journals = found.journals;
    for (const number of found.obsolete) attempt(() => files.remove(dir.journal(number)));
    attempt(() => {
      if ((files.stat(dir.target).mode & 0o077) !== 0) files.setMode(dir.target, 0o600);
    });
    if (found.edited) await this.write(found.index.document);
    return found.index.document;
  }

  /** Writes a snapshot of the document as it is now, in slices. @throws Node's errors: then all is as before. */
  write(document: StoreDocument): Promise<void> {
    this.#document = document;
    const written = this.#last.then(() => this.#write());
    this.#last = written.catch(() => undefined);
    return written;
  }

  /** Appends one transaction to the journal. @returns the problem, if that could not be. */
  append(first: number, changes: readonly Change[]): Problem | undefined {
    const problem = this.#journal.append(first, changes);
    if (problem === undefined) this.#journals = true;
    return problem;
  }

  /**
   * Puts another document in the place of all there is, as a new snapshot. Holds the event loop.
   * @returns the problem, if that could not be: then all is as before.
   */
  replace(document: StoreDocument): Problem | undefined {
    const { files, dir } = this.#options;
    const generation = this.#journal.following;
    let file: SnapshotFile | undefined;
    try {
      file = new SnapshotFile(files, dir);
      for (const slice of snapshotSlices({ ...document, generation })) file.write(slice);
      file.sync();
      file.publish();
    } catch (error) {
      file?.discard();
      return diskProblem(error);
    }
    // From here on the new document is what a start would find.
    this.#document = document;
    if (this.#job !== undefined) this.#job.void = true;
    document.generation = this.#journal.turn();
    this.#published(document.seq, file.size);
    try {
      this.#syncNames(syncDir);
      this.#journals = false;
      for (const number of this.#before(generation)) attempt(() => files.remove(dir.journal(number)));
      // The old journal was not synced: torn by a power cut it must not stand beside the next one.
      syncDir(files, dir.path);
      this.#heal();
    } catch (error) {
      this.#journal.fail(error);
    }
    return undefined;
  }

  /** Resolves when all that was appended is durable; undefined when it is already. Rejects with NotDurable. */
  durable(): Promise<void> | undefined {
    return this.#journal.pending || this.#journal.failed ? this.#journal.flush() : undefined;
  }

  /** How much the journal has grown since the last snapshot began, in bytes. */
  get journalSize(): number {
    return this.#journal.bytes;
  }

  /** Whether nothing is accepted until a snapshot has succeeded. */
  get failed(): boolean {
    return this.#journal.failed;
  }

  /** Whether the snapshot alone holds the document. @param document the present one. */
  isClean(document: StoreDocument): boolean {
    return !this.#journals && !this.failed && document.seq === this.#snapshotSeq;
  }

  /** Lets go of the journal. Nothing may be appended any more. */
  end(): void {
    this.#journal.turn();
  }

  #writer(end: ConstructorParameters<typeof JournalWriter>[1]): JournalWriter {
    const { files, dir, now, onNotice } = this.#options;
    const onFailed = (error: unknown): void =>
      onNotice(
        `the disk did not take the journal (${errorText(error)}): what was answered in the last second may be lost if the ` +
          "machine stops now. Changes are refused until a snapshot could be written",
      );
    return new JournalWriter({ files, dir, now, onFailed }, end);
  }

  async #write(): Promise<void> {
    const { files, dir } = this.#options;
    const file = new SnapshotFile(files, dir);
    const job = { void: false };
    try {
      if (!this.#journal.failed) await this.#settle();
      // From here to the moment's copy nothing may come between: the next journal goes on from exactly this moment.
      const document = this.#document;
      if (document === undefined) return file.discard();
      const generation = this.#turn();
      const moment = momentOf({ ...document, generation });
      this.#job = job;
      for (const slice of snapshotSlices(moment)) {
        await file.writeLater(slice);
        if (job.void) return file.discard();
        await nextTurn();
      }
      await file.syncLater();
      if (job.void) return file.discard();
      file.publish();
      document.generation = generation;
      this.#published(moment.seq, file.size);
      await this.#syncNames(syncDirLater);
      this.#journals = document.seq !== moment.seq;
      await Promise.all(
        this.#before(generation).map((number) => files.removeLater(dir.journal(number)).catch(() => {})),
      );
      if (!this.#journal.failed) return;
      // What a failed sync has left of the old journal must be gone for good before the next one begins.
      await syncDirLater(files, dir.path);
      this.#heal();
    } catch (error) {
      file.discard();
      throw error;
    } finally {
      if (this.#job === job) this.#job = undefined;
    }
  }

  /** Makes the journal durable without holding the event loop, but for what comes in at the very last. */
  async #settle(): Promise<void> {
    for (let round = 0; round < 3 && this.#journal.pending; round += 1) await this.#journal.flush();
  }

  #turn(): number {
    if (!this.#journal.failed) {
      this.#journal.cleanTail();
      this.#journal.flushNow();
    }
    return this.#journal.turn();
  }

  #published(seq: number, size: number): void {
    this.#snapshotSeq = seq;
    this.snapshotSize = size;
  }

  #heal(): void {
    if (!this.#journal.failed) return;
    this.#journal.heal();
    this.#options.onNotice("recovered: a new snapshot holds everything; changes are accepted again");
  }

  #syncNames<T>(sync: (files: FileSystem, dir: string) => T): T {
    return sync(this.#options.files, path.dirname(this.#options.dir.target));
  }

  #before(generation: number): number[] {
    try {
      return journalNumbers(this.#options.files, this.#options.dir).filter((number) => number < generation);
    } catch {
      return [];
    }
  }
}
