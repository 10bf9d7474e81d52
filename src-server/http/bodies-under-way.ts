/**
 * The bodies that one listener has begun to read and not yet whole: bounded in sum, so that no number of clients takes the
 * memory with them (CONTRACT 5).
 */
import { BOUNDS } from "#contract/bounds.ts";

/** A body that is still coming. */
export interface UnderWay {
  /** Bytes of memory that are kept for it. */
  bytes: number;
  /** Closes its connection. */
  close(): void;
}

/** @see file */
export class BodiesUnderWay {
  readonly #bodies = new Set<UnderWay>();
  #sum = 0;

  /** Notes that a body has grown. Where all are too much in sum, the largest is closed, which may be this one. */
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

  /** Forgets a body that has come, was refused, or whose client is gone. */
  end(body: UnderWay): void {
    if (this.#bodies.delete(body)) this.#sum -= body.bytes;
  }
}
