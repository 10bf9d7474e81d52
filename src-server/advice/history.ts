/** What became of a user, a secret or an id: found in the timeline without reading all of it at each refusal. */
import { foldUsername, isoInstant } from "#contract/scalars.ts";
import type { ProfileRecord } from "#contract/service/records.ts";
import { type UsernameField, usernameField } from "#contract/service/strategies.ts";
import { recipientText } from "#contract/words/phone-words.ts";
import type { Difference } from "#domain/history/differences.ts";
import type { History, HistoryEntry } from "#domain/history/history.ts";
import { nameOf } from "#domain/profile-rules.ts";
import type { AppWorld } from "#domain/world.ts";
import type { RequestLog } from "#http/traffic/request-log.ts";

const MOST_NAMES = 20_000;
/** An import can alter 100,000 users: so many of one transaction. */
const MOST_OF_ONE = 1_000;

/** Names under which a change is found: of a user, by id or former username, or of an app, by former secret. */
const nameOfId = (appId: string, userId: string): string => `${appId}\nid\n${userId}`;
const nameOfUsername = (appId: string, field: UsernameField, username: string): string =>
  `${appId}\n${field}\n${foldUsername(username)}`;
const nameOfCodes = (appId: string, userId: string): string => `${appId}\ncodes\n${userId}`;
const nameOfSecret = (secret: string): string => `secret\n${secret}`;

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
export interface NamedChange {
  readonly entry: HistoryEntry;
  readonly difference: Difference;
}

export class HistoryNames {
  readonly #timeline: Pick<History, "after" | "at">;
  /** By name the number of the newest transaction, the oldest first. */
  readonly #seqs = new Map<string, number>();
  #read = 0;

  constructor(timeline: Pick<History, "after" | "at">) {
    this.#timeline = timeline;
  }

  /** @returns the newest change of what has this name; undefined if the timeline has none. */
  find(name: string): NamedChange | undefined {
    this.#readOn();
    const seq = this.#seqs.get(name);
    const entry = seq === undefined ? undefined : this.#timeline.at(seq);
    const difference = entry?.differences.find((one) => namesIn(one).includes(name));
    return entry === undefined || difference === undefined ? undefined : { entry, difference };
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

/** Where the entry is read. */
export interface HistoryOf {
  readonly names: Pick<HistoryNames, "find">;
  readonly log: Pick<RequestLog, "row">;
}

const timeOf = ({ atMs }: HistoryEntry): string => `${isoInstant(atMs).slice(11, 19)} UTC`;

const byWords = ({ requestId, byConsole, what }: HistoryEntry, log: HistoryOf["log"]): string => {
  const row = requestId === null ? undefined : log.row(requestId);
  if (row !== undefined) return ` by ${row.method} ${row.path.slice(0, 100)}`;
  if (byConsole) return " in the console";
  return what === undefined ? "" : ` (${what})`;
};

const userChange = (
  found: NamedChange | undefined,
):
  | { readonly entry: HistoryEntry; readonly before: ProfileRecord; readonly after: ProfileRecord | undefined }
  | undefined => {
  if (found?.difference.noun !== "profiles" || found.difference.before === undefined) return undefined;
  const { before, after } = found.difference;
  return { entry: found.entry, before, after };
};

/** @returns what became of the user who had a username; with the present one. */
export const fateOfUsername = (
  { names, log }: HistoryOf,
  app: AppWorld,
  sent: string,
): { readonly words: string; readonly now?: string } | undefined => {
  const field = usernameField(app.app);
  const found = userChange(names.find(nameOfUsername(app.app.appId, field, sent)));
  if (found === undefined) return undefined;
  const { entry, before, after } = found;
  const who = before.name === null ? recipientText(sent) : `${nameOf(before)} (${recipientText(sent)})`;
  if (after === undefined) return { words: `${who} was deleted at ${timeOf(entry)}${byWords(entry, log)}.` };
  const now = app.find("profiles", before.userId)?.[field];
  if (!now || foldUsername(now) === foldUsername(sent)) return undefined;
  const words = `The ${field} of ${before.name === null ? "this user" : nameOf(before)} has been ${recipientText(now)}, no longer ${recipientText(sent)}, since ${timeOf(entry)}${byWords(entry, log)}.`;
  return { words, now };
};

/** @returns what became of the user with an id. */
export const fateOfUser = ({ names, log }: HistoryOf, app: AppWorld, userId: string): string | undefined => {
  const found = userChange(names.find(nameOfId(app.app.appId, userId)));
  if (found === undefined || found.after !== undefined) return undefined;
  return `${nameOf(found.before)} was deleted at ${timeOf(found.entry)}${byWords(found.entry, log)}.`;
};

/** @returns what became of the codes of a user, of whom none is kept; undefined if none was removed. */
export const fateOfCodes = ({ names, log }: HistoryOf, app: AppWorld, userId: string): string | undefined => {
  const found = names.find(nameOfCodes(app.app.appId, userId));
  if (found?.difference.noun !== "passcodes" || found.difference.before === undefined) return undefined;
  const { to, createdAt } = found.difference.before;
  return `A code was sent to ${recipientText(to)} at ${createdAt.slice(11, 19)} UTC. It is no longer kept: it was removed at ${timeOf(found.entry)}${byWords(found.entry, log)} (ended codes are kept up to --keep-passcodes).`;
};

/** @returns the app that had a secret before, and since when not. */
export const fateOfSecret = ({ names, log }: HistoryOf, secret: string): string | undefined => {
  const found = names.find(nameOfSecret(secret));
  if (found === undefined || found.difference.noun !== "apps") return undefined;
  const { entry, difference } = found;
  const then = difference.after === undefined ? "which was deleted" : "which has a new one";
  return `It is the former secret of the app “${difference.appId}”, ${then} since ${timeOf(entry)}${byWords(entry, log)}.`;
};
