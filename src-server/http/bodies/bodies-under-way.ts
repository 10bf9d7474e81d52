/** What unfinished bodies take, limited in total, and what an import of a bound token weighs while it arrives. */
import { BOUNDS } from "#contract/bounds.ts";
import type { Problem } from "#contract/service/problems.ts";
import { inMebibytes } from "#contract/words/words.ts";
import type { Shares } from "#domain/shares.ts";

/** A body that is still arriving. */
export interface UnderWay {
  /** Bytes of memory reserved for it. */
  bytes: number;
  close(): void;
}

export class BodiesUnderWay {
  readonly #bodies = new Set<UnderWay>();
  #sum = 0;

  /** Reports that a body has grown. If the total is too large, closes the largest, possibly this one. */
  grow(body: UnderWay, bytes: number): void {
    this.#bodies.add(body);
    this.#sum += bytes - body.bytes;
    body.bytes = bytes;
    while (this.#sum > BOUNDS.bodiesBytes.most) {
      let largest = body;
      for (const other of this.#bodies) if (other.bytes > largest.bytes) largest = other;
      if (largest.bytes < BOUNDS.bodySparedBytes.most) return;
      this.end(largest);
      largest.close();
    }
  }

  /** Removes a body that is complete or refused, or whose client has disconnected. */
  end(body: UnderWay): void {
    if (this.#bodies.delete(body)) this.#sum -= body.bytes;
  }
}

/** What an object of JSON adds at least to what is kept, and what reading a byte and an object takes. */
const KEPT_OBJECT = 64;
const READ_BYTE = 8;
const READ_OBJECT = 800;
const OPENING_BRACE = 0x7b;

/** Told each piece of a body. @returns why the rest is refused; undefined: it may fit. */
export type Weigh = (piece: Buffer) => Problem | undefined;

/** @returns what weighs a body that is imported into an app. */
export const weighingFor = (shares: Shares, appId: string): Weigh | undefined => {
  const room = shares.roomOf(appId);
  if (room === undefined) return undefined;
  let bytes = 0;
  let objects = 0;
  return (piece) => {
    bytes += piece.length;
    for (let at = piece.indexOf(OPENING_BRACE); at >= 0; at = piece.indexOf(OPENING_BRACE, at + 1)) objects += 1;
    const kept = bytes + KEPT_OBJECT * objects;
    if (kept <= room.kept && READ_BYTE * bytes + READ_OBJECT * objects <= room.read) return undefined;
    const has =
      kept > room.kept ? `This app can keep ${inMebibytes(room.kept)} more` : "It takes too much memory to read";
    return {
      code: "share_used_up",
      status: 413,
      instruction: `${has}: the import does not fit. Import less at a time, or delete what this app no longer needs. Nothing was changed.`,
    };
  };
};
