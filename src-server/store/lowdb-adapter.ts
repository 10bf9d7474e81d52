/**
 * lowdb's adapter: `read` loads the data at a start (document file, then journals), `write` writes the document file in
 * slices. In addition, `append` stores one transaction.
 */
import path from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Adapter } from "lowdb";
import type { Problem } from "#contract/service/problems.ts";
import type { Change } from "#domain/decision.ts";
import { type DataDir, isTemporary, isWritable, journalNumbers, removeWhere } from "./disk/data-dir.ts";
import { attempt, syncDir, syncDirLater } from "./disk/files.ts";
import type { HeldLock } from "./disk/held-lock.ts";
import { copyOf, type StoreDocument } from "./document/document.ts";
import { DocumentFile, documentSlices, generationIn, keepEdit, versionOf } from "./document/file.ts";
import { diskProblem, errorText, NotDurable } from "./failure.ts";
import type { WorldIndex } from "./index/indexes.ts";
import { type JournalEnd, JournalWriter } from "./journal/writer.ts";
import { type CheckKey, mendData, readData } from "./recovery/recovery.ts";

/** Dependencies of the adapter. */
export interface AdapterOptions {
  readonly dir: DataDir;
  readonly now: () => number;
  /** Called with messages for users: something was recovered, or a write to disk failed. */
  readonly onNotice: (text: string) => void;
  readonly checkKey: CheckKey | undefined;
  readonly lock: HeldLock;
}

/** @see AdapterOptions */
export class JournaledStorage implements Adapter<StoreDocument> {
  /** The index of the data from `read`; undefined before that, and without data. */
  index: WorldIndex | undefined;
  documentSize = 0;
  /** Called when everything must be written before anything is accepted. */
  onIncomplete: () => void = () => undefined;
  readonly #options: AdapterOptions;
  #journal: JournalWriter;
  /** The current document, which a queued write saves, whatever document it was called with. */
  #document: StoreDocument | undefined;
  /** Document files are written one at a time. */
  #last: Promise<void> = Promise.resolve();
  /** The running write; one of a whole new document makes it void. */
  #job: { isVoid: boolean } | undefined;
  /** The document file: its last change, generation and version. */
  #file: { readonly seq: number; readonly generation?: number } = { seq: -1 };
  #version: string | undefined;
  /** Why everything is written again: a file is not the one that this process wrote. */
  #replaced: Problem | undefined;
  /** Whether the last transaction could not be written. */
  #refused = false;
  /** Whether there is also a journal. */
  #journals = false;

  constructor(options: AdapterOptions) {
    const { dir, lock } = options;
    this.#options = options;
    this.#journal = this.#writer({ open: undefined, next: 1, chain: 0 });
    lock.isUntouched = () => this.#journal.isUntouched && generationIn(dir) === this.#file.generation;
    lock.onRenewed = () => void this.#look();
    lock.onBack = () => {
      this.#journal.reopen();
      if (lock.isUntouched()) return;
      // Memory has everything, and the directory does not.
      this.#journal.isFailed = true;
      this.onIncomplete();
    };
  }

