/**
 * How many faults there may be (CONTRACT 13): each app-bound token has room of its own, all of them together no more than
 * their share, and the console's own token the rest, so that no job takes the room of another, or of the owner.
 */
import type { Maxima } from "#contract/bounds.ts";
import type { FaultInput } from "#contract/faults.ts";
import type { Problem } from "#contract/problems.ts";
import { counted, many } from "#contract/words.ts";
import type { FaultItem } from "./contract/faults.ts";
import type { FaultOwner } from "./owner.ts";

/** A fault in the books. */
interface Held {
  readonly owner: FaultOwner;
  readonly bytes: number;
}

/** A bound: for how many faults and bytes there is room, and in whose words. */
interface Room {
  readonly of: (owner: FaultOwner) => boolean;
  readonly count: number;
  readonly bytes: number;
  readonly who: string;
}

const bytesOf = (input: FaultInput | FaultItem): number => Buffer.byteLength(JSON.stringify(input));

/** @see the file */
export class FaultRoom {
  readonly #maxima: Maxima;
  readonly #held = new Map<string, Held>();

  constructor(maxima: Maxima) {
    this.#maxima = maxima;
  }

  note(id: string, owner: FaultOwner, input: FaultInput): void {
    this.#held.set(id, { owner, bytes: bytesOf(input) });
  }

  forget(id: string): void {
    this.#held.delete(id);
  }

  /**
   * @param isKept which of the existing ones stay. @param list the existing ones, oldest first.
   * @returns the used-up ones of this owner to drop, so that these find room, or why there is none.
   */
  for(
    inputs: readonly FaultInput[],
    owner: FaultOwner,
    list: readonly FaultItem[],
    isKept: (fault: FaultItem) => boolean,
  ): { readonly drop: readonly string[] } | { readonly problem: Problem } {
    const rooms = this.#roomsOf(owner).map((room) => ({ ...room, leftCount: room.count, leftBytes: room.bytes }));
    const take = (of: FaultOwner, count: number, bytes: number): void => {
      for (const room of rooms)
        if (room.of(of)) {
          room.leftCount -= count;
          room.leftBytes -= bytes;
        }
    };
    const full = () => rooms.find(({ leftCount, leftBytes }) => leftCount < 0 || leftBytes < 0);
    take(owner, inputs.length, inputs.length === 0 ? 0 : inputs.reduce((sum, input) => sum + bytesOf(input), 0));
    const spent: (Held & { readonly id: string })[] = [];
    for (const fault of list) {
      const held = this.#held.get(fault.id);
      if (held === undefined || !isKept(fault)) continue;
      take(held.owner, 1, held.bytes);
      if (fault.remaining === 0 && held.owner === owner) spent.push({ ...held, id: fault.id });
    }
    const drop: string[] = [];
    for (let room = full(); room !== undefined; room = full()) {
      const oldest = spent.shift();
      if (oldest === undefined) {
        const what = room.leftCount < 0 ? many(room.count, "fault") : `${counted(room.bytes)} bytes of faults`;
        const instruction = `${room.who} at most ${what}. Delete some first. Nothing was changed.`;
        return { problem: { code: "too_many_faults", instruction } };
      }
      drop.push(oldest.id);
      take(oldest.owner, -1, -oldest.bytes);
    }
    return { drop };
  }

  #roomsOf(owner: FaultOwner): readonly Room[] {
    const { appFaults, appFaultBytes, boundFaults, boundFaultBytes, faults, faultBytes } = this.#maxima;
    const isOwn = (of: FaultOwner): boolean => of === owner;
    if (owner === null) return [{ of: isOwn, count: faults, bytes: faultBytes, who: "Stagedoor keeps" }];
    return [
      { of: isOwn, count: appFaults, bytes: appFaultBytes, who: "The token of an app sets" },
      {
        of: (of) => of !== null,
        count: boundFaults,
        bytes: boundFaultBytes,
        who: "The tokens of all apps together set",
      },
    ];
  }
}
