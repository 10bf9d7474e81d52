/** What became of a user, a secret or an id, from the timeline (CONTRACT 28). */
import { recipientText } from "#contract/phone-words.ts";
import type { ProfileRecord } from "#contract/records.ts";
import { foldUsername, isoInstant } from "#contract/scalars.ts";
import { usernameField } from "#contract/strategies.ts";
import type { Past, Timeline } from "#domain/history/timeline.ts";
import { nameOf } from "#domain/profile-rules.ts";
import type { AppWorld } from "#domain/world.ts";
import type { RequestLog } from "../traffic/request-log.ts";

/** Where the past is read. */
export interface PastOf {
  readonly timeline: Timeline;
  readonly log: Pick<RequestLog, "row">;
}

const timeOf = ({ atMs }: Past): string => `${isoInstant(atMs).slice(11, 19)} UTC`;

const byWords = ({ requestId, byConsole, what }: Past, log: PastOf["log"]): string => {
  const row = requestId === null ? undefined : log.row(requestId);
  if (row !== undefined) return ` by ${row.method} ${row.path.slice(0, 100)}`;
  if (byConsole) return " in the console";
  return what === undefined ? "" : ` (${what})`;
};

type Change = { readonly past: Past; readonly before: ProfileRecord; readonly after: ProfileRecord | undefined };

const lastChange = (
  timeline: Timeline,
  appId: string,
  isIt: (before: ProfileRecord) => boolean,
): Change | undefined => {
  for (let at = timeline.items.length - 1; at >= 0; at -= 1) {
    const past = timeline.items[at];
    if (past === undefined || !past.appIds.includes(appId)) continue;
    for (const one of past.altered)
      if (
        one.noun === "profiles" &&
        one.appId === appId &&
        one.before !== undefined &&
        isIt(one.before) &&
        one.before !== one.after
      )
        return { past, before: one.before, after: one.after };
  }
  return undefined;
};

/** @returns what became of the user who had a username; with the present one. */
export const pastOfUsername = (
  { timeline, log }: PastOf,
  app: AppWorld,
  sent: string,
): { readonly words: string; readonly now?: string } | undefined => {
  const field = usernameField(app.app);
  const sought = foldUsername(sent);
  const found = lastChange(timeline, app.app.appId, (before) => {
    const own = before[field];
    return own !== null && foldUsername(own) === sought;
  });
  if (found === undefined) return undefined;
  const { past, before, after } = found;
  const who = before.name === null ? recipientText(sent) : `${nameOf(before)} (${recipientText(sent)})`;
  if (after === undefined) return { words: `${who} was deleted at ${timeOf(past)}${byWords(past, log)}.` };
  const now = app.find("profiles", before.userId)?.[field];
  if (!now || foldUsername(now) === sought) return undefined;
  const words = `The ${field} of ${before.name === null ? "this user" : nameOf(before)} has been ${recipientText(now)}, no longer ${recipientText(sent)}, since ${timeOf(past)}${byWords(past, log)}.`;
  return { words, now };
};

/** @returns what became of the user with an id. */
export const pastOfUser = ({ timeline, log }: PastOf, app: AppWorld, userId: string): string | undefined => {
  const found = lastChange(timeline, app.app.appId, (before) => before.userId === userId);
  if (found === undefined || found.after !== undefined) return undefined;
  return `${nameOf(found.before)} was deleted at ${timeOf(found.past)}${byWords(found.past, log)}.`;
};

/** @returns the app that had a secret before, and since when not. */
export const pastOfSecret = ({ timeline, log }: PastOf, secret: string): string | undefined => {
  for (let at = timeline.items.length - 1; at >= 0; at -= 1) {
    const past = timeline.items[at];
    for (const one of past?.altered ?? [])
      if (past !== undefined && one.noun === "apps" && one.before?.secret === secret && one.after?.secret !== secret) {
        const then = one.after === undefined ? "which was deleted" : "which has a new one";
        return `It is the former secret of the app “${one.appId}”, ${then} since ${timeOf(past)}${byWords(past, log)}.`;
      }
  }
  return undefined;
};
