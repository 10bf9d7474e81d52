/** Faults: deliberate misbehaviour of admin and auth. In memory, except for scenarios of profiles (scenarios.ts). */
import { z } from "zod";
import { beginningOf, e164, email, optional } from "../scalars.ts";

/** Limits of one fault: delay in milliseconds, `times`, headers. How many there can be is in bounds.ts. */
export const FAULT_LIMITS = {
  delayMs: 60_000,
  deliverAfterMs: 3_600_000,
  clockOffMs: 86_400_000,
  times: 1_000_000,
  headers: 20,
} as const;

/** The errors that a fault can cause, each only on operations that can return it. */
// biome-ignore format: a list
const faultReason = z.enum([
  "passcode_mismatch", "passcode_expired", "passcode_used", "passcode_replaced", "passcode_exhausted",
  "passcode_not_sent", "unknown_user", "unknown_app", "sign_up_closed", "rate_limited", "unknown_secret", "unknown_profile", "internal", "disk_full",
]);

/** Which requests a fault applies to: those that match every given field. */
export const faultMatch = z.strictObject({
  listener: optional(z.enum(["admin", "auth"]), "Default: both."),
  method: optional(z.enum(["GET", "POST", "PUT", "DELETE"]), "GET includes HEAD. Default: any."),
  path: optional(
    z
      .string()
      .max(1_024)
      .regex(/^\/[^*?#]*\*?$/, "must be a path such as /v1/profiles, or /v1/profiles/* for everything below it"),
    "The path without a query; a `*` at the end matches any suffix.",
  ),
  appId: optional(z.string(), "Only requests of this app."),
  to: optional(
    z.union([e164, email], "must be a phone number in E.164 form or an email address"),
    "Only session requests with this username, the recipient of passcodes.",
  ),
});
export type FaultMatch = z.output<typeof faultMatch>;

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]{1,100}$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]{1,4096}$/;
/** Headers of the connection, of CORS, and Stagedoor's own. */
const NOT_SET_BY_FAULTS =
  /^(?:connection|content-length|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|access-control-.*|emulator(?:-.*)?)$/i;

const wrongHeader = (name: string, value: string): string | undefined => {
  if (!HEADER_NAME.test(name)) return "is not a header name";
  if (NOT_SET_BY_FAULTS.test(name)) return "cannot be set by a fault";
  if (!HEADER_VALUE.test(value)) return "must have a value of characters that a header can have";
  return undefined;
};

const faultHeaders = z.record(z.string(), z.string()).superRefine((headers, ctx) => {
  const issue = (message: string): void => ctx.addIssue({ code: "custom", message });
  const names = Object.keys(headers);
  if (names.length > FAULT_LIMITS.headers) issue(`must have at most ${FAULT_LIMITS.headers} headers`);
  const seen = new Set<string>();
  for (const name of names) {
    const wrong = seen.has(name.toLowerCase()) ? "must be given once" : wrongHeader(name, headers[name] ?? "");
    if (wrong !== undefined) issue(`${beginningOf(name, 100)} ${wrong}`);
    seen.add(name.toLowerCase());
  }
});

/** @param text lines such as `Retry-After: 30`. @returns the headers; a line without a colon has no value, which is refused. */
export const headersIn = (text: string): Record<string, string> => {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return Object.fromEntries(
    lines.map((line) => {
      const [name = "", ...value] = line.split(":");
      return [name.trim(), value.join(":").trim()];
    }),
  );
};

/** Milliseconds, or a range from which each request draws its own. */
const msOrRange = (least: number, most: number) => {
  const ms = z.int().min(least).max(most);
  const range = z
    .strictObject({ from: ms, to: ms })
    .refine(({ from, to }) => from <= to, { message: "must have from at most as large as to" });
  const error = `must be whole milliseconds from ${least} to ${most}, or a range such as {"from": 500, "to": 4000}`;
  return z.union([ms, range], { error });
};
export type MsOrRange = z.output<ReturnType<typeof msOrRange>>;

const effectFields = z.strictObject({
  twice: optional(
    z.literal(true),
    "Carries the request out twice, as a client or a proxy repeats it; the client gets the second response.",
  ),
  after: optional(
    z.literal(true),
    "With `drop`, `reset`, `status` or `delayMs`: carries the request out first, and then does this to its response.",
  ),
  clockOffMs: optional(
    z.int().min(-FAULT_LIMITS.clockOffMs).max(FAULT_LIMITS.clockOffMs),
    "The service's clock is this many milliseconds ahead for the request; negative: behind.",
  ),
  delayMs: optional(
    msOrRange(0, FAULT_LIMITS.delayMs),
    "Delay in real milliseconds. Without another effect the request then proceeds.",
  ),
  status: optional(z.int().min(200).max(599), "Responds with this status and does nothing else."),
  headers: optional(faultHeaders, "With `status`: response headers by name, such as Retry-After or Content-Type."),
  body: optional(
    z.unknown(),
    "With `status`: JSON, or a string, which is plain text unless `headers` has a Content-Type. Default: the usual error body.",
  ),
  reason: optional(faultReason, "Fails as the service does for this reason, on the operations that can return it."),
  drop: optional(z.literal(true), "Closes the connection without a response."),
  reset: optional(z.literal(true), "Resets the connection (TCP RST)."),
  undelivered: optional(
    z.literal(true),
    "Issues the passcode and responds with 202, but never delivers it: `delivery` is `failed`.",
  ),
  deliverAfterMs: optional(
    msOrRange(1, FAULT_LIMITS.deliverAfterMs),
    "Responds with 202 immediately, and delivers the message this many real milliseconds later: `delivery` is `pending` until then. A code that is requested later can arrive first.",
  ),
  deliverTwice: optional(z.literal(true), "Delivers the message twice."),
});
export type FaultEffect = z.output<typeof effectFields>;
/** The name of an effect. */
export type EffectName = keyof FaultEffect;

