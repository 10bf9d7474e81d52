/** Logins as stories: the requests of each in order, and its steps. */
import type { Passcode, RequestRow, TimelineItem } from "#client/index.ts";
import { givesSession, LOGIN_QUIET_MS } from "#contract/control/login-end.ts";
import { REASON_WORDS, shortReason } from "#contract/service/reasons.ts";
import { isObject } from "#contract/service/wire-body.ts";
import { parsedJson } from "#contract/words/parsed-json.ts";
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

const ifText = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** One login. */
export interface Story {
  /** The id of the login; of its passcode if no request has followed yet. */
  readonly id: string;
  /** Null without a known app. */
  readonly appId: string | null;
  /** Null without a known user. */
  readonly userId: string | null;
  readonly to: string;
  /** Oldest first; empty for a code that the console sent and no request has carried yet. */
  readonly rows: readonly RequestRow[];
  /** Its codes, oldest first. */
  readonly passcodes: readonly Passcode[];
}

type OpenStory = { -readonly [K in keyof Story]: Story[K] } & { rows: RequestRow[]; passcodes: Passcode[] };

const isQuiet = (since: string, until: string): boolean => Date.parse(until) - Date.parse(since) > LOGIN_QUIET_MS;
const isUsed = ({ status }: Passcode): boolean => status === "used";

/**
 * @param stories of the code's user, oldest first. @returns the login of a code whose request is not in the log: that of
 * the user's next request, or else the one that went on then; undefined: it began one.
 */
const storyAround = (code: Passcode, stories: readonly OpenStory[]): OpenStory | undefined => {
  const { createdAt, requestId } = code;
  const asked = stories.find(({ id }) => id === requestId);
  if (asked !== undefined) return asked;
  const isAfter = ({ at }: RequestRow): boolean => at >= createdAt;
  // Rows go oldest first: with the request of an older code and a session, the login was over, whatever the clock says.
  const isOver = ({ rows, passcodes }: OpenStory): boolean =>
    requestId !== null &&
    rows.some(givesSession) &&
    passcodes.some((one) => one.seq < code.seq && rows.some(({ id }) => id === one.requestId));
  const open = stories.filter((story) => !isOver(story));
  const next = open.find(({ rows }) => rows.some(isAfter));
  const [first] = next?.rows.filter(isAfter) ?? [];
  // What has been used has ended its login.
  const fits = !isUsed(code) || next?.rows.some((row) => givesSession(row) && row.login?.typed === code.code);
  if (first !== undefined && fits && !isQuiet(createdAt, first.at)) return next;
  const last = open.at(-1);
  const [row, sent] = [last?.rows.at(-1), last?.passcodes.at(-1)];
  if (row !== undefined) return givesSession(row) || isAfter(row) || isQuiet(row.at, createdAt) ? undefined : last;
  return sent === undefined || isUsed(sent) || isQuiet(sent.createdAt, createdAt) ? undefined : last;
};

/** @returns the logins in these rows and passcodes: all newest first. The rows say which login is theirs. */
export const storiesOf = (rows: readonly RequestRow[], passcodes: readonly Passcode[]): Story[] => {
  const stories = new Map<string, OpenStory>();
  const asked = new Map(passcodes.map((passcode) => [passcode.requestId, passcode]));
  const found = new Set<Passcode>();
  for (const row of rows.toReversed()) {
    const { login, appId, userId } = row;
    if (login === null) continue;
    const known = stories.get(login.id);
    const story = known ?? { id: login.id, appId, userId, to: login.to, rows: [], passcodes: [] };
    stories.set(login.id, story);
    story.rows.push(row);
    story.userId ??= userId;
    const passcode = asked.get(row.id);
    if (passcode === undefined) continue;
    story.passcodes.push(passcode);
    found.add(passcode);
  }
  const keyOf = ({ appId, userId }: Story | Passcode): string => `${appId} ${userId}`;
  const ofUsers = new Map<string, OpenStory[]>();
  const add = (story: OpenStory): unknown =>
    ofUsers.get(keyOf(story))?.push(story) ?? ofUsers.set(keyOf(story), [story]);
  for (const story of stories.values()) add(story);
  for (const passcode of passcodes.toReversed()) {
    if (found.has(passcode)) continue;
    const { appId, userId, to } = passcode;
    // That of its request, whose row is on its way.
    const id = passcode.requestId ?? passcode.id;
    const around = storyAround(passcode, ofUsers.get(keyOf(passcode)) ?? []);
    if (around !== undefined) {
      around.passcodes.push(passcode);
      around.passcodes.sort((a, b) => a.seq - b.seq);
      continue;
    }
    const begun = { id, appId, userId, to, rows: [], passcodes: [passcode] };
    stories.set(id, begun);
    add(begun);
  }
  const lastOf = ({ rows: own, passcodes: sent }: Story): string => own.at(-1)?.at ?? sent.at(-1)?.createdAt ?? "";
  return [...stories.values()].reverse().sort((a, b) => lastOf(b).localeCompare(lastOf(a)));
};

