/** A fault as form input, as a request body, and as a command. */
import { z } from "zod";
import type { Fault, FaultInput } from "#client/index.ts";
import { FAULT_LIMITS, faultInput } from "#contract/faults.ts";
import { routes } from "#contract/routes.ts";
import { type FieldErrors, fieldErrors } from "#contract/validation.ts";
import { readJson } from "#contract/wire-body.ts";
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

/** An empty form. @param appId the current app; null: all apps. */
export const emptyDraft = (appId: string | null): Draft => ({
  listener: "",
  method: "",
  path: "",
  appId: appId ?? "",
  to: "",
  end: "status",
  status: "503",
  body: "",
  reason: "passcode_expired",
  delay: "",
  often: "next",
  times: "1",
});

const DELAY = "effect.delayMs";
const WRONG_DELAY = `must be seconds from 0 to ${FAULT_LIMITS.delayMs / 1_000}`;

const said = (fields: Readonly<Record<string, string>>): object =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, text]) => (text.trim() === "" ? [] : [[name, text.trim()]])),
  );
const asNumber = (text: string): number | string => (text.trim() === "" ? "" : Number(text.replace(",", ".")));

const asBody = (text: string): unknown => {
  const value = readJson(text);
  return value === undefined ? text : value;
};

/** @returns the body of a fault as text. */
export const bodyText = (body: Fault["effect"]["body"]): string =>
  typeof body === "string" ? body : JSON.stringify(body, null, 2);

const effectOf = ({ end, status, body, reason, delay }: Draft): object => ({
  ...(delay.trim() === "" ? {} : { delayMs: Math.round(Number(asNumber(delay)) * 1_000) }),
  ...(end === "status" ? { status: asNumber(status), ...(body.trim() === "" ? {} : { body: asBody(body) }) } : {}),
  ...(end === "reason" ? { reason } : {}),
  ...(end === "undelivered" || end === "drop" || end === "reset" ? { [end]: true } : {}),
});

/** @returns the fault, or the errors by contract field, such as `match.to`. */
export const readDraft = (draft: Draft): { readonly input: FaultInput } | { readonly wrong: FieldErrors } => {
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

const endOf = (effect: Fault["effect"]): End =>
  ENDS.find((end) => end !== "none" && effect[end] !== undefined) ?? "none";

/** @returns the form input for an existing fault or a preset. */
export const draftOf = ({ match = {}, effect, times = null }: FaultInput): Draft => ({
  ...emptyDraft(match.appId ?? null),
  listener: match.listener ?? "",
  method: match.method ?? "",
  path: match.path ?? "",
  to: match.to ?? "",
  end: endOf(effect),
  ...(effect.status === undefined ? {} : { status: String(effect.status) }),
  ...(effect.body === undefined ? {} : { body: bodyText(effect.body) }),
  ...(effect.reason === undefined ? {} : { reason: effect.reason }),
  delay: effect.delayMs === undefined ? "" : String(effect.delayMs / 1_000),
  ...(times === null ? { often: "always" } : { often: "next", times: String(times) }),
});

/** @returns a command that adds a fault. @param consoleUrl the console's URL. */
export const faultCurl = (consoleUrl: string, { match, effect, times }: FaultInput): string => {
  const body = {
    ...(match === undefined || Object.keys(match).length === 0 ? {} : { match }),
    effect,
    ...(times === undefined || times === null ? {} : { times }),
  };
  return `curl ${consoleUrl}${routes.addFault.path} \\\n  -H 'Content-Type: application/json' \\\n  -d ${quoted(JSON.stringify(body))}`;
};
