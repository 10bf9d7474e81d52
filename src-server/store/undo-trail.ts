/**
 * What was replaced after one named snapshot until the next one: parts of it, oldest first, in memory or in files.
 */
import type { Past } from "#domain/past.ts";
import { Undo } from "#domain/undo.ts";
import type { SpillFile } from "./spill-file.ts";
import type { SpilledUndo } from "./spilled-undo.ts";

/** A part up to this size is copied into the one before, which takes about a millisecond; larger ones stay apart. */
const SMALL_BYTES = 512 * 1024;

/** A stretch of a trail. It stays the same one when it moves from memory to a file, or to another trail. */
export class Part {
  #past: Undo | SpilledUndo;
  #file: SpillFile | undefined;
  #isWriting = false;
  #isDropped = false;

  /** @param undo what it holds to begin with. */
  constructor(undo: Undo) {
    this.#past = undo;
  }

  /** What it holds, wherever it is. */
  get past(): Undo | SpilledUndo {
    return this.#past;
  }

  /** What is in memory and may be added to. */
  get open(): Undo | undefined {
    return this.#past instanceof Undo && !this.#isWriting ? this.#past : undefined;
  }

  /** About how many bytes of memory it takes. */
  get size(): number {
    return this.#past instanceof Undo ? this.#past.size : 0;
  }

  /** Whether nobody needs it any more. */
  get isDropped(): boolean {
    return this.#isDropped;
  }

  /** Moves it to a file, in slices; it can be read all the time. @param make the file. @throws Node's errors: it stays. */
  async spill(make: () => SpillFile): Promise<void> {
    const undo = this.open;
    if (undo === undefined || this.#isDropped) return;
    this.#isWriting = true;
    try {
      const file = make();
      const spilled = await file.write(undo, () => this.#isDropped);
      if (spilled === undefined) return;
      [this.#past, this.#file] = [spilled, file];
      // While the last of it was written it may have become void after all.
      if (this.#isDropped) this.#letGo();
    } finally {
      this.#isWriting = false;
    }
  }

  /** Lets go of an app that nobody will ask for, and of the file if that was the last one in it. */
  forget(isNeeded: (appId: string) => boolean): void {
    const past = this.#past;
    for (const appId of [...past.apps.keys()]) {
      if (isNeeded(appId)) continue;
      if (past instanceof Undo) past.forget(appId);
      else past.apps.delete(appId);
    }
  }

  /** Nobody needs it any more: its file goes, once nobody reads it. */
  drop(): void {
    this.#isDropped = true;
    this.#letGo();
  }

  #letGo(): void {
    if (!(this.#past instanceof Undo)) this.#past.close();
    this.#file?.remove();
    this.#file = undefined;
  }
}

/** @see Part */
export class UndoTrail {
  readonly #parts: Part[] = [];

  /** Oldest first. */
  get parts(): readonly Part[] {
    return this.#parts;
  }

  /** What is noted now goes here. */
  get live(): Undo {
    const open = this.#parts.at(-1)?.open;
    if (open !== undefined) return open;
    const undo = new Undo();
    this.#parts.push(new Part(undo));
    return undo;
  }

  /** Takes over the parts of the one after this. */
  append(newer: UndoTrail): void {
    const [first, ...others] = newer.#parts;
    const [mine, theirs] = [this.#parts.at(-1)?.open, first?.open];
    if (mine === undefined || theirs === undefined || theirs.size > SMALL_BYTES) this.#parts.push(...newer.#parts);
    else {
      mine.append(theirs);
      this.#parts.push(...others);
    }
  }

  /** @see Part.forget. Parts that hold nothing then go too. */
  forget(isNeeded: (appId: string) => boolean): void {
    for (const part of this.#parts) part.forget(isNeeded);
    const isEmpty = ({ past }: Part): boolean => past.apps.size === 0 && past.clock === undefined;
    const [empty, kept] = [this.#parts.filter(isEmpty), this.#parts.filter((part) => !isEmpty(part))];
    for (const part of empty) part.drop();
    this.#parts.splice(0, this.#parts.length, ...kept);
  }

  /** Nobody needs any of it any more. */
  drop(): void {
    for (const part of this.#parts.splice(0)) part.drop();
  }
}

/** What leads back to a snapshot, to be read bit by bit. */
export interface HeldPasts {
  /** Oldest first. */
  readonly pasts: readonly Past[];
  /** Must be called when it is read: until then files stay open. */
  release(): void;
}

/** @returns parts as they are now, with their files kept open. */
export const holdParts = (parts: readonly Part[]): HeldPasts => {
  const pasts = parts.map(({ past }) => past);
  const spilled = pasts.filter((past): past is SpilledUndo => !(past instanceof Undo));
  for (const past of spilled) past.hold();
  return {
    pasts,
    release: () => {
      for (const past of spilled) past.release();
    },
  };
};