/** How an effect combines with others, and which requests can have it. */
interface EffectRule {
  /**
   * `end`: decides what becomes of the request, one per fault; `beside`: alone or with any other; `message`: what
   * becomes of the message, with each other and with `beside`; else: with this one.
   */
  readonly role: "end" | "beside" | "message" | "status";
  /** `passcodes`: those that would send one; `refusals`: those that can be refused for `reason`. */
  readonly on: "all" | "passcodes" | "refusals";
}

/**
 * The effects in the order in which they act. What knows effects (words, form, presets, command line, HTTP) is a record
 * with these keys, so that a new one does not compile until all of them handle it.
 */
export const EFFECTS = {
  twice: { role: "beside", on: "all" },
  after: { role: "beside", on: "all" },
  clockOffMs: { role: "beside", on: "all" },
  delayMs: { role: "beside", on: "all" },
  headers: { role: "status", on: "all" },
  body: { role: "status", on: "all" },
  status: { role: "end", on: "all" },
  reason: { role: "end", on: "refusals" },
  drop: { role: "end", on: "all" },
  reset: { role: "end", on: "all" },
  undelivered: { role: "end", on: "passcodes" },
  deliverAfterMs: { role: "message", on: "passcodes" },
  deliverTwice: { role: "message", on: "passcodes" },
} as const satisfies Readonly<Record<EffectName, EffectRule>>;
/** @see EFFECTS */
export const EFFECT_NAMES = Object.keys(EFFECTS) as readonly EffectName[];
/** @returns the effects with this role. */
const effectsWith = (role: EffectRule["role"]): readonly EffectName[] =>
  EFFECT_NAMES.filter((name) => EFFECTS[name].role === role);

/** What can happen to the answer of a request that has been carried out, in the order in which it happens. */
export const AFTERWARDS = ["delayMs", "headers", "body", "status", "drop", "reset"] as const;
const NEVER_AFTER = ["clockOffMs", "reason", "undelivered"] as const;
const ENDS_BEFORE = ["status", "reason", "drop", "reset"] as const;

/** What happens to a matching request. */
export const faultEffect = effectFields.superRefine((effect, ctx) => {
  const given = (names: readonly EffectName[]) => names.filter((name) => effect[name] !== undefined);
  const refuse = (names: readonly EffectName[], message: string): void => {
    for (const name of names) ctx.addIssue({ code: "custom", message, path: [name] });
  };
  if (effect.after !== undefined) {
    if (given(AFTERWARDS).length === 0) refuse(["after"], "must go with drop, reset, status or delayMs");
    refuse(given(NEVER_AFTER), "cannot go with after");
  } else if (effect.twice !== undefined) refuse(given(ENDS_BEFORE), "cannot go with twice, unless after is given too");
  const ends = effectsWith("end");
  const alone = [...effectsWith("beside"), ...effectsWith("message")];
  const [first, second] = given(ends);
  if (second !== undefined) refuse([second], `cannot go with ${first}`);
  if (first !== undefined) refuse(given(effectsWith("message")), `cannot go with ${first}`);
  else if (given(alone).length === 0) {
    const message = `must have ${alone.filter((name) => name !== "after").join(", ")} or one of ${ends.join(", ")}`;
    ctx.addIssue({ code: "custom", message });
  }
  if (effect.status === undefined) refuse(given(effectsWith("status")), "goes with status");
});

/** How many requests a fault applies to; null: no limit. */
export const faultTimes = z.int().min(1).max(FAULT_LIMITS.times).nullable();

/** What draws are derived from. */
export const faultSeed = z.union([z.string().min(1).max(64), z.int()], {
  error: "must be 1 to 64 characters, or a whole number",
});

const CYCLE = "must be shorter than everyMs";
const cycleMs = z.int().min(1).max(86_400_000);

/** When a fault applies: by chance, by time, and to repetitions. */
export const faultChance = z.strictObject({
  repetitions: optional(
    z.enum(["count", "follow"]),
    "What a client itself repeats within a second of a lost connection, as browsers do: with `count` it is a request like any other, and uses up `times`; with `follow` (default) it ends as the first did.",
  ),
  probability: optional(
    z.number().min(0).max(1),
    "The share of the matching requests that it applies to, from 0 to 1. Default: all.",
  ),
  seed: optional(
    faultSeed,
    "The same seed makes the same choices, request for request. Default: random, if anything is left to chance; the response has it.",
  ),
  cycle: optional(
    z
      .strictObject({ everyMs: cycleMs, forMs: cycleMs })
      .refine(({ everyMs, forMs }) => forMs < everyMs, { message: CYCLE, path: ["forMs"] }),
    "Applies only for the first `forMs` of each `everyMs`, in real time since it was set.",
  ),
});
export type FaultChance = z.output<typeof faultChance>;

/** A new fault. */
export const faultInput = z
  .strictObject({
    match: faultMatch.default({}),
    effect: faultEffect,
    times: faultTimes.default(null).describe("How many requests it applies to. `null`: no limit."),
    ...faultChance.shape,
  })
  .superRefine(({ match, effect }, ctx) => {
    if (match.listener !== "admin") return;
    const issue = { code: "custom", message: "goes with the auth listener" } as const;
    if (match.to !== undefined) ctx.addIssue({ ...issue, path: ["match", "to"] });
    for (const name of EFFECT_NAMES)
      if (effect[name] !== undefined && EFFECTS[name].on === "passcodes")
        ctx.addIssue({ ...issue, path: ["effect", name] });
  });
export type FaultInput = z.output<typeof faultInput>;
