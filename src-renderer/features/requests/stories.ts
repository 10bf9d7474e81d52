/** Logins as stories: the requests of one attempt in order, from the request for a code to the session. */
import type { App, Passcode, RequestRow } from "#client/index.ts";
import { effectiveSettings } from "#contract/effective-settings.ts";
import { isObject, readJson, typedPasscode, userFields } from "#contract/wire-body.ts";
import { statusTone, type Tone } from "../../ui/tones.ts";

/** Maximum interval between retries. */
const APART_MS = 5_000;

/** One call, or several identical ones. */
export interface Folded {
  /** The id of the oldest row, which is stable while retries arrive. */
  readonly id: string;
  readonly newest: RequestRow;
  /** Newest first, including `newest`. */
  readonly rows: readonly RequestRow[];
}

const isRetry = (a: RequestRow, b: RequestRow): boolean =>
  (["listener", "method", "path", "status", "reason", "fault", "appId"] as const).every(
    (name) => a[name] === b[name],
  ) &&
  a.request.body === b.request.body &&
  Date.parse(b.at) - Date.parse(a.at) <= APART_MS;

/** @param rows newest first. @returns them with adjacent retries of a call grouped under the newest one. */
export const foldRetries = (rows: readonly RequestRow[]): Folded[] => {
  const folded: { id: string; newest: RequestRow; rows: RequestRow[] }[] = [];
  let newer: RequestRow | undefined;
  for (const row of rows) {
    const group = folded.at(-1);
    if (group !== undefined && newer !== undefined && isRetry(row, newer)) {
      group.rows.push(row);
      group.id = row.id;
    } else folded.push({ id: row.id, newest: row, rows: [row] });
    newer = row;
  }
  return folded;
};

