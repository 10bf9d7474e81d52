/** Collects the bytes of a body. Tiny chunks are copied into blocks: thousands take no more than their content. */
import { BOUNDS } from "#contract/bounds.ts";

/** Smaller chunks are copied into blocks of this size in bytes. */
const BLOCK_BYTES = 16_384;
const NOTHING = Buffer.alloc(0);

export class Gathered {
  readonly #full: Buffer[] = [];
  readonly #most: number;
  readonly #counted: boolean;
  #block = NOTHING;
  #filled = 0;
  #size = 0;
  #pieces = 0;
  /** Allocated bytes. */
  capacity = 0;

  /** @param most bytes. @param counted whether the number of chunks is limited too. */
  constructor(most: number, counted: boolean) {
    this.#most = most;
    this.#counted = counted;
  }

  /** @returns why the body is refused with this chunk; undefined to continue. */
  add(piece: Buffer): "body_too_large" | "body_too_complex" | undefined {
    this.#size += piece.length;
    if (this.#size > this.#most) return "body_too_large";
    if (this.#counted && ++this.#pieces > BOUNDS.bodyPieces.most + this.#size / 64) return "body_too_complex";
    if (this.capacity > 0 && piece.length < BLOCK_BYTES) this.#fill(piece);
    else {
      this.#closeBlock();
      this.#full.push(piece);
      this.capacity += piece.length;
    }
    return undefined;
  }

  whole(): Buffer {
    this.#closeBlock();
    const [first = NOTHING, second] = this.#full;
    return second === undefined ? first : Buffer.concat(this.#full, this.#size);
  }

  /** Frees the memory now: the garbage collector would first let 200 MiB of closed bodies pile up. */
  release(): void {
    const owned = new Set<ArrayBuffer>();
    for (const { buffer } of this.#full.splice(0))
      if (buffer instanceof ArrayBuffer && buffer.byteLength >= BLOCK_BYTES) owned.add(buffer);
    structuredClone(null, { transfer: [...owned] });
  }

  #fill(piece: Buffer): void {
    const copied = piece.copy(this.#block, this.#filled);
    this.#filled += copied;
    if (copied === piece.length) return;
    this.#closeBlock();
    this.#block = Buffer.allocUnsafe(BLOCK_BYTES);
    this.capacity += BLOCK_BYTES;
    this.#filled = piece.copy(this.#block, 0, copied);
  }

  #closeBlock(): void {
    if (this.#filled > 0) this.#full.push(this.#block.subarray(0, this.#filled));
    this.#block = NOTHING;
    this.#filled = 0;
  }
}
