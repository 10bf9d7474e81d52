/**
 * Writes what was replaced over some time to a file, in slices between requests (spilled-undo.ts reads it).
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Collection } from "#contract/records.ts";
import type { Undo } from "#domain/undo.ts";
import type { DataDir } from "./data-dir.ts";
import { attempt, type FileSystem } from "./files.ts";
import { SLICE } from "./snapshot.ts";
import { type Range, type SpilledApp, SpilledUndo, spilledApp, spilledLine } from "./spilled-undo.ts";

/** A file for what named snapshots do not keep in memory. */
export class SpillFile {
  readonly #files: FileSystem;
  readonly #path: string;
  readonly #fd: number;
  #size = 0;
  #slice = "";
  #lines = 0;
  /** Bytes of the slice so far. */
  #waiting = 0;

  /** Makes the file. @throws Node's errors. */
  constructor(files: FileSystem, dir: DataDir) {
    this.#files = files;
    this.#path = dir.spill();
    this.#fd = files.create(this.#path);
  }

  /**
   * @param undo must not change meanwhile, but for apps that are forgotten. @param isVoid asked between slices.
   * @returns it as it is to be read, or undefined if it became void. @throws Node's errors: then the file is gone.
   */
  async write(undo: Undo, isVoid: () => boolean): Promise<SpilledUndo | undefined> {
    const apps = new Map<string, SpilledApp>();
    try {
      for (const [appId, app] of [...undo.apps]) {
        const range = async (collection: Collection): Promise<Range> =>
          await this.#list(undo, appId, collection, isVoid);
        const [profiles, passcodes] = [await range("profiles"), await range("passcodes")];
        const [sessions, connections] = [await range("sessions"), await range("connections")];
        apps.set(appId, spilledApp(app, { profiles, passcodes, sessions, connections }));
      }
      await this.#flush();
      this.#files.close(this.#fd);
    } catch (error) {
      this.#discard();
      throw error;
    }
    return isVoid() ? this.remove() : this.#opened(apps, undo);
  }

  /** Removes it from the directory; those who read it can go on. */
  remove(): undefined {
    attempt(() => this.#files.remove(this.#path));
  }

  #opened(apps: Map<string, SpilledApp>, undo: Undo): SpilledUndo {
    try {
      // Apps may have been forgotten while it was written.
      for (const appId of apps.keys()) if (!undo.apps.has(appId)) apps.delete(appId);
      return new SpilledUndo(this.#files, this.#files.openToRead(this.#path), apps, undo.clock);
    } catch (error) {
      this.remove();
      throw error;
    }
  }

  async #list(undo: Undo, appId: string, collection: Collection, isVoid: () => boolean): Promise<Range> {
    const start = this.#size + this.#waiting;
    const [first, last] = undo.chunks(appId, collection);
    // What was noted goes before what it last had: of two with one id the first counts.
    for (const entries of [first, last])
      for (const [id, before] of entries ?? []) {
        if (isVoid()) break;
        this.#add(spilledLine(id, before));
        if (this.#lines >= SLICE.records || this.#slice.length >= SLICE.characters) await this.#flush();
      }
    return { start, end: this.#size + this.#waiting };
  }

  #add(line: string): void {
    this.#slice += line;
    this.#lines += 1;
    this.#waiting += Buffer.byteLength(line);
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.from(this.#slice, "utf8");
    [this.#slice, this.#lines, this.#waiting] = ["", 0, 0];
    for (let done = 0; done < bytes.length; ) {
      const count = await this.#files.writeLater(this.#fd, bytes, done, bytes.length - done, this.#size);
      if (count <= 0) throw Object.assign(new Error("the disk takes no more"), { code: "ENOSPC" });
      done += count;
      this.#size += count;
    }
    await nextTurn();
  }

  #discard(): void {
    attempt(() => this.#files.close(this.#fd));
    this.remove();
  }
}
