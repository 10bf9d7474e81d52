/**
 * lowdb's adapter: `read` loads the data at a start (document file, then journals), `write` writes the document file in
 * slices. In addition, `append` stores one transaction and `replace` a whole new document.
 */
import path from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Adapter } from "lowdb";
import type { Problem } from "#contract/problems.ts";
import type { JsonObject } from "#contract/scalars.ts";
import type { Change } from "#domain/decision.ts";
import { type DataDir, journalNumbers, removeLeftovers } from "./disk/data-dir.ts";
import { attempt, type FileSystem, syncDir, syncDirLater } from "./disk/files.ts";
import type { HeldLock } from "./disk/held-lock.ts";
import { keyFlaw } from "./document/check.ts";
import { copyOf, type StoreDocument } from "./document/document.ts";
import { DocumentFile, documentSlices, type FileVersion, generationIn, keepEdit } from "./document/file.ts";
import { diskProblem, errorText, NotDurable } from "./failure.ts";
import type { WorldIndex } from "./index/indexes.ts";
import { JournalWriter } from "./journal/writer.ts";
import { mendData, readData } from "./recovery/recovery.ts";

/** Dependencies of the adapter. */
export interface AdapterOptions {
  readonly files: FileSystem;
  readonly dir: DataDir;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called with messages for users: something was recovered, or a write to disk failed. */
  readonly onNotice: (text: string) => void;
  /** @see StoreOptions.checkKey */
  readonly checkKey: (key: JsonObject) => string | undefined;
  readonly lock: HeldLock;
  /** Whether the previous holder of the lock could resume at any time, and write to its open files. */
  readonly isDoubtful: boolean;
}

/** @see AdapterOptions */
export class JournalAdapter implements Adapter<StoreDocument> {
  /** The index of the data from `read`; undefined before that, and without data. */
  index: WorldIndex | undefined;
  /** Size of the document file in bytes. */
  documentSize = 0;
  readonly #options: AdapterOptions;
  #journal: JournalWriter;
  /** The current document, which a queued write saves, whatever document it was called with. */
  #document: StoreDocument | undefined;
  /** Document files are written one at a time. */
  #last: Promise<void> = Promise.resolve();
  /** The running write; a whole new document invalidates it. */
  #job: { void: boolean } | undefined;
  /** The number of the last change in the document file, and whether there is also a journal. */
  #documentSeq = -1;
  #journals = false;
  /** The generation of the current document file. */
  #generation: number | undefined;
  #version: FileVersion | undefined;

  constructor(options: AdapterOptions) {
    this.#options = options;
    this.#journal = this.#writer({ open: undefined, next: 1, chain: 0 });
    options.lock.isUntouched = () =>
      this.#journal.isUntouched && generationIn(options.files, options.dir) === this.#generation;
  }

  /** Loads the directory and cleans up. @returns null if it holds no data yet. @throws StoreFailure */
  async read(): Promise<StoreDocument | null> {
    const { files, dir, onNotice, checkKey, isDoubtful } = this.#options;
    const found = readData(files, dir);
    if (found !== undefined) {
      const flaw = keyFlaw(found.index.document, checkKey);
      if (flaw !== undefined) throw found.damage(flaw);
      mendData(files, dir, found, onNotice);
    }
    removeLeftovers(files, path.dirname(dir.target), `${path.basename(dir.target)}.`);
    if (found === undefined) return null;
    this.index = found.index;
    // The previous holder can still append to the journals that it has open, and create the next one; ignore those.
    const { next, chain } = found.journal;
    this.#journal = this.#writer(isDoubtful ? { open: undefined, next: next + 1, chain } : found.journal);
    this.#generation = found.index.document.generation;
    this.documentSize = found.documentSize;
    this.#version = found.documentVersion;
    this.#documentSeq = found.documentSeq;
    this.#journals = found.journals;
    for (const number of found.obsolete) attempt(() => files.remove(dir.journal(number)));
    attempt(() => {
      if ((files.stat(dir.target).mode & 0o077) !== 0) files.setMode(dir.target, 0o600);
    });
    if (found.edited || isDoubtful) await this.write(found.index.document);
    return found.index.document;
  }

  /** Writes the current document in slices. @throws Node errors, after which nothing has changed. */
  write(document: StoreDocument): Promise<void> {
    this.#document = document;
    const written = this.#last.then(() => this.#write());
    this.#last = written.catch(() => undefined);
    return written;
  }

  /** Appends one transaction to the journal. @returns the problem if it failed. */
  append(first: number, changes: readonly Change[]): Problem | undefined {
    const problem = this.#options.lock.check() ?? this.#journal.append(first, changes);
    if (problem !== undefined) return problem;
    this.#journals = true;
    return this.#stillHeld();
  }

