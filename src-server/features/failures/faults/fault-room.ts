/**
 * How many faults there may be: each app-bound token has room of its own, and the console's own token
 * another, so that no job takes the room of another, or of the owner.
 */
import type { Maxima } from "#contract/bounds.ts";
import type { FaultInput } from "#contract/service/faults.ts";
import type { Problem } from "#contract/service/problems.ts";
import { counted, many } from "#contract/words/words.ts";
import type { FaultOwner } from "./owner.ts";

const bytesOf = (input: FaultInput): number => Buffer.byteLength(JSON.stringify(input));

/** @see the file */
export class FaultRoom {
  readonly #maxima: Maxima;
  /** The bytes of each fault by its id, oldest first, by owner. */
  readonly #held = new Map<FaultOwner, Map<string, number>>();
  readonly #owners = new Map<string, FaultOwner>();

  constructor(maxima: Maxima) {
    this.#maxima = maxima;
  }

  note(id: string, owner: FaultOwner, input: FaultInput): void {
    const held = this.#held.get(owner) ?? new Map<string, number>();
    this.#held.set(owner, held.set(id, bytesOf(input)));
    this.#owners.set(id, owner);
  }

  forget(id: string): void {
    const owner = this.#owners.get(id);
    if (owner === undefined) return;
    this.#owners.delete(id);
    const held = this.#held.get(owner);
    held?.delete(id);
    if (held?.size === 0) this.#held.delete(owner);
  }

  /** @returns the bytes of all that this owner has set. */
  bytesOf(owner: FaultOwner): number {
    let sum = 0;
    for (const bytes of this.#held.get(owner)?.values() ?? []) sum += bytes;
    return sum;
  }

  /** @returns the bytes of faults. */
  weigh(inputs: readonly FaultInput[]): number {
    return inputs.reduce((sum, input) => sum + bytesOf(input), 0);
  }

  /**
   * @param isKept which of the existing ones, by id, stay. @param isSpent which are used up.
   * @returns the used-up ones of this owner to drop, so that these find room, or why there is none.
   */
  for(
    inputs: readonly FaultInput[],
    owner: FaultOwner,
    isKept: (id: string) => boolean,
    isSpent: (id: string) => boolean,
  ): { readonly drop: readonly string[] } | { readonly problem: Problem } {
    const most = this.#roomOf(owner);
    let count = most.count - inputs.length;
    let bytes = most.bytes - this.weigh(inputs);
    const spent: (readonly [id: string, bytes: number])[] = [];
    for (const [id, size] of this.#held.get(owner) ?? []) {
      if (!isKept(id)) continue;
      count -= 1;
      bytes -= size;
      if (isSpent(id)) spent.push([id, size]);
    }
    const drop: string[] = [];
    while (count < 0 || bytes < 0) {
      const oldest = spent.shift();
      if (oldest === undefined) {
        const what = count < 0 ? many(most.count, "fault") : `${counted(most.bytes)} bytes of faults`;
        const instruction = `${most.who} at most ${what}. Delete some first. Nothing was changed.`;
        return { problem: { code: "too_many_faults", instruction } };
      }
      drop.push(oldest[0]);
      count += 1;
      bytes += oldest[1];
    }
    return { drop };
  }

  #roomOf(owner: FaultOwner) {
    const { appFaults, appFaultBytes, faults, faultBytes } = this.#maxima;
    return owner === null
      ? { count: faults, bytes: faultBytes, who: "Stagedoor keeps" }
      : { count: appFaults, bytes: appFaultBytes, who: "The token of an app sets" };
  }
}
