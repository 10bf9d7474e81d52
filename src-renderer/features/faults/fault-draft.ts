/** A fault as form input, as a request body, and as a command. */
import { z } from "zod";
import type { Fault, FaultInput } from "#client/index.ts";
import { FAULT_LIMITS, faultInput } from "#contract/faults.ts";
import { parsedJson } from "#contract/parsed-json.ts";
import { routes } from "#contract/routes.ts";
import { type FieldErrors, fieldErrors } from "#contract/validation.ts";
import { quoted } from "../../ui/wire-shape.ts";

/** The effects of a fault, apart from a delay. */
export const ENDS = ["none", "status", "reason", "undelivered", "drop", "reset"] as const;
/** @see ENDS */
export type End = (typeof ENDS)[number];

type TextField = "listener" | "method" | "path" | "appId" | "to" | "status" | "body" | "reason" | "delay" | "times";

/** The form fields as text; an empty one is omitted. `delay` is in seconds, `times` counts requests for `next`. */
export interface Draft extends Readonly<Record<TextField, string>> {
  readonly end: End;
  readonly often: "next" | "always";
}

const DELAY = "effect.delayMs";
const WRONG_DELAY = `must be seconds from 0 to ${FAULT_LIMITS.delayMs / 1_000}`;

const said = (fields: Readonly<Record<string, string>>): object =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, text]) => (text.trim() === "" ? [] : [[name, text.trim()]])),
  );
const asNumber = (text: string): number | string => (text.trim() === "" ? "" : Number(text.replace(",", ".")));

const asBody = (text: string): unknown => {
  const value = parsedJson(text);
  return value === undefined ? text : value;
};

/** @returns the body of a fault as text. */
export const bodyText = (body: Fault["effect"]["body"]): string =>
  typeof body === "string" ? body : JSON.stringify(body, null, 2);

const effectOf = ({ end, status, body, reason, delay }: Draft): object => ({
  ...(delay.trim() !== "" && { delayMs: Math.round(Number(asNumber(delay)) * 1_000) }),
  ...(end === "status" && { status: asNumber(status) }),
  ...(end === "status" && body.trim() !== "" && { body: asBody(body) }),
  ...(end === "reason" && { reason }),
  ...((end === "undelivered" || end === "drop" || end === "reset") && { [end]: true }),
});

/** @returns the fault, or the errors by contract field, such as `match.to`. */
export const readDraft = (
  draft: Draft,
): { input: FaultInput; wrong?: never } | { wrong: FieldErrors; input?: never } => {
  const { listener, method, path, appId, to, often, times } = draft;
  const raw = {
    // The recipient can have spaces, as displayed.
    match: said({ listener, method, path, appId, to: to.replaceAll(" ", "") }),
    effect: effectOf(draft),
    times: often === "always" ? null : asNumber(times),
  };
  const read = z.safeParse(faultInput, raw, { reportInput: true });
  if (read.success) return { input: read.data };
  const wrong = fieldErrors(read.error);
  // The form uses seconds.
  return { wrong: wrong[DELAY] === undefined ? wrong : { ...wrong, [DELAY]: [WRONG_DELAY] } };
};

/** @returns the form input for a fault. */
export const draftOf = ({ match = {}, effect, times = null }: FaultInput): Draft => ({
  ...{ listener: "", method: "", path: "", appId: "", to: "", ...match },
  end: ENDS.find((end) => end !== "none" && effect[end] !== undefined) ?? "none",
  status: String(effect.status ?? 503),
  body: effect.body === undefined ? "" : bodyText(effect.body),
  reason: effect.reason ?? "passcode_expired",
  delay: effect.delayMs === undefined ? "" : String(effect.delayMs / 1_000),
  often: times === null ? "always" : "next",
  times: String(times ?? 1),
});

/** An empty form. @param appId the current app; null: all apps. */
export const emptyDraft = (appId: string | null): Draft =>
  draftOf({ match: appId === null ? {} : { appId }, effect: { status: 503 }, times: 1 });

/** @returns a command that adds a fault. @param consoleUrl the console's URL. */
export const faultCurl = (consoleUrl: string, { match = {}, effect, times = null }: FaultInput): string => {
  const body = { ...(Object.keys(match).length > 0 && { match }), effect, ...(times !== null && { times }) };
  return `curl ${consoleUrl}${routes.addFault.path} \\\n  -H 'Content-Type: application/json' \\\n  -d ${quoted(JSON.stringify(body))}`;
};