  /**
   * Replaces all data with another document, as a new file. Blocks the event loop.
   * @returns the problem if it failed; nothing has changed then.
   */
  replace(document: StoreDocument): Problem | undefined {
    const { files, dir } = this.#options;
    const generation = this.#journal.following;
    let file: DocumentFile | undefined;
    try {
      file = new DocumentFile(files, dir.target);
      for (const slice of documentSlices({ ...document, generation })) file.write(slice);
      file.sync();
      const problem = this.#options.lock.check();
      if (problem !== undefined) {
        file.discard();
        return problem;
      }
      this.#publish(file);
    } catch (error) {
      file?.discard();
      return diskProblem(error);
    }
    // From here on a start would find the new document.
    this.#document = document;
    if (this.#job !== undefined) this.#job.void = true;
    document.generation = this.#journal.turn();
    this.#published(document, file.size);
    try {
      this.#syncNames(syncDir);
      this.#journals = false;
      for (const number of this.#before(generation)) attempt(() => files.remove(dir.journal(number)));
      // The old journal was not synced, and a power cut could tear it; it must be gone before the next one exists.
      syncDir(files, dir.path);
      this.#heal();
    } catch (error) {
      this.#journal.fail(error);
    }
    return this.#stillHeld();
  }

  /** Resolves once everything appended is durable; undefined if it already is. Rejects with NotDurable. */
  durable(): Promise<void> | undefined {
    return this.#journal.pending || this.#journal.failed ? this.#durable() : undefined;
  }

  /** Bytes added to the journal since the last write of the document file began. */
  get journalSize(): number {
    return this.#journal.bytes;
  }

  /** Whether nothing is accepted until the document file has been written. */
  get failed(): boolean {
    return this.#journal.failed;
  }

  /** Whether the document file alone holds the document. @param document the current one. */
  isClean(document: StoreDocument): boolean {
    return !this.#journals && !this.failed && document.seq === this.#documentSeq;
  }

  /** Closes the journal. Nothing can be appended after this. */
  end(): void {
    this.#journal.turn();
  }

  #writer(end: ConstructorParameters<typeof JournalWriter>[1]): JournalWriter {
    const { files, dir, now, onNotice } = this.#options;
    const onFailed = (error: unknown): void =>
      onNotice(
        `the disk did not take the journal (${errorText(error)}): what was answered in the last second may be lost if the ` +
          "machine stops now. Changes are refused until stagedoor.json has been written",
      );
    return new JournalWriter({ files, dir, now, onFailed }, end);
  }

  async #durable(): Promise<void> {
    await this.#journal.flush();
    const problem = this.#stillHeld();
    if (problem !== undefined) throw new NotDurable("Another process has taken over the data directory.", problem);
  }

  /** @returns the problem if the write may have come too late for a process that has taken over. */
  #stillHeld(): Problem | undefined {
    return this.#options.lock.check() === undefined ? undefined : this.#options.lock.giveUp();
  }

  async #write(): Promise<void> {
    const { files, dir, lock } = this.#options;
    const file = new DocumentFile(files, dir.target);
    const job = { void: false };
    try {
      if (!this.#journal.failed) await this.#settle();
      // No await between here and the copy: the next journal continues from exactly this moment.
      const document = this.#document;
      if (document === undefined) return file.discard();
      const generation = this.#turn();
      const moment = copyOf({ ...document, generation });
      this.#job = job;
      for (const slice of documentSlices(moment)) {
        await file.writeLater(slice);
        if (job.void) return file.discard();
        await nextTurn();
      }
      await file.syncLater();
      if (job.void) return file.discard();
      if (lock.check() !== undefined) throw new Error("another process holds the data directory");
      this.#publish(file);
      document.generation = generation;
      this.#published(moment, file.size);
      await this.#syncNames(syncDirLater);
      this.#journals = document.seq !== moment.seq;
      await Promise.all(
        this.#before(generation).map((number) => files.removeLater(dir.journal(number)).catch(() => {})),
      );
      if (!this.#journal.failed) return;
      // The remains that a failed sync left in the old journal must be removed durably before the next one begins.
      await syncDirLater(files, dir.path);
      this.#heal();
    } catch (error) {
      file.discard();
      throw error;
    } finally {
      if (this.#job === job) this.#job = undefined;
    }
  }

  /** Makes the journal durable without blocking the event loop, except for the very last bytes. */
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

  /** Replaces the document file; a version that someone edited is backed up. @throws Node errors. */
  #publish(file: DocumentFile): void {
    const { files, dir, now, onNotice } = this.#options;
    const kept = keepEdit(files, dir.target, this.#version, now());
    this.#version = file.publish();
    if (kept === undefined) return;
    const advice = "To use that version, stop Stagedoor, put it back and start again";
    onNotice(
      `${dir.document} was edited while Stagedoor ran. The edited version is not in use; it is kept as ${kept}. ${advice}`,
    );
  }

  #published({ seq, generation }: StoreDocument, size: number): void {
    this.#documentSeq = seq;
    this.#generation = generation;
    this.documentSize = size;
  }

  #heal(): void {
    if (!this.#journal.failed) return;
    this.#journal.heal();
    this.#options.onNotice("recovered: stagedoor.json holds everything; changes are accepted again");
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
