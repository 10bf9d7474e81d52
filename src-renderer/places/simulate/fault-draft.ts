/** A fault as form input, as a request body, and as a command. */

import { z } from "zod";
import type { FaultInput } from "#client/index.ts";
import { isJsonObject } from "#contract/scalars.ts";
import { FAULT_LIMITS, faultInput } from "#contract/service/faults.ts";
import { type FieldErrors, fieldErrors } from "#contract/validation.ts";
import { parsedJson } from "#contract/words/parsed-json.ts";
import { quoted } from "#contract/words/shell-words.ts";

/** What the form has fields for; `other`: JSON, for all effects and for what is left to chance. */
export const FAULT_KINDS = {
  status: "Return a status",
  delay: "Delay it",
  drop: "Drop the connection",
  lost: "Carry it out, lose the response",
  other: "Other, as JSON",
} as const;

/** The form fields as text; an empty one is omitted. `times` empty: until turned off. `json` has all but match and times. */
export interface FaultDraft
  extends Readonly<
    Record<"listener" | "method" | "path" | "appId" | "to" | "times" | "status" | "seconds" | "json", string>
  > {
  readonly kind: keyof typeof FAULT_KINDS;
}

const numberIn = (text: string): number | string => (text.trim() === "" ? "" : Number(text.trim().replace(",", ".")));

/** What each kind sends next to match and times. */
const RESTS: Readonly<Record<FaultDraft["kind"], (draft: FaultDraft) => unknown>> = {
  status: ({ status }) => ({ effect: { status: numberIn(status) } }),
  delay: ({ seconds }) => ({
    effect: { delayMs: seconds.trim() === "" ? Number.NaN : Math.round(Number(numberIn(seconds)) * 1_000) },
  }),
  drop: () => ({ effect: { drop: true } }),
  lost: () => ({ effect: { drop: true, after: true } }),
  other: ({ json }) => parsedJson(json),
};

/** The field of the form in which an error of the contract is shown. */
const fieldOf = (kind: FaultDraft["kind"], path: string): string =>
  kind !== "other" || path === "times" || path.startsWith("match.") ? path : "json";

/** @returns the fault, or the errors by contract field, such as `match.to`; those of the JSON at `json`. */
export const readDraft = (
  draft: FaultDraft,
): { input: FaultInput; wrong?: never } | { wrong: FieldErrors; input?: never } => {
  const { listener, method, path, appId, to, times, kind } = draft;
  const rest = RESTS[kind](draft);
  if (!isJsonObject(rest)) return { wrong: { json: ['must be a JSON object such as {"effect": {"status": 503}}'] } };
  // The recipient can have spaces, as displayed.
  const match = Object.entries({ listener, method, path, appId, to: to.replaceAll(" ", "") })
    .map(([name, text]) => [name, text.trim()] as const)
    .filter(([, text]) => text !== "");
  const raw = { match: Object.fromEntries(match), times: times.trim() === "" ? null : numberIn(times), ...rest };
  const read = z.safeParse(faultInput, raw, { reportInput: true });
  if (read.success) return { input: read.data };
  const wrong: Record<string, string[]> = {};
  for (const [name, texts] of Object.entries(fieldErrors(read.error))) {
    const field = fieldOf(kind, name);
    const shown = name === "effect.delayMs" ? [`must be seconds from 0 to ${FAULT_LIMITS.delayMs / 1_000}`] : texts;
    wrong[field] = [...(wrong[field] ?? []), ...(field === "json" ? texts.map((text) => `${name}: ${text}`) : shown)];
  }
  return { wrong };
};

/** @returns the form input for a fault. */
export const faultDraftOf = ({ match = {}, times = null, ...rest }: FaultInput): FaultDraft => {
  const { status = 503, delayMs } = rest.effect;
  const draft: FaultDraft = {
    ...{ listener: "", method: "", path: "", appId: "", to: "", ...match },
    times: String(times ?? ""),
    status: String(status),
    seconds: String((typeof delayMs === "number" ? delayMs : 2_000) / 1_000),
    json: JSON.stringify(rest, null, 2),
    kind: "other",
  };
  const isThis = (kind: FaultDraft["kind"]): boolean => JSON.stringify(RESTS[kind](draft)) === JSON.stringify(rest);
  const kind = (["status", "delay", "drop", "lost"] as const).find(isThis);
  return kind === undefined ? draft : { ...draft, kind };
};

/** An empty form. @param appId the current app; null: all apps. */
export const emptyDraft = (appId: string | null): FaultDraft =>
  faultDraftOf({ match: appId === null ? {} : { appId }, effect: { status: 503 }, times: 1 });

/** @returns a command that adds a fault. @param consoleUrl the console's URL. */
export const faultCurl = (consoleUrl: string, { match = {}, times = null, ...others }: FaultInput): string => {
  const body = { ...(Object.keys(match).length > 0 && { match }), ...others, ...(times !== null && { times }) };
  return `curl ${consoleUrl}/emulator/v1/faults \\\n  -H 'Content-Type: application/json' \\\n  -d ${quoted(JSON.stringify(body))}`;
};