interface LoginCall {
  /** The username as sent; empty if there is none. */
  readonly to: string;
  /** The passcode as sent, for a PUT. */
  readonly typed: string | undefined;
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** @returns the recipient of a session request and the typed code; undefined for other requests. */
export const loginCall = (row: RequestRow, apps: readonly App[]): LoginCall | undefined => {
  if (row.listener !== "auth" || !/^\/v1\/users\/session\/?(\?|$)/.test(row.path)) return undefined;
  if (row.method !== "POST" && row.method !== "PUT") return undefined;
  const app = apps.find(({ appId }) => appId === row.appId);
  const { wire } = effectiveSettings(app?.settings ?? {});
  const body = readJson(row.request.body);
  const { phone, email } = userFields(wire, body);
  const own = app?.strategy === "email" ? textOf(email) : textOf(phone);
  const to = own ?? textOf(phone) ?? textOf(email) ?? "";
  return { to, typed: row.method === "PUT" ? typedPasscode(wire, body) : undefined };
};

/** One login attempt. */
export interface Story {
  /** The id of its first request, or else of its passcode: stable while more happens. */
  readonly id: string;
  /** Null without a known app. */
  readonly appId: string | null;
  /** Null without a known user. */
  readonly userId: string | null;
  readonly to: string;
  /** Oldest first; empty for a code that the console sent and nobody has typed yet. */
  readonly rows: readonly RequestRow[];
  readonly passcode: Passcode | undefined;
}

type Draft = { -readonly [K in keyof Story]: Story[K] } & { rows: RequestRow[] };

/**
 * @param rows of the request log, newest first. @param passcodes newest first.
 * @returns their logins, newest first. A POST starts one, unless the previous POST failed; so does a code without a
 * request in the log.
 */
export const storiesOf = (
  rows: readonly RequestRow[],
  apps: readonly App[],
  passcodes: readonly Passcode[],
): Story[] => {
  const asked = new Map(passcodes.map((passcode) => [passcode.requestId, passcode]));
  const logged = new Set(rows.map(({ id }) => id));
  const sent = passcodes.filter(({ requestId }) => requestId === null || !logged.has(requestId));
  const stories: Draft[] = [];
  const open = new Map<string, Draft>();
  const begin = (story: Omit<Draft, "rows">, row?: RequestRow): void => {
    const begun = { ...story, rows: row === undefined ? [] : [row] };
    stories.push(begun);
    open.set(`${story.appId} ${story.to.toLowerCase()}`, begun);
  };
  const beginSent = (until?: string): void => {
    for (let next = sent.at(-1); next && (until === undefined || next.createdAt <= until); next = sent.at(-1)) {
      sent.pop();
      begin({ id: next.id, appId: next.appId, userId: next.userId, to: next.to, passcode: next });
    }
  };
  for (const row of rows.toReversed()) {
    const call = loginCall(row, apps);
    if (call === undefined) continue;
    beginSent(row.at);
    const { id, appId, userId } = row;
    const story = open.get(`${appId} ${call.to.toLowerCase()}`);
    const passcode = asked.get(id);
    const retries =
      story?.passcode === undefined && story?.rows.every((one) => one.method === "POST" && one.status >= 400);
    if (story === undefined || (row.method === "POST" && !retries))
      begin({ id, appId, userId, to: call.to, passcode }, row);
    else {
      story.rows.push(row);
      story.userId ??= userId;
      story.passcode ??= passcode;
    }
  }
  beginSent();
  const lastOf = ({ rows: own, passcode }: Draft): string => own.at(-1)?.at ?? passcode?.createdAt ?? "";
  return stories.toReversed().sort((a, b) => lastOf(b).localeCompare(lastOf(a)));
};

/** A line of a story. */
export interface Step {
  readonly key: string;
  /** Null if unknown. */
  readonly at: string | null;
  readonly title: string;
  readonly typed?: string;
  readonly tone: Tone;
  /** The result in a word or two. */
  readonly result: string;
  /** How often the same call was repeated. */
  readonly times: number;
  readonly row?: RequestRow;
  readonly sessionId?: string;
}

const RESULTS: Readonly<Record<string, string>> = {
  passcode_expired: "expired",
  passcode_used: "already used",
  passcode_exhausted: "locked",
  passcode_not_sent: "no code sent",
  unknown_user: "unknown user",
};
/** Errors that count as a wrong attempt. */
const WRONG: ReadonlySet<string | null> = new Set(["passcode_mismatch", "passcode_replaced"]);
/** @returns whether a wrong code was typed, rather than simulated by a fault. */
export const isWrongCode = ({ reason, fault }: RequestRow): boolean => WRONG.has(reason) && fault === null;

const sessionOf = (row: RequestRow): string | undefined => {
  const answer = row.method === "PUT" && row.status < 300 ? readJson(row.response.body) : undefined;
  return isObject(answer) ? textOf(answer["id"]) : undefined;
};

const wrongWords = (left: number, replaced = false): string =>
  `${replaced ? "replaced code" : "wrong"} · ${left > 0 ? `${left} left` : "locked"}`;

const askTitle = (row: RequestRow): string =>
  row.status === 200 || row.status === 201 ? "Signed up" : "Asked for a code";

/** @returns the steps of a story, oldest first. */
export const stepsOf = ({ rows, passcode, appId }: Story, apps: readonly App[]): Step[] => {
  const app = apps.find((one) => one.appId === appId);
  let left = effectiveSettings(app?.settings ?? {}).passcode.maxAttempts;
  const stepOf = ({ id, newest: row, rows: again }: Folded): Step => {
    const typed = loginCall(row, apps)?.typed;
    const sessionId = sessionOf(row);
    const isWrong = isWrongCode(row);
    if (isWrong) left -= again.length;
    const refusal = isWrong ? wrongWords(left, row.reason === "passcode_replaced") : RESULTS[row.reason ?? ""];
    const ok = row.method === "PUT" ? "signed in" : String(row.status);
    return {
      key: id,
      at: again.at(-1)?.at ?? row.at,
      title: row.method === "POST" ? askTitle(row) : typed === undefined ? "No code in the request" : "Typed",
      tone: row.fault !== null && row.status >= 400 ? "warn" : statusTone(row.status),
      result: row.status > 0 && row.status < 400 ? ok : (refusal ?? String(row.status || "no response")),
      times: again.length,
      row,
      ...(typed === undefined ? {} : { typed }),
      ...(sessionId === undefined ? {} : { sessionId }),
    };
  };
  const isAsked = passcode === undefined || rows.some(({ id }) => id === passcode.requestId);
  const sent: Step[] = isAsked
    ? []
    : [
        {
          key: "sent",
          at: passcode.createdAt,
          title: passcode.requestId === null ? "Sent from the console" : "Asked for a code",
          tone: "info",
          result: passcode.requestId === null ? "" : "not in the log",
          times: 1,
        },
      ];
  // The log is limited and in memory; typed codes are stored with the passcode.
  const forgotten = isAsked || rows.some(({ method }) => method === "PUT") ? [] : passcode.tried;
  const remembered = forgotten.map((typed, index): Step => {
    const right = typed === passcode?.code;
    if (!right) left--;
    const result = right ? "right" : wrongWords(left);
    return { key: `try ${index}`, at: null, title: "Typed", tone: right ? "ok" : "bad", result, typed, times: 1 };
  });
  return [...sent, ...remembered, ...foldRetries(rows.toReversed()).toReversed().map(stepOf)];
};

/** A typed digit, compared with the correct one. */
interface Digit {
  readonly digit: string;
  readonly wrong: boolean;
}

/** Maximum number of characters of a typed code to show; a client can send anything. */
const MOST_DIGITS = 12;

/** @returns the typed digits, and `·` for missing ones. @param code undefined if unknown, so that none is wrong. */
export const digitsOf = (typed: string, code: string | undefined): Digit[] => {
  const length = Math.min(MOST_DIGITS, Math.max([...typed].length, code?.length ?? 0));
  const chars = [...typed];
  return Array.from({ length }, (_, at) => ({
    digit: chars[at] ?? "·",
    wrong: code !== undefined && chars[at] !== code[at],
  }));
};