/** A line of a story. */
export interface StoryStep {
  readonly key: string;
  /** Null if unknown. */
  readonly at: string | null;
  readonly title: string;
  readonly typed?: string;
  /** The newest code then, if one is known. */
  readonly code?: string;
  readonly tone: Tone;
  /** The result in a word or two. */
  readonly result: string;
  /** Whether a code is known and its request is not: right after it was sent, the row is still on its way. */
  readonly isUnlogged?: boolean;
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

/** Errors that count as a wrong attempt. */
const WRONG: ReadonlySet<string | null> = new Set(["passcode_mismatch", "passcode_replaced"]);
/** @returns whether a wrong code was typed, rather than simulated by a fault. */
export const isWrongCode = ({ reason, fault }: RequestRow): boolean => WRONG.has(reason) && fault === null;

/** @returns what a request did, in a word or two; a code is judged by `refusal`. */
const resultOf = (row: RequestRow, refusal: string | null | undefined): string => {
  if ((row.carriedOut?.status ?? 500) < 400) return "carried out; the answer was lost";
  if (row.status === 0 || row.status >= 400) return refusal ?? String(row.status || "no response");
  return row.method === "PUT" ? "signed in" : String(row.status);
};

const sessionOf = (row: RequestRow): string | undefined => {
  const answer = row.method === "PUT" && row.status < 300 ? parsedJson(row.response.body) : undefined;
  return isObject(answer) ? ifText(answer["id"]) : undefined;
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
  return `${replaced ? REASON_WORDS.passcode_replaced.short : "wrong"}${left}`;
};

/** @returns the code that was the newest at a row of its login; undefined if none is known. */
const codeAt = ({ rows, passcodes }: Story, row: RequestRow): string | undefined =>
  passcodes.findLast(({ requestId, createdAt }) => {
    const asked = rows.findIndex(({ id }) => id === requestId);
    return asked < 0 ? createdAt <= row.at : asked <= rows.indexOf(row);
  })?.code;

/** @param isTyped whether a row says so. @returns the steps of a code whose request is not in the log. */
const stepsOfCode = (passcode: Passcode, items: readonly TimelineItem[], isTyped: boolean): StoryStep[] => {
  const { requestId, createdAt, tried, code, id } = passcode;
  const [title, result] = requestId === null ? ["Sent from the console", ""] : ["Requested a code", "not in the log"];
  const item = items.find(({ changes }) => changes.some((one) => one.id === id && one.before === null));
  // The log is limited and in memory; typed codes are stored with the passcode.
  const forgotten = isTyped ? [] : tried;
  const remembered = forgotten.map((typed, index): StoryStep => {
    const [tone, words] = typed === code ? (["ok", "right"] as const) : (["bad", wrongWords(undefined)] as const);
    const more = { at: null, title: "Entered", typed, code, times: 1, requestId: null, item: undefined };
    return { key: `${id} try ${index}`, tone, result: words, ...more };
  });
  const known = { key: id, at: createdAt, title, tone: "info", result, times: 1, requestId: null, item } as const;
  const sent = { ...known, isUnlogged: requestId !== null };
  return [sent, ...remembered];
};

/**
 * @param items what changed of the user, newest first. @param besideOf the steps that no request made, given the changes of
 * the others. @returns the steps of a story, oldest first.
 */
export const stepsOf = (
  story: Story,
  items: readonly TimelineItem[] = [],
  besideOf: (own: readonly TimelineItem[]) => readonly StoryStep[] = () => [],
): StoryStep[] => {
  const { rows, passcodes } = story;
  const itemOf = new Map(items.flatMap((item) => (item.requestId === null ? [] : [[item.requestId, item]])));
  const stepOf = ({ id, newest: row, rows: again }: Folded): StoryStep => {
    const typed = row.login?.typed ?? undefined;
    const code = codeAt(story, row);
    const sessionId = sessionOf(row);
    const item = itemOf.get(row.id);
    const note = repeatWords(again);
    const refusal = isWrongCode(row) ? wrongWords(item, row.reason === "passcode_replaced") : shortReason(row.reason);
    const done = row.carriedOut?.status ?? row.status;
    const asked = done === 200 || done === 201 ? "Signed up" : "Requested a code";
    return {
      key: id,
      at: again.at(-1)?.at ?? row.at,
      title: row.method === "POST" ? asked : typed === undefined ? "No passcode in the request" : "Entered",
      tone: row.fault !== null && row.status >= 400 ? "warn" : statusTone(row.status),
      result: resultOf(row, refusal),
      // What the client repeated by itself counts once.
      times: again.filter(({ repeats }) => repeats === null).length || 1,
      row,
      requestId: id,
      item,
      ...(note === null ? {} : { note }),
      ...(typed === undefined ? {} : { typed }),
      ...(code === undefined ? {} : { code }),
      ...(sessionId === undefined ? {} : { sessionId }),
    };
  };
  const logged = foldRetries(rows.toReversed()).toReversed().map(stepOf);
  const ids = new Set<string | null>(rows.map(({ id }) => id));
  const isTyped = rows.some(({ method }) => method === "PUT");
  const sent = passcodes
    .filter(({ requestId }) => !ids.has(requestId) || requestId === null)
    .map((passcode) => stepsOfCode(passcode, items, isTyped));
  const steps = merged(logged, sent);
  const own = items.filter((item) => ids.has(item.requestId) || steps.some((step) => step.item === item));
  return merged(
    steps,
    besideOf(own).map((step) => [step]),
  );
};

/** @returns the steps with groups of others between them, by the first of each. */
const merged = (steps: readonly StoryStep[], groups: readonly (readonly StoryStep[])[]): StoryStep[] => {
  const all: StoryStep[] = [];
  const rest = [...groups];
  for (const step of steps) {
    // A request that changed nothing has no number; its time says where it belongs.
    const isBefore = ([first]: readonly StoryStep[]): boolean =>
      step.item && first?.item ? first.item.seq < step.item.seq : (first?.at ?? "") < (step.at ?? "");
    while (rest[0] !== undefined && isBefore(rest[0])) all.push(...(rest.shift() ?? []));
    all.push(step);
  }
  return [...all, ...rest.flat()];
};

/** A step of a login. */
export interface OfStep {
  readonly story: Story;
  readonly step: StoryStep;
}
