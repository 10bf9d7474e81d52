/** What became of a user, a secret or an id, from the timeline. */

import { foldUsername, isoInstant } from "#contract/scalars.ts";
import type { ProfileRecord } from "#contract/service/records.ts";
import { usernameField } from "#contract/service/strategies.ts";
import { recipientText } from "#contract/words/phone-words.ts";
import type { HistoryEntry } from "#domain/history/history.ts";
import { nameOf } from "#domain/profile-rules.ts";
import type { AppWorld } from "#domain/world.ts";
import type { RequestLog } from "#http/traffic/request-log.ts";
import { nameOfCodes, nameOfId, nameOfSecret, nameOfUsername, type PastChange, type PastNames } from "./past-names.ts";

/** Where the past is read. */
export interface PastOf {
  readonly names: Pick<PastNames, "find">;
  readonly log: Pick<RequestLog, "row">;
}

const timeOf = ({ atMs }: HistoryEntry): string => `${isoInstant(atMs).slice(11, 19)} UTC`;

const byWords = ({ requestId, byConsole, what }: HistoryEntry, log: PastOf["log"]): string => {
  const row = requestId === null ? undefined : log.row(requestId);
  if (row !== undefined) return ` by ${row.method} ${row.path.slice(0, 100)}`;
  if (byConsole) return " in the console";
  return what === undefined ? "" : ` (${what})`;
};

/** @returns the change of a user; undefined if it is none. */
const userChange = (
  found: PastChange | undefined,
):
  | { readonly past: HistoryEntry; readonly before: ProfileRecord; readonly after: ProfileRecord | undefined }
  | undefined => {
  if (found?.difference.noun !== "profiles" || found.difference.before === undefined) return undefined;
  const { before, after } = found.difference;
  return { past: found.past, before, after };
};

/** @returns what became of the user who had a username; with the present one. */
export const pastOfUsername = (
  { names, log }: PastOf,
  app: AppWorld,
  sent: string,
): { readonly words: string; readonly now?: string } | undefined => {
  const field = usernameField(app.app);
  const found = userChange(names.find(nameOfUsername(app.app.appId, field, sent)));
  if (found === undefined) return undefined;
  const { past, before, after } = found;
  const who = before.name === null ? recipientText(sent) : `${nameOf(before)} (${recipientText(sent)})`;
  if (after === undefined) return { words: `${who} was deleted at ${timeOf(past)}${byWords(past, log)}.` };
  const now = app.find("profiles", before.userId)?.[field];
  if (!now || foldUsername(now) === foldUsername(sent)) return undefined;
  const words = `The ${field} of ${before.name === null ? "this user" : nameOf(before)} has been ${recipientText(now)}, no longer ${recipientText(sent)}, since ${timeOf(past)}${byWords(past, log)}.`;
  return { words, now };
};

/** @returns what became of the user with an id. */
export const pastOfUser = ({ names, log }: PastOf, app: AppWorld, userId: string): string | undefined => {
  const found = userChange(names.find(nameOfId(app.app.appId, userId)));
  if (found === undefined || found.after !== undefined) return undefined;
  return `${nameOf(found.before)} was deleted at ${timeOf(found.past)}${byWords(found.past, log)}.`;
};

/** @returns what became of the codes of a user, of whom none is kept; undefined if none was removed. */
export const pastOfCodes = ({ names, log }: PastOf, app: AppWorld, userId: string): string | undefined => {
  const found = names.find(nameOfCodes(app.app.appId, userId));
  if (found?.difference.noun !== "passcodes" || found.difference.before === undefined) return undefined;
  const { to, createdAt } = found.difference.before;
  return `A code was sent to ${recipientText(to)} at ${createdAt.slice(11, 19)} UTC. It is no longer kept: it was removed at ${timeOf(found.past)}${byWords(found.past, log)} (ended codes are kept up to --keep-passcodes).`;
};

/** @returns the app that had a secret before, and since when not. */
export const pastOfSecret = ({ names, log }: PastOf, secret: string): string | undefined => {
  const found = names.find(nameOfSecret(secret));
  if (found === undefined || found.difference.noun !== "apps") return undefined;
  const { past, difference } = found;
  const then = difference.after === undefined ? "which was deleted" : "which has a new one";
  return `It is the former secret of the app “${difference.appId}”, ${then} since ${timeOf(past)}${byWords(past, log)}.`;
};
