/** Finds what last happened to a user or a secret, without reading the whole timeline at each refusal. */
import { foldUsername } from "#contract/scalars.ts";
import type { UsernameField } from "#contract/service/strategies.ts";
import type { Difference } from "#domain/history/differences.ts";
import type { History, HistoryEntry } from "#domain/history/history.ts";

/** So many names are known, the newest. */
const MOST_NAMES = 20_000;
/** An import can alter 100,000 users: so many of one transaction. */
const MOST_OF_ONE = 1_000;

/** Names under which a change is found: of a user, by id or former username, or of an app, by former secret. */
export const nameOfId = (appId: string, userId: string): string => `${appId}\nid\n${userId}`;
/** @see nameOfId */
export const nameOfUsername = (appId: string, field: UsernameField, username: string): string =>
  `${appId}\n${field}\n${foldUsername(username)}`;
/** @see nameOfId. Of the codes of a user that were removed. */
export const nameOfCodes = (appId: string, userId: string): string => `${appId}\ncodes\n${userId}`;
/** @see nameOfId */
export const nameOfSecret = (secret: string): string => `secret\n${secret}`;

const namesIn = (one: Difference): string[] => {
  if (one.noun === "apps")
    return one.before === undefined || one.before.secret === one.after?.secret ? [] : [nameOfSecret(one.before.secret)];
  if (one.noun === "passcodes" && one.before !== undefined && one.after === undefined)
    return [nameOfCodes(one.appId, one.before.userId)];
  if (one.noun !== "profiles" || one.before === undefined || one.before === one.after) return [];
  const { appId, before } = one;
  const { userId, phone, email } = before;
  const names = [nameOfId(appId, userId)];
  if (phone !== null) names.push(nameOfUsername(appId, "phone", phone));
  if (email !== null) names.push(nameOfUsername(appId, "email", email));
  return names;
};

/** A change, and the transaction that made it. */
export interface PastChange {
  readonly past: HistoryEntry;
  readonly difference: Difference;
}

/** @see the file */
export class PastNames {
  readonly #timeline: Pick<History, "after" | "at">;
  /** By name the number of the newest transaction, the oldest first. */
  readonly #seqs = new Map<string, number>();
  #read = 0;

  constructor(timeline: Pick<History, "after" | "at">) {
    this.#timeline = timeline;
  }

  /** @returns the newest change of what has this name; undefined if the timeline has none. */
  find(name: string): PastChange | undefined {
    this.#readOn();
    const seq = this.#seqs.get(name);
    const past = seq === undefined ? undefined : this.#timeline.at(seq);
    const difference = past?.differences.find((one) => namesIn(one).includes(name));
    return past === undefined || difference === undefined ? undefined : { past, difference };
  }

  #readOn(): void {
    for (const { seq, differences } of this.#timeline.after(this.#read)) {
      this.#read = seq;
      for (const one of differences.slice(0, MOST_OF_ONE))
        for (const name of namesIn(one)) {
          this.#seqs.delete(name);
          this.#seqs.set(name, seq);
        }
    }
    for (const name of this.#seqs.keys()) {
      if (this.#seqs.size <= MOST_NAMES) break;
      this.#seqs.delete(name);
    }
  }
}
