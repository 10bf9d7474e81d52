/** Why a look-up of a passcode found none: what was issued or requested instead. */

import { epochMs, isoInstant } from "#contract/scalars.ts";
import type { LatestQuery } from "#contract/service/passcodes.ts";
import { type Problem, problem } from "#contract/service/problems.ts";
import { passcodeStatus } from "#domain/passcodes.ts";
import { type Env, shownApps, type World } from "#domain/world.ts";
import type { Exchange } from "../traffic/exchange.ts";
import type { RequestLog } from "../traffic/request-log.ts";
import { isTo } from "./latest-passcode.ts";
import { type Found, userOfPasscode } from "./select.ts";

/** What a look-up asked for and what it may see. */
export interface Sought {
  readonly world: World;
  readonly env: Env;
  readonly log: RequestLog;
  readonly query: LatestQuery;
  /** The seq in `after`; 0 without. */
  readonly afterSeq: number;
  /** Whether the caller's token is held to its app: requests of no app are none of its business. */
  readonly isHeld: boolean;
  /** Whether another `unread` reader got this passcode. */
  readonly isRead: (found: Found<"passcodes">) => boolean;
}

interface Why {
  readonly reason: string;
  readonly instruction: string;
}

const FEW = 5;

const ofStatus = ({ world, env, query, isRead }: Sought, found: Found<"passcodes">): Why => {
  const { record, app } = found;
  const { appId } = app.app;
  // The app matters where none was asked for, and there are several.
  const one = query.appId === undefined && world.apps.length > 1 ? `One of ${appId} was issued` : "One was issued";
  if (record.delivery === "failed")
    return { reason: "undelivered", instruction: `${one}, but a fault prevents its delivery.` };
  if (record.delivery === "pending") return { reason: "delayed", instruction: `${one}, but a fault delays it.` };
  const status = passcodeStatus(record, userOfPasscode(found), env.now(appId));
  if (query.unread === "1" && isRead(found) && status === "active")
    return {
      reason: "read",
      instruction: "The newest one was already read (unread=1). The app has to request another.",
    };
  const ended = status === "expired" ? `it expired at ${record.expiresAt}` : `it is already ${status}`;
  return { reason: status, instruction: `${one}, but ${ended}.` };
};

const ofRow = (row: Exchange): Why => {
  const { method, path, status } = row;
  if (method === "POST" && (status === 200 || status === 201) && row.reason === null)
    return {
      reason: "signed_up",
      instruction: `${method} ${path} returned ${status}: a username without a profile signs up and gets no passcode.`,
    };
  if (status === 202 && row.reason === null)
    return { reason: "cleared", instruction: "One was issued, but it has since been deleted." };
  const reason = row.reason ?? (status === 0 ? "no_response" : "other_request");
  const [advice] = row.advice;
  const said = `The last request was ${method} ${path}, which returned ${status}${row.reason === null ? "" : ` (${row.reason})`}.`;
  return { reason, instruction: advice === undefined ? said : `${said} ${advice.text}` };
};

/** @returns the passcodes of an app or of all that are newer than `after`, newest first. */
const issued = ({ world, query, afterSeq }: Sought, appId = query.appId ?? null): Found<"passcodes">[] =>
  (appId === null ? shownApps(world) : [world.app(appId)])
    .flatMap((app) => (app === undefined ? [] : app.passcodes.slice(-100).map((record) => ({ app, record }))))
    .filter(
      ({ record }) => record.seq > afterSeq && (query.requestId === undefined || record.requestId === query.requestId),
    )
    .sort((a, b) => b.record.seq - a.record.seq);

const ofOthers = (others: readonly Found<"passcodes">[]): Why => {
  const names = [...new Set(others.map(({ app, record }) => `${record.to} (${app.app.appId})`))];
  const more = names.length > FEW ? " and others" : "";
  return {
    reason: "sent_to_another",
    instruction: `Passcodes arrived for ${names.slice(0, FEW).join(", ")}${more} instead.`,
  };
};

/** @returns the newest request that could have sent one. @param fits its app is known to be the one of the query, or none. */
const newestRow = ({ log, query, afterSeq, isHeld }: Sought, fits: (row: Exchange) => boolean): Exchange | undefined =>
  log.newest(
    (row) =>
      row.listener === "auth" &&
      (row.method === "POST" || row.method === "PUT") &&
      row.seq >= afterSeq &&
      (row.login !== null || row.status >= 400 || row.status === 0) &&
      (query.requestId === undefined || row.id === query.requestId) &&
      (row.appId === query.appId || (row.appId === null && !isHeld) || query.appId === undefined) &&
      fits(row),
  );

/** @returns whether a request is about the recipient; one with a misspelt app id names it in its body alone. */
const isAbout = (row: Exchange, { appId, to }: LatestQuery): boolean => {
  if (to === undefined) return appId === undefined || row.appId === appId;
  return row.login === null ? row.requestBody?.includes(to) === true : isTo(to)(row.login.to);
};

const why = (sought: Sought): readonly [Why, Exchange | undefined] => {
  const { query, log, afterSeq } = sought;
  const { appId, to, requestId } = query;
  const isRecipient = isTo(to);
  const passcodes = issued(sought);
  const own = passcodes.find(({ record }) => isRecipient(record.to));
  const row = newestRow(sought, (one) => requestId !== undefined || isAbout(one, query));
  // A request notes the number of the last change before it, so that of a later one is at least the passcode's.
  const isLater = row !== undefined && (own === undefined || (row.seq >= own.record.seq && row.method !== "PUT"));
  if (own !== undefined && !isLater) return [ofStatus(sought, own), log.row(own.record.requestId ?? "")];
  if (row !== undefined) return [ofRow(row), row];
  const elsewhere =
    appId !== undefined && to !== undefined && issued(sought, null).find(({ record }) => isRecipient(record.to));
  if (elsewhere) {
    const instruction = `One arrived for ${elsewhere.record.to} in another app, ${elsewhere.app.app.appId}.`;
    return [{ reason: "sent_by_another_app", instruction }, undefined];
  }
  if (passcodes.length > 0) return [ofOthers(passcodes), undefined];
  const last = newestRow(sought, (one) => appId === undefined || one.appId === appId);
  if (last !== undefined) return [ofRow(last), last];
  const instruction = `No request has reached auth ${afterSeq > 0 ? "since then" : "yet"}.`;
  return [{ reason: "no_request", instruction }, undefined];
};

/** @returns the 404 of a look-up: why there is none, and the request that says so. */
export const noPasscode = (sought: Sought): { readonly problem: Problem } => {
  const [{ reason, instruction }, row] = why(sought);
  const request = row && {
    id: row.id,
    at: isoInstant(epochMs(row.atMs)),
    method: row.method,
    path: row.path,
    status: row.status,
    reason: row.reason,
  };
  return problem("no_passcode", { instruction, more: { reason, ...(request && { request }) } });
};
