/** What became of a user, a secret or an id: found in the timeline without reading all of it at each refusal. */
import { Recent } from "#contract/recent.ts";
import { foldUsername, isoInstant } from "#contract/scalars.ts";
import { USERNAME_FIELDS, usernameField } from "#contract/service/strategies.ts";
import { recipientText } from "#contract/words/phone-words.ts";
import type { Difference } from "#domain/history/differences.ts";
import type { History, HistoryEntry } from "#domain/history/history.ts";
import { nameOf as userName } from "#domain/profile-rules.ts";
import type { AppWorld } from "#domain/world.ts";
import type { RequestLog } from "#http/traffic/request-log.ts";

const MOST_NAMES = 20_000;
/** An import can alter 100,000 users: so many of one transaction. */
const MOST_OF_ONE = 1_000;

/** A name under which a change is found: of a user, by id or former username, of a user's codes, or of a secret. */
const keyOfName = (...parts: readonly string[]): string => parts.join("\n");

const namesIn = (one: Difference): string[] => {
  if (one.noun === "apps")
    return one.before === undefined || one.before.secret === one.after?.secret ? [] : [keyOfName(one.before.secret)];
  if (one.noun === "passcodes" && one.before !== undefined && one.after === undefined)
    return [keyOfName(one.appId, "codes", one.before.userId)];
  if (one.noun !== "profiles" || one.before === undefined || one.before === one.after) return [];
  const { appId, before } = one;
  const usernames = USERNAME_FIELDS.flatMap((field) => {
    const username = before[field];
    return username === null ? [] : [keyOfName(appId, field, foldUsername(username))];
  });
  return [keyOfName(appId, "id", before.userId), ...usernames];
};

/** @returns what became of users, codes and secrets, in sentences. */
export const createFates = (timeline: Pick<History, "after" | "at">, log: Pick<RequestLog, "row">) => {
  /** By name the number of the newest transaction. */
  const seqs = new Recent<string, number>(MOST_NAMES);
  let read = 0;

  const whenOf = ({ atMs, requestId, byConsole, what }: HistoryEntry): string => {
    const row = requestId === null ? undefined : log.row(requestId);
    const by = row
      ? ` by ${row.method} ${row.path.slice(0, 100)}`
      : byConsole
        ? " in the console"
        : what && ` (${what})`;
    return `${isoInstant(atMs).slice(11, 19)} UTC${by ?? ""}`;
  };

  /** @returns the newest change of what has this name, and when it was and by whom. */
  const find = (name: string): { readonly when: string; readonly difference: Difference } | undefined => {
    for (const { seq, differences } of timeline.after(read)) {
      read = seq;
      for (const one of differences.slice(0, MOST_OF_ONE).flatMap(namesIn)) seqs.set(one, seq);
    }
    const entry = timeline.at(seqs.get(name) ?? -1);
    const difference = entry?.differences.find((one) => namesIn(one).includes(name));
    return entry && difference && { when: whenOf(entry), difference };
  };

  const findUser = (name: string) => {
    const { when = "", difference } = find(name) ?? {};
    if (difference?.noun !== "profiles" || difference.before === undefined) return undefined;
    return { when, before: difference.before, after: difference.after };
  };

  return {
    ofUsername: (world: AppWorld, sent: string): { words: string; now?: string } | undefined => {
      const field = usernameField(world.app);
      const { when, before, after } = findUser(keyOfName(world.app.appId, field, foldUsername(sent))) ?? {};
      if (before === undefined) return undefined;
      const was = recipientText(sent);
      const who = before.name === null ? was : `${userName(before)} (${was})`;
      if (after === undefined) return { words: `${who} was deleted at ${when}.` };
      const now = world.find("profiles", before.userId)?.[field];
      if (!now || foldUsername(now) === foldUsername(sent)) return undefined;
      const whose = before.name === null ? "this user" : userName(before);
      return {
        words: `The ${field} of ${whose} has been ${recipientText(now)}, no longer ${was}, since ${when}.`,
        now,
      };
    },
    /** @returns what became of the user with an id. */
    ofUser: ({ app }: AppWorld, userId: string): string | undefined => {
      const found = findUser(keyOfName(app.appId, "id", userId));
      return found && !found.after ? `${userName(found.before)} was deleted at ${found.when}.` : undefined;
    },
    /** @returns what became of the codes of a user, of whom none is kept; undefined if none was removed. */
    ofCodes: ({ app }: AppWorld, userId: string): string | undefined => {
      const { when, difference } = find(keyOfName(app.appId, "codes", userId)) ?? {};
      if (difference?.noun !== "passcodes" || difference.before === undefined) return undefined;
      const { to, createdAt } = difference.before;
      const sent = `A code was sent to ${recipientText(to)} at ${createdAt.slice(11, 19)} UTC.`;
      return `${sent} It is no longer kept: it was removed at ${when} (ended codes are kept up to --keep-passcodes).`;
    },
    ofSecret: (secret: string): string | undefined => {
      const { when, difference } = find(keyOfName(secret)) ?? {};
      if (difference?.noun !== "apps") return undefined;
      const then = difference.after === undefined ? "which was deleted" : "which has a new one";
      return `It is the former secret of the app “${difference.appId}”, ${then} since ${when}.`;
    },
  };
};
/** @see createFates */
export type Fates = ReturnType<typeof createFates>;
