/** The unfinished request bodies of one listener, limited in total. */
import { BOUNDS } from "#contract/bounds.ts";

/** A body that is still arriving. */
export interface UnderWay {
  /** Bytes of memory reserved for it. */
  bytes: number;
  /** Closes its connection. */
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
