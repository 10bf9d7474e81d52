/** A fault as form input, as a request body, and as a command. */

import { z } from "zod";
import type { FaultInput } from "#client/index.ts";
import {
  EFFECT_NAMES,
  EFFECTS,
  type EffectName,
  type EffectWith,
  effectsWith,
  FAULT_LIMITS,
  faultInput,
} from "#contract/service/faults.ts";
import { type FieldErrors, fieldErrors } from "#contract/validation.ts";
import { quoted } from "#contract/words/shell-words.ts";
import { secondsText } from "../../shared/fault/fault-words.ts";
import { EFFECT_FIELDS, msIn, numberIn } from "./effect-fields.ts";

const DECIDING = [...effectsWith("end"), ...effectsWith("message")];

/** What happens: an effect that decides it, or none. */
export type FaultEnd = EffectWith<"end"> | EffectWith<"message"> | "none";
/** @see FaultEnd */
export const ENDS: readonly FaultEnd[] = ["none", ...DECIDING];

/** @returns the effects that the form shows for an end: itself, and those that only go with it. */
export const shownFor = (end: FaultEnd): readonly EffectName[] => [
  ...DECIDING.filter((name) => name === end),
  ...EFFECT_NAMES.filter((name) => EFFECTS[name].role === end),
];

/** What else the form has. `times` counts requests for `next`; `part` is the beginning of each `period`, in seconds. */
type OtherField = "listener" | "method" | "path" | "appId" | "to" | "times" | "share" | "seed" | "part" | "period";

/** The form fields as text; an empty one is omitted. `delayMs` is in seconds. */
export interface FaultDraft extends Readonly<Record<EffectName | OtherField, string>> {
  readonly end: FaultEnd;
  readonly often: "next" | "always";
}

/** What is wrong with times, which the form has in seconds. */
const WRONG_TIMES: Readonly<Record<string, string>> = {
  "effect.delayMs": `must be seconds from 0 to ${FAULT_LIMITS.delayMs / 1_000}`,
  "effect.deliverAfterMs": `must be seconds up to ${FAULT_LIMITS.deliverAfterMs / 1_000}`,
  "effect.clockOffMs": `must be seconds up to ${FAULT_LIMITS.clockOffMs / 1_000}`,
  probability: "must be a percentage up to 100",
  "cycle.forMs": "must be seconds, less than the whole period",
  "cycle.everyMs": "must be seconds up to 86400",
};

const said = (fields: Readonly<Record<string, string>>): object =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, text]) => (text.trim() === "" ? [] : [[name, text.trim()]])),
  );

const effectOf = (draft: FaultDraft): object =>
  Object.fromEntries(
    [...shownFor(draft.end), ...effectsWith("beside")].flatMap((name) => {
      const { input } = EFFECT_FIELDS[name];
      if (input === undefined) return [[name, true]];
      const isOptional = name !== draft.end && draft[name].trim() === "";
      return isOptional ? [] : [[name, input.read(draft[name])]];
    }),
  );

/** @returns the fault, or the errors by contract field, such as `match.to`. */
export const readDraft = (
  draft: FaultDraft,
): { input: FaultInput; wrong?: never } | { wrong: FieldErrors; input?: never } => {
  const { listener, method, path, appId, to, often, times, share, seed, part, period } = draft;
  const raw = {
    // The recipient can have spaces, as displayed.
    match: said({ listener, method, path, appId, to: to.replaceAll(" ", "") }),
    effect: effectOf(draft),
    times: often === "always" ? null : numberIn(times),
    ...(share.trim() !== "" && { probability: Number(numberIn(share)) / 100 }),
    ...said({ seed }),
    ...(part.trim() !== "" && { cycle: { forMs: msIn(part), everyMs: msIn(period) } }),
  };
  const read = z.safeParse(faultInput, raw, { reportInput: true });
  if (read.success) return { input: read.data };
  const wrong = fieldErrors(read.error);
  return {
    wrong: Object.fromEntries(
      Object.entries(wrong).map(([path, texts]) => {
        const field = path.replace(/^(effect\.\w+)\.(from|to)$/, "$1");
        return [field, WRONG_TIMES[field] === undefined ? texts : [WRONG_TIMES[field]]];
      }),
    ),
  };
};

const effectTexts = (effect: FaultInput["effect"]) => {
  const texts = EFFECT_NAMES.map((name) => [name, EFFECT_FIELDS[name].input?.text(effect) ?? ""] as const);
  return Object.fromEntries(texts) as Record<EffectName, string>;
};

/** @returns the form input for a fault. */
export const faultDraftOf = (fault: FaultInput): FaultDraft => {
  const { match = {}, effect, times = null, probability, seed = "", cycle } = fault;
  return {
    ...{ listener: "", method: "", path: "", appId: "", to: "", ...match },
    ...effectTexts(effect),
    end: DECIDING.find((end) => effect[end] !== undefined) ?? "none",
    often: times === null ? "always" : "next",
    times: String(times ?? 1),
    share: probability === undefined ? "" : String(probability * 100),
    seed: String(seed),
    part: secondsText(cycle?.forMs),
    period: secondsText(cycle?.everyMs ?? 60_000),
  };
};

/** An empty form. @param appId the current app; null: all apps. */
export const emptyDraft = (appId: string | null): FaultDraft =>
  faultDraftOf({ match: appId === null ? {} : { appId }, effect: { status: 503 }, times: 1 });

/** @returns a command that adds a fault. @param consoleUrl the console's URL. */
export const faultCurl = (consoleUrl: string, { match = {}, times = null, ...others }: FaultInput): string => {
  const body = { ...(Object.keys(match).length > 0 && { match }), ...others, ...(times !== null && { times }) };
  return `curl ${consoleUrl}/emulator/v1/faults \\\n  -H 'Content-Type: application/json' \\\n  -d ${quoted(JSON.stringify(body))}`;
};
