/**
 * The requests of one login, in their order: the POST that sent the code, the tries, the session.
 */
import { effectiveSettings } from "#contract/settings.ts";
import type { App, Passcode } from "../../api/records.ts";
import type { RequestRow } from "../../api/request-log.ts";
import { outcomeWords, statusTone } from "../../ui/exchange-words.ts";
import { foldRetries } from "../../ui/fold.ts";
import type { Tone } from "../../ui/status-mark.tsx";
import { isObject, readJson, typedPasscode } from "../../ui/wire-shape.ts";

/** One line of the timeline. */
export interface Step {
  readonly key: string;
  /** Null: it is not known when. */
  readonly at: string | null;
  readonly tone: Tone;
  readonly title: string;
  readonly words: string;
  /** What was typed, by the client. */
  readonly typed?: string;
  /** How often the same call came, one after the other. */
  readonly times: number;
  /** The row of the request log. */
  readonly requestId?: string;
  /** The session that it began. */
  readonly sessionId?: string;
}

const isSession = ({ listener, path }: RequestRow): boolean =>
  listener === "auth" && /^\/v1\/users\/session\/?(\?|$)/.test(path);

/** @returns the rows from one passcode to the next, newest first. */
const rowsOf = (
  passcode: Passcode,
  next: Passcode | undefined,
  rows: readonly RequestRow[],
): { rows: readonly RequestRow[]; found: boolean } => {
  const start = rows.findIndex(({ id }) => id === passcode.requestId);
  const end = next === undefined ? -1 : rows.findIndex(({ id }) => id === next.requestId);
  const within = rows.slice(end + 1, start < 0 ? rows.length : start + 1).filter(isSession);
  return {
    found: start >= 0,
    // Sent from the console, or before the log begins: only times can tell.
    rows: within.filter(
      ({ at }) => (start >= 0 || at >= passcode.createdAt) && (end >= 0 || next === undefined || at < next.createdAt),
    ),
  };
};

const sessionOf = (row: RequestRow): string | undefined => {
  const answer = row.status < 300 ? readJson(row.response.body) : undefined;
  return isObject(answer) && typeof answer.id === "string" ? answer.id : undefined;
};

/**
 * @param passcodes of the app, newest first.
 * @param rows of the user, newest first.
 * @returns what happened to a passcode, oldest first.
 */
export const loginSteps = (
  passcode: Passcode,
  app: App | undefined,
  passcodes: readonly Passcode[],
  rows: readonly RequestRow[],
): Step[] => {
  const { wire } = effectiveSettings(app?.settings ?? {});
  const next = passcodes.findLast(({ userId, seq }) => userId === passcode.userId && seq > passcode.seq);
  const own = rowsOf(passcode, next, rows);
  const steps = foldRetries(own.rows)
    .toReversed()
    .map(({ id, newest: row, rows: again }): Step => {
      const typed = row.method === "PUT" ? typedPasscode(wire, readJson(row.request.body)) : undefined;
      const sessionId = row.method === "PUT" ? sessionOf(row) : undefined;
      const times = again.length;
      return {
        key: id,
        at: again.at(-1)?.at ?? row.at,
        tone: statusTone(row.status),
        title: `${row.method} ${row.status}`,
        words: outcomeWords(row),
        times,
        requestId: row.id,
        ...(typed === undefined ? {} : { typed }),
        ...(sessionId === undefined ? {} : { sessionId }),
      };
    });
  const sent: Step = {
    key: "sent",
    at: passcode.createdAt,
    tone: "info",
    title: "Code sent",
    words: passcode.requestId === null ? "From this console" : "The log no longer has the request",
    times: 1,
  };
  // The log is short and in memory; what was typed is kept with the passcode.
  const logged = own.rows.filter(({ reason, status }) => status < 300 || reason?.startsWith("passcode_")).length;
  const tries = logged > 0 || passcode.tried.length === 0 ? [] : passcode.tried;
  const remembered = tries.map((typed, index): Step => {
    const right = typed === passcode.code;
    const words = right ? "The right code" : "The passcode is not the one sent";
    return { key: `try ${index}`, at: null, tone: right ? "ok" : "bad", title: "Try", words, typed, times: 1 };
  });
  return [...(own.found ? [] : [sent]), ...remembered, ...steps];
};
