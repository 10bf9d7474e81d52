/** Describes a login for the stage: its calls in words, each with its HTTP request or response. */

import type { App, Passcode, RequestRow } from "#client/index.ts";
import { effectiveSettings } from "#contract/service/effective-settings.ts";
import { statusPhrase } from "#contract/service/problems.ts";
import { isObject } from "#contract/service/wire-body.ts";
import { groups } from "#contract/words/code-words.ts";
import { parsedJson } from "#contract/words/parsed-json.ts";
import { type StoryStep, stepsOf, storiesOf } from "../../shared/login/stories.ts";
import type { Tone } from "../../ui/tones.ts";
import { words } from "./words.ts";

/** One line of the story. */
export interface Scene {
  readonly key: string;
  readonly at: string | null;
  readonly tone: Tone;
  readonly words: string;
  readonly wire: string;
}

/** Longer texts, such as ids and tokens, are truncated; not phones and emails, which may be blurred. */
const MOST_TEXT = 24;
const KEPT = 8;

const brief = (_key: string, value: unknown): unknown =>
  typeof value === "string" && value.length > MOST_TEXT && !value.includes("@") ? `${value.slice(0, KEPT)}…` : value;
const compact = (body: string | null): string => {
  const json = parsedJson(body);
  return isObject(json) ? JSON.stringify(json, brief) : (body ?? "").slice(0, MOST_TEXT);
};
/** Phrases of responses that are no refusal of the service. */
const PHRASES: Readonly<Record<number, string>> = {
  200: "OK",
  201: "Created",
  202: "Accepted",
  502: "Bad Gateway",
  503: "Service Unavailable",
};
const request = ({ method, path, request: { body } }: RequestRow): string =>
  `${method} ${path.split("?")[0]} ${compact(body)}`;
const response = ({ status, response: { body } }: RequestRow): string =>
  status === 0 ? words().closed : `${status} ${PHRASES[status] ?? statusPhrase(status)} ${compact(body)}`.trim();

const asked = (row: RequestRow, who: string, lost: boolean): Scene[] => {
  const { id, at, status } = row;
  const scene = (tone: Tone, words: string): Scene => ({ key: `${id} answer`, at, tone, words, wire: response(row) });
  const isNew = status === 200 || status === 201;
  const answer = (): Scene => {
    if (isNew) return scene("ok", words().hasAccount(who));
    if (status !== 202) return scene("bad", status === 0 ? words().noAnswer : words().refuses);
    return lost ? scene("warn", words().sendsLost) : scene("ok", words().sendsCode);
  };
  return [
    { key: id, at, tone: "ok", words: isNew ? words().signsUp(who) : words().asks(who), wire: request(row) },
    answer(),
  ];
};

const typed = ({ row, result, tone, typed: code = "" }: StoryStep, who: string, field: string): Scene[] => {
  if (row === undefined) return [];
  const shown = groups(code.slice(0, MOST_TEXT)).join(" ");
  const isIn = row.status > 0 && row.status < 300;
  // Omits what the previous request already showed, to fit on one line.
  const sent = `PUT {…,"${field}":"${code.slice(0, MOST_TEXT)}"}`;
  const wire = isIn ? response(row) : `${sent} → ${row.status || "no response"} ${row.reason ?? ""}`;
  // A fault that delays a call hides from the story why it failed.
  const why =
    row.reason === "passcode_mismatch" && row.fault !== null
      ? words().wrong
      : (words().results[row.reason ?? ""] ?? result);
  const said = isIn ? words().signedIn(who, shown) : words().enters(who, shown, why);
  return [{ key: row.id, at: row.at, tone: isIn ? "ok" : tone, words: said, wire }];
};

/** @returns the newest login, oldest line first. @param rows newest first. @param nameOf a user's first name. */
export const scenesOf = (
  rows: readonly RequestRow[],
  app: App,
  passcodes: readonly Passcode[],
  nameOf: (userId: string | null) => string,
): Scene[] => {
  const [story] = storiesOf(rows, passcodes);
  if (story === undefined) return [];
  const who = nameOf(story.userId);
  const field = effectiveSettings(app.settings).wire.passcodeField;
  const isLost = ({ id }: RequestRow): boolean =>
    story.passcodes.some(({ requestId, delivery }) => requestId === id && delivery === "failed");
  return stepsOf(story).flatMap((step) =>
    step.row?.method === "POST" ? asked(step.row, who, isLost(step.row)) : typed(step, who, field),
  );
};

/** @returns the usernames and names in calls, as they were sent: also of who has no account. */
export const secretsIn = (rows: readonly RequestRow[]): string[] =>
  rows.flatMap((row) => {
    const found = [row.login?.to ?? ""];
    const keep = (value: unknown): void => {
      if (!isObject(value)) return;
      if (typeof value["name"] === "string") found.push(value["name"]);
      for (const inner of Object.values(value)) keep(inner);
    };
    keep(parsedJson(row.request.body));
    return found;
  });
