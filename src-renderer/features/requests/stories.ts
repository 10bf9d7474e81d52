/** Logins as stories: the requests of one attempt in order, from the request for a code to the session. */
import type { Passcode, RequestRow, TimelineItem } from "#client/index.ts";
import { effectiveSettings } from "#contract/effective-settings.ts";
import { parsedJson } from "#contract/parsed-json.ts";
import type { Settings } from "#contract/settings.ts";
import { type Strategy, USERNAMES, usernameField } from "#contract/strategies.ts";
import { isObject, typedPasscode, userFields } from "#contract/wire-body.ts";
import { statusTone, type Tone } from "../../ui/tones.ts";
import { deviceWords } from "../../ui/words.ts";

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
  for (const row of rows) {
    const group = folded.at(-1);
    const newer = group?.rows.at(-1);
    if (group !== undefined && newer !== undefined && isRetry(row, newer)) {
      group.rows.push(row);
      group.id = row.id;
    } else folded.push({ id: row.id, newest: row, rows: [row] });
  }
  return folded;
};

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** What a login depends on in its app. */
export interface LoginApp {
  readonly appId: string;
  readonly strategy: Strategy;
  readonly settings: Settings;
}

/** @returns the username in a session request (empty: none) and the code in a PUT; undefined for other requests. */
export const loginCall = (row: RequestRow, apps: readonly LoginApp[]) => {
  if (row.listener !== "auth" || !/^\/v1\/users\/session\/?(\?|$)/.test(row.path)) return undefined;
  if (row.method !== "POST" && row.method !== "PUT") return undefined;
  const app = apps.find(({ appId }) => appId === row.appId);
  const { wire } = effectiveSettings(app?.settings ?? {});
  const body = parsedJson(row.request.body);
  const user = userFields(wire, body);
  const field = usernameField(app ?? { strategy: "phone" });
  const [to = ""] = [field, ...USERNAMES[field].others].flatMap((one) => textOf(user[one]) ?? []);
  return {
    to,
    typed: row.method === "PUT" ? typedPasscode(wire, body) : undefined,
  };
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

type OpenStory = { -readonly [K in keyof Story]: Story[K] } & { rows: RequestRow[] };

/**
 * @returns the logins in these rows and passcodes: all newest first. A POST starts one, unless the previous POST failed;
 * so does a code without a request in the log.
 */
export const storiesOf = (rows: readonly RequestRow[], apps: readonly LoginApp[], passcodes: readonly Passcode[]) => {
  const asked = new Map(passcodes.map((passcode) => [passcode.requestId, passcode]));
  const logged = new Set(rows.map(({ id }) => id));
  const sent = passcodes.filter(({ requestId }) => requestId === null || !logged.has(requestId));
  const stories: OpenStory[] = [];
  const open = new Map<string, OpenStory>();
  const begin = (story: Omit<OpenStory, "rows">, row?: RequestRow): void => {
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
      story?.passcode === undefined &&
      story?.rows.every(({ method, status }) => method === "POST" && (status === 0 || status >= 400));
    if (story === undefined || (row.method === "POST" && !retries))
      begin({ id, appId, userId, to: call.to, passcode }, row);
    else {
      story.rows.push(row);
      story.userId ??= userId;
      story.passcode ??= passcode;
    }
  }
  beginSent();
  const lastOf = ({ rows: own, passcode }: OpenStory): string => own.at(-1)?.at ?? passcode?.createdAt ?? "";
  return stories.toReversed().sort((a, b) => lastOf(b).localeCompare(lastOf(a)));
};

/** A line of a story. */
export interface StoryStep {
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
  /** The oldest row of the request log; null: none. */
  readonly requestId: string | null;
  readonly sessionId?: string;
  /** What the client repeated by itself. */
  readonly note?: string;
  /** What it changed; undefined if that is nothing, or unknown. */
  readonly item: TimelineItem | undefined;
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
  const answer = row.method === "PUT" && row.status < 300 ? parsedJson(row.response.body) : undefined;
  return isObject(answer) ? textOf(answer["id"]) : undefined;
};

/** @param rows of one call, newest first. @returns what the client repeated by itself, and when; null: nothing. */
export const repeatWords = (rows: readonly RequestRow[]): string | null => {
  const [first, ...repeated] = rows.filter(({ repeats }) => repeats !== null).toReversed();
  const origin = rows.find(({ id }) => id === first?.repeats);
  if (first === undefined || origin === undefined) return null;
  const [program] = deviceWords(String(first.request.headers["user-agent"] ?? "")).split(", ");
  const often = repeated.length === 0 ? "" : `${repeated.length + 1} times, first `;
  const ms = Math.round(Date.parse(first.at) - Date.parse(origin.at) - origin.durationMs);
  return `${program} repeated this by itself ${often}after ${Math.max(0, ms)} ms`;
};

const WRONG_CODE = "Wrong code: ";
/** @returns what became of a wrong code, with the attempts left if the timeline knows them. */
const wrongWords = (item: TimelineItem | undefined, replaced = false): string => {
  const left = item?.what.startsWith(WRONG_CODE)
    ? ` · ${item.what.slice(WRONG_CODE.length).replace(/ attempts?/, "")}`
    : "";
  return `${replaced ? "replaced code" : "wrong"}${left}`;
};

/** @param resource of the timeline. @returns whether the transaction created such a record. */
const creates = ({ changes }: TimelineItem, ...resources: readonly string[]): boolean =>
  changes.some(({ resource, before }) => before === null && resources.includes(resource));

const isRewind = ({ what }: TimelineItem): boolean => what.startsWith("Rewound");

/** @returns the user's changes during a login that none of its requests made, oldest first. @param own newest first. */
const changesBeside = (items: readonly TimelineItem[], own: readonly TimelineItem[]): TimelineItem[] => {
  const first = own.at(-1)?.seq ?? Number.POSITIVE_INFINITY;
  const beside = items.filter((item) => item.seq > first && !own.includes(item)).reverse();
  // The next login.
  const end = beside.findIndex((item) => creates(item, "passcode", "session") && !isRewind(item));
  return end < 0 ? beside : beside.slice(0, end);
};

/** @param items the user's timeline, newest first. @returns the steps of a story, oldest first. */
export const stepsOf = (
  { rows, passcode }: Story,
  apps: readonly LoginApp[],
  items: readonly TimelineItem[] = [],
): StoryStep[] => {
  const itemOf = new Map(items.flatMap((item) => (item.requestId === null ? [] : [[item.requestId, item]])));
  const stepOf = ({ id, newest: row, rows: again }: Folded): StoryStep => {
    const typed = loginCall(row, apps)?.typed;
    const sessionId = sessionOf(row);
    const item = itemOf.get(row.id);
    const note = repeatWords(again);
    const refusal = isWrongCode(row) ? wrongWords(item, row.reason === "passcode_replaced") : RESULTS[row.reason ?? ""];
    const ok = row.method === "PUT" ? "signed in" : String(row.status);
    const asked = row.status === 200 || row.status === 201 ? "Signed up" : "Asked for a code";
    return {
      key: id,
      at: again.at(-1)?.at ?? row.at,
      title: row.method === "POST" ? asked : typed === undefined ? "No code in the request" : "Typed",
      tone: row.fault !== null && row.status >= 400 ? "warn" : statusTone(row.status),
      result: row.status > 0 && row.status < 400 ? ok : (refusal ?? String(row.status || "no response")),
      // What the client repeated by itself counts once.
      times: again.filter(({ repeats }) => repeats === null).length || 1,
      row,
      requestId: id,
      item,
      ...(note === null ? {} : { note }),
      ...(typed === undefined ? {} : { typed }),
      ...(sessionId === undefined ? {} : { sessionId }),
    };
  };
  const logged = foldRetries(rows.toReversed()).toReversed().map(stepOf);
  if (passcode !== undefined && !rows.some(({ id }) => id === passcode.requestId)) {
    const { requestId, createdAt, tried, code, id } = passcode;
    const [title, result] = requestId === null ? ["Sent from the console", ""] : ["Asked for a code", "not in the log"];
    const item = items.find(({ changes }) => changes.some((one) => one.id === id && one.before === null));
    // The log is limited and in memory; typed codes are stored with the passcode.
    const forgotten = rows.some(({ method }) => method === "PUT") ? [] : tried;
    const remembered = forgotten.map((typed, index): StoryStep => {
      const [tone, words] = typed === code ? (["ok", "right"] as const) : (["bad", wrongWords(undefined)] as const);
      const known = { at: null, title: "Typed", typed, times: 1, requestId: null, item: undefined };
      return { key: `try ${index}`, tone, result: words, ...known };
    });
    const sent = { key: "sent", at: createdAt, title, tone: "info", result, times: 1, requestId: null, item } as const;
    logged.unshift(sent, ...remembered);
  }
  const ids = new Set(rows.map(({ id }) => id));
  const own = items.filter((item) => ids.has(item.requestId ?? "") || logged.some((step) => step.item === item));
  return inOrder(logged, changesBeside(items, own));
};

/** @returns the steps with other changes of the user between them. */
const inOrder = (steps: readonly StoryStep[], beside: readonly TimelineItem[]): StoryStep[] => {
  const all: StoryStep[] = [];
  const rest = [...beside];
  const add = (item: TimelineItem): void => {
    const { seq, at, what, requestId } = item;
    const title = isRewind(item) ? "Rewound" : what;
    all.push({ key: `change ${seq}`, at, title, tone: "info", result: "", times: 1, requestId, item });
  };
  for (const step of steps) {
    // A request that changed nothing has no number; its time says where it belongs.
    const isBefore = ({ seq, at }: TimelineItem) => (step.item ? seq < step.item.seq : at < (step.at ?? ""));
    while (rest[0] !== undefined && isBefore(rest[0])) rest.splice(0, 1).forEach(add);
    all.push(step);
  }
  rest.forEach(add);
  return all;
};

/** Maximum number of characters of a typed code to show; a client can send anything. */
const MOST_DIGITS = 12;

/** @returns the typed digits, and `·` for missing ones. @param code undefined if unknown, so that none is wrong. */
export const digitsOf = (typed: string, code: string | undefined) => {
  const chars = [...typed];
  const length = Math.min(MOST_DIGITS, Math.max(chars.length, code?.length ?? 0));
  return Array.from({ length }, (_, at) => ({
    digit: chars[at] ?? "·",
    wrong: code !== undefined && chars[at] !== code[at],
  }));
};
