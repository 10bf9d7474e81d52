/** How the form of a fault shows each effect, and reads it. */
import type { Fault } from "#client/index.ts";
import { type EffectName, headersIn } from "#contract/service/faults.ts";
import { REASON_WORDS } from "#contract/service/reasons.ts";
import { parsedJson } from "#contract/words/parsed-json.ts";
import { sentence } from "#contract/words/words.ts";
import { secondsText } from "../../shared/fault/fault-words.ts";

type Effect = Fault["effect"];

/** An input for the value of an effect. */
interface EffectInput {
  readonly label: string;
  readonly placeholder?: string;
  readonly keyboard?: "numeric" | "decimal";
  /** Shows a text area of so many lines. */
  readonly rows?: number;
  /** Shows a choice. */
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
  /** @returns the value; an invalid text becomes what the contract refuses. */
  readonly read: (text: string) => unknown;
  /** @returns the text for an effect; what the input starts with if this one is absent. */
  readonly text: (effect: Effect) => string;
}

/** `title`: among the choices of what happens. `input` is absent for an effect that is only on or off. */
interface EffectField {
  readonly title?: string;
  readonly input?: EffectInput;
}

/** @returns the number in a text, with a decimal point or comma. */
export const numberIn = (text: string): number | string =>
  text.trim() === "" ? "" : Number(text.trim().replace(",", "."));

const jsonOrText = (text: string): unknown => {
  const value = parsedJson(text);
  return value === undefined ? text : value;
};

/** @returns the milliseconds of a text in seconds, such as `2`, or `0.5 to 4` for a range. */
export const msIn = (text: string): unknown => {
  const [from, to] = text.split(/to|–/).map((part) => Math.round(Number(numberIn(part)) * 1_000));
  return to === undefined ? from : { from, to };
};

/** @returns the body of a fault as text. */
export const bodyText = (body: Effect["body"]): string =>
  typeof body === "string" ? body : JSON.stringify(body, null, 2);

/** @returns the headers of a fault, one per line. */
export const headersText = ({ headers = {} }: Effect): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");

/** @see the file */
export const EFFECT_FIELDS: Readonly<Record<EffectName, EffectField>> = {
  status: {
    title: "Return a status",
    input: { label: "Status", keyboard: "numeric", read: numberIn, text: ({ status = 503 }) => String(status) },
  },
  headers: {
    input: {
      label: "Headers",
      placeholder: "One per line, such as Retry-After: 30",
      rows: 2,
      read: headersIn,
      text: headersText,
    },
  },
  body: {
    input: {
      label: "Body",
      placeholder: "JSON or plain text. Leave blank for the usual error body",
      rows: 2,
      read: jsonOrText,
      text: ({ body }) => (body === undefined ? "" : bodyText(body)),
    },
  },
  reason: {
    title: "Reject it",
    input: {
      label: "Reason",
      choices: Object.entries(REASON_WORDS).map(([value, { short }]) => ({ value, label: sentence(short) })),
      read: (text) => text,
      text: ({ reason = "passcode_expired" }) => reason,
    },
  },
  undelivered: { title: "Do not deliver the code" },
  deliverAfterMs: {
    title: "Delay the code",
    input: {
      label: "Code arrives after, in seconds",
      keyboard: "decimal",
      read: msIn,
      text: ({ deliverAfterMs = 30_000 }) => secondsText(deliverAfterMs),
    },
  },
  deliverTwice: { title: "Deliver the code twice" },
  drop: { title: "Drop the connection" },
  reset: { title: "Reset the connection" },
  after: {
    input: {
      label: "When it happens",
      choices: [
        { value: "", label: "Before the request is carried out" },
        { value: "after", label: "After it: the response is lost" },
      ],
      read: () => true,
      text: ({ after }) => (after ? "after" : ""),
    },
  },
  twice: {
    input: {
      label: "How often it is carried out",
      choices: [
        { value: "", label: "Once" },
        { value: "twice", label: "Twice, as a client repeats it" },
      ],
      read: () => true,
      text: ({ twice }) => (twice ? "twice" : ""),
    },
  },
  delayMs: {
    input: {
      label: "Delay in seconds",
      placeholder: "None",
      keyboard: "decimal",
      read: msIn,
      text: ({ delayMs }) => secondsText(delayMs),
    },
  },
  clockOffMs: {
    input: {
      label: "Clock ahead, in seconds",
      placeholder: "0. Use a negative number for behind",
      keyboard: "decimal",
      read: (text) => Math.round(Number(numberIn(text)) * 1_000),
      text: ({ clockOffMs }) => secondsText(clockOffMs),
    },
  },
};