  /** @returns why nothing can be written; undefined if it can. */
  unwritable(): Problem | undefined {
    const { dir, lock } = this.#options;
    const problem = lock.look();
    if (problem !== undefined) return problem;
    if (this.#journal.isFailed)
      return this.#replaced ?? { code: "disk_failed", instruction: `${dir.document} could not be written.` };
    if (this.#refused) this.#refused = !isWritable(dir);
    return this.#refused ? { code: "disk_full", instruction: `${dir.path} takes no more data.` } : undefined;
  }

  /** Loads the directory and cleans up. @returns null if it holds no data yet. @throws StoreFailure */
  async read(): Promise<StoreDocument | null> {
    const { dir, onNotice, checkKey, lock } = this.#options;
    const { files, target } = dir;
    const found = readData(dir, checkKey);
    if (found !== undefined) mendData(dir, found, onNotice);
    removeWhere(files, path.dirname(target), isTemporary(`${path.basename(target)}.`));
    if (found === undefined) return null;
    const { index, end } = found;
    this.index = index;
    // The previous holder can still append to the journals that it has open, and create the next one; ignore those.
    this.#journal = this.#writer(lock.isDoubtful ? { ...end, open: undefined, next: end.next + 1 } : end);
    this.#file = { seq: found.documentSeq, generation: index.document.generation };
    this.documentSize = found.documentSize;
    this.#version = found.documentVersion;
    this.#journals = found.journals.length > 0;
    if (found.edited || lock.isDoubtful) await this.write(index.document);
    return index.document;
  }

  /** Writes the current document in slices. @throws Node errors, after which nothing has changed. */
  write(document: StoreDocument): Promise<void> {
    this.#document = document;
    const written = this.#last.then(() => this.#write());
    this.#last = written.catch(() => undefined);
    return written;
  }

  /** Appends one transaction to the journal. @returns the problem if it failed. */
  append(first: number, changes: readonly Change[] | string): Problem | undefined {
    const { lock } = this.#options;
    const problem = lock.check() ?? this.#replaced ?? this.#journal.append(first, changes);
    // A missing directory is the reason, if it is.
    this.#refused = problem !== undefined;
    if (problem !== undefined) return lock.look() ?? problem;
    this.#journals = true;
    return this.#stillHeld();
  }

  /** @see Keeper.replace Blocks the event loop; nothing has changed if it failed. */
  replace(document: StoreDocument): Problem | undefined {
    const { dir, lock } = this.#options;
    const generation = this.#journal.following;
    let file: DocumentFile | undefined;
    try {
      file = new DocumentFile(dir.files, dir.target);
      for (const slice of documentSlices({ ...document, generation })) file.write(slice);
      file.sync();
      const problem = lock.check();
      if (problem !== undefined) return problem;
      this.#publish(file, document.seq, generation);
    } catch (error) {
      return diskProblem(error);
    } finally {
      file?.discard();
    }
    if (this.#job !== undefined) this.#job.isVoid = true;
    document.generation = this.#journal.turn();
    this.#refused = false;
    try {
      syncDir(dir.files, path.dirname(dir.target));
      this.#journals = false;
      for (const number of this.#before(generation)) attempt(() => dir.files.remove(dir.journal(number)));
      // The old journal was not synced, and a power cut could tear it; it must be gone before the next one exists.
      syncDir(dir.files, dir.path);
      if (this.#journal.isFailed) this.#heal();
    } catch (error) {
      this.#journal.fail(error);
    }
    return this.#stillHeld();
  }

  /** Resolves once everything appended is durable; undefined if it already is. Rejects with NotDurable. */
  durable(): Promise<void> | undefined {
    return this.#journal.pending || this.#journal.isFailed ? this.#durable() : undefined;
  }

  get journal(): JournalWriter {
    return this.#journal;
  }

  /** Whether the document file alone holds the document. @param document the current one. */
  isClean(document: StoreDocument): boolean {
    return !this.#journals && !this.#journal.isFailed && document.seq === this.#file.seq;
  }

  /** Closes the journal. Nothing can be appended after this. @returns once no write touches the directory any more. */
  async end(): Promise<void> {
    // It may still be removing old journals, although the document is already clean.
    await this.#last;
    this.#journal.turn();
  }

  #writer(end: JournalEnd): JournalWriter {
    const { dir, now, onNotice } = this.#options;
    const onFailed = (error: unknown): void =>
      onNotice(
        `the journal could not be written to disk (${errorText(error)}): changes of the last second may be lost if the ` +
          "machine stops now. Changes are rejected until stagedoor.json has been written",
      );
    return new JournalWriter({ dir, now, onFailed }, end);
  }

  async #durable(): Promise<void> {
    await this.#journal.flush();
    const problem = this.#stillHeld();
    if (problem !== undefined) throw new NotDurable("Another process has taken over the data folder.", problem);
    const replaced = this.#look();
    if (replaced !== undefined) throw new NotDurable("The data files were replaced.", replaced);
  }

  /**
   * Looks whether the files are those that this process wrote. If one is not, nothing is accepted until memory, which
   * has everything, is written again. @returns the problem.
   */
  #look(): Problem | undefined {
    const { dir, lock, onNotice } = this.#options;
    if (lock.isAway || lock.isLost || this.#journal.isFailed) return this.#replaced;
    let version: string | undefined;
    attempt(() => (version = versionOf(dir.files, dir.target)));
    const isSame = version === this.#version;
    if (isSame && this.#journal.isUntouched) return undefined;
    const away = lock.look();
    if (away !== undefined) return away;
    const what = `${isSame ? this.#journal.file : dir.document} was replaced, removed or cut while Stagedoor ran`;
    onNotice(`${what}: rewriting all data; changes are rejected until then`);
    this.#replaced = {
      code: "disk_failed",
      instruction: `${what}. Nothing was changed. All data is being rewritten: try again in a moment.`,
    };
    this.#journal.isFailed = true;
    this.onIncomplete();
    return this.#replaced;
  }

  /** @returns the problem if the write may have come too late for a process that has taken over. */
  #stillHeld(): Problem | undefined {
    const { lock } = this.#options;
    // No one takes over a directory that is missing: the lock in it is renewed wherever it is.
    return lock.check() === undefined || lock.isAway ? undefined : lock.giveUp();
  }

  async #write(): Promise<void> {
    const { dir, lock } = this.#options;
    const { files } = dir;
    const file = new DocumentFile(files, dir.target);
    const job = { isVoid: false };
    try {
      // Without blocking the event loop, except for the very last bytes.
      for (let round = 0; round < 3 && !this.#journal.isFailed && this.#journal.pending; round += 1)
        await this.#journal.flush();
      // No await between here and the copy: the next journal continues from exactly this moment.
      const document = this.#document;
      if (document === undefined) return;
      if (!this.#journal.isFailed) {
        this.#journal.cleanTail();
        this.#journal.flushNow();
      }
      const generation = this.#journal.turn();
      const moment = copyOf({ ...document, generation });
      this.#job = job;
      for (const slice of documentSlices(moment)) {
        await file.writeLater(slice);
        if (job.isVoid) return;
        await nextTurn();
      }
      await file.syncLater();
      if (job.isVoid) return;
      if (lock.check() !== undefined) throw new Error("another process uses the data folder");
      this.#publish(file, moment.seq, generation);
      document.generation = generation;
      await syncDirLater(files, path.dirname(dir.target));
      this.#journals = document.seq !== moment.seq;
      await Promise.allSettled(this.#before(generation).map((number) => files.removeLater(dir.journal(number))));
      if (!this.#journal.isFailed) return;
      // The remains that a failed sync left in the old journal must be removed durably before the next one begins.
      await syncDirLater(files, dir.path);
      this.#heal();
    } finally {
      file.discard();
    }
  }

  /** Replaces the document file, so that a start finds it; a version that someone edited is backed up. @throws Node errors. */
  #publish(file: DocumentFile, seq: number, generation: number): void {
    const { dir, now, onNotice } = this.#options;
    const kept = keepEdit(dir, this.#version, now());
    this.#version = file.publish();
    this.documentSize = file.size;
    this.#file = { seq, generation };
    const what = `${dir.document} was edited while Stagedoor ran. The edited version is not in use; it is kept as ${kept}`;
    if (kept !== undefined) onNotice(`${what}. To use that version, stop Stagedoor, put it back and start again`);
  }

  #heal(): void {
    this.#journal.isFailed = false;
    this.#replaced = undefined;
    this.#options.onNotice("recovered: stagedoor.json holds everything; changes are accepted again");
  }

  #before(generation: number): number[] {
    try {
      return journalNumbers(this.#options.dir).filter((number) => number < generation);
    } catch {
      return [];
    }
  }
}
