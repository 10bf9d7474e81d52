/**
 * Faults in the control API: what admin and auth do wrong on purpose. In memory only, gone at a restart and at a reset, but
 * for the scenarios of profiles (scenarios.ts).
 */
import { z } from "zod";
import { e164, email, isoInstantText, uuidText } from "./scalars.ts";

/** Most faults at once, and most milliseconds that one delays an answer. */
export const FAULT_LIMITS = { faults: 1_000, delayMs: 60_000, times: 1_000_000 } as const;

/** Refusals that a fault can bring about: of each, on the operations that may refuse so. */
const faultReason = z.enum([
  "passcode_mismatch",
  "passcode_expired",
  "passcode_used",
  "passcode_replaced",
  "passcode_exhausted",
  "unknown_user",
  "unknown_app",
  "sign_up_closed",
  "rate_limited",
  "unknown_secret",
  "unknown_profile",
  "internal",
  "disk_full",
]);

/** Which requests a fault meets: those that fit everything given. */
export const faultMatch = z.strictObject({
  listener: z.enum(["admin", "auth"]).exactOptional().meta({ description: "Absent: both." }),
  method: z
    .enum(["GET", "POST", "PUT", "DELETE"])
    .exactOptional()
    .meta({ description: "GET stands for HEAD too. Absent: any." }),
  path: z
    .string()
    .max(1_024)
    .regex(/^\/[^*?#]*\*?$/, "must be a path such as /v1/profiles, or /v1/profiles/* for all that begins so")
    .exactOptional()
    .meta({ description: "The path, without a query; a `*` at its end stands for whatever follows." }),
  appId: z.string().exactOptional().meta({ description: "Requests of this app." }),
  to: z
    .union([e164, email], "must be a phone number in E.164 form or an email address")
    .exactOptional()
    .meta({ description: "Session requests of this username: the recipient of passcodes." }),
});
/** @see faultMatch */
export type FaultMatch = z.output<typeof faultMatch>;

const ENDS = ["status", "reason", "drop", "reset", "undelivered"] as const;

/** What happens to a request that is met. */
export const faultEffect = z
  .strictObject({
    delayMs: z
      .int()
      .min(0)
      .max(FAULT_LIMITS.delayMs)
      .exactOptional()
      .meta({ description: "Real milliseconds to wait first; alone: the request is then carried out." }),
    status: z.int().min(200).max(599).exactOptional().meta({ description: "Answers this, and does nothing." }),
    body: z.unknown().exactOptional().meta({
      description: "With `status`: JSON, or a string, sent as plain text. Absent: the usual body of an error.",
    }),
    reason: faultReason.exactOptional().meta({
      description: "Refuses just as the service does for this reason, on the operations that may refuse so.",
    }),
    drop: z.literal(true).exactOptional().meta({ description: "Closes the connection without an answer." }),
    reset: z.literal(true).exactOptional().meta({ description: "Resets the connection (TCP RST)." }),
    undelivered: z.literal(true).exactOptional().meta({
      description: "The passcode is issued and 202 answered, but it does not arrive: `delivery` is `failed`.",
    }),
  })
  .superRefine((effect, ctx) => {
    const ends = ENDS.filter((name) => effect[name] !== undefined);
    const [first, second] = ends;
    if (second !== undefined) ctx.addIssue({ code: "custom", message: `cannot go with ${first}`, path: [second] });
    if (first === undefined && effect.delayMs === undefined)
      ctx.addIssue({ code: "custom", message: `must have delayMs or one of ${ENDS.join(", ")}` });
    if (effect.body !== undefined && effect.status === undefined)
      ctx.addIssue({ code: "custom", message: "goes with status", path: ["body"] });
  });
/** @see faultEffect */
export type FaultEffect = z.output<typeof faultEffect>;

/** How many requests a fault meets; null: all. */
export const faultTimes = z.int().min(1).max(FAULT_LIMITS.times).nullable();

/** A new fault. */
export const faultInput = z
  .strictObject({
    match: faultMatch.default({}),
    effect: faultEffect,
    times: faultTimes
      .default(null)
      .meta({ description: "How many requests it meets; then they recover. `null`: all." }),
  })
  .superRefine(({ match, effect }, ctx) => {
    if (match.listener !== "admin") return;
    if (match.to !== undefined)
      ctx.addIssue({ code: "custom", message: "goes with the auth listener", path: ["match", "to"] });
    if (effect.undelivered !== undefined)
      ctx.addIssue({ code: "custom", message: "goes with the auth listener", path: ["effect", "undelivered"] });
  });
/** @see faultInput */
export type FaultInput = z.output<typeof faultInput>;

/** A fault with its counters. */
export const faultItem = z.object({
  id: uuidText,
  // A lenient app has usernames of any form.
  match: faultMatch.extend({ to: z.string().exactOptional() }),
  userId: uuidText.nullable().meta({ description: "The profile whose scenario it is; `null`: it was set here." }),
  scenario: z.string().nullable().meta({ description: "The name of that scenario; `custom`: a fault of its own." }),
  effect: z.object(faultEffect.shape),
  times: faultTimes,
  used: z.int().meta({ description: "How many requests it has met." }),
  remaining: z.int().nullable().meta({ description: "How many it will still meet; `null`: no end." }),
  createdAt: isoInstantText,
});
/** @see faultItem */
export type FaultItem = z.input<typeof faultItem>;
