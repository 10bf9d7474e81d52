/**
 * Faults in the control API: deliberate misbehaviour of admin and auth. Kept in memory, and gone after a restart or
 * reset, except for the scenarios of profiles (scenarios.ts).
 */
import { z } from "zod";
import { e164, email, isoInstantText, uuidText } from "./scalars.ts";

/** Limits: number of faults, delay in milliseconds, and `times`. */
export const FAULT_LIMITS = { faults: 1_000, delayMs: 60_000, times: 1_000_000 } as const;

/** The errors that a fault can cause, each only on operations that can return it. */
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

/** Which requests a fault applies to: those that match every given field. */
export const faultMatch = z.strictObject({
  listener: z.enum(["admin", "auth"]).exactOptional().meta({ description: "Absent: both." }),
  method: z
    .enum(["GET", "POST", "PUT", "DELETE"])
    .exactOptional()
    .meta({ description: "GET includes HEAD. Absent: any." }),
  path: z
    .string()
    .max(1_024)
    .regex(/^\/[^*?#]*\*?$/, "must be a path such as /v1/profiles, or /v1/profiles/* for all that begins so")
    .exactOptional()
    .meta({ description: "The path without a query; a `*` at the end matches any suffix." }),
  appId: z.string().exactOptional().meta({ description: "Only requests of this app." }),
  to: z
    .union([e164, email], "must be a phone number in E.164 form or an email address")
    .exactOptional()
    .meta({ description: "Only session requests with this username, the recipient of passcodes." }),
});
/** @see faultMatch */
export type FaultMatch = z.output<typeof faultMatch>;

const ENDS = ["status", "reason", "drop", "reset", "undelivered"] as const;

/** What happens to a matching request. */
export const faultEffect = z
  .strictObject({
    delayMs: z
      .int()
      .min(0)
      .max(FAULT_LIMITS.delayMs)
      .exactOptional()
      .meta({ description: "Delay in real milliseconds. Without another effect the request then proceeds." }),
    status: z
      .int()
      .min(200)
      .max(599)
      .exactOptional()
      .meta({ description: "Responds with this status and does nothing else." }),
    body: z.unknown().exactOptional().meta({
      description: "With `status`: JSON, or a string, which is sent as plain text. Absent: the usual error body.",
    }),
    reason: faultReason.exactOptional().meta({
      description: "Fails as the service does for this reason, on the operations that can return it.",
    }),
    drop: z.literal(true).exactOptional().meta({ description: "Closes the connection without a response." }),
    reset: z.literal(true).exactOptional().meta({ description: "Resets the connection (TCP RST)." }),
    undelivered: z.literal(true).exactOptional().meta({
      description: "Issues the passcode and responds with 202, but never delivers it: `delivery` is `failed`.",
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

/** How many requests a fault applies to; null: no limit. */
export const faultTimes = z.int().min(1).max(FAULT_LIMITS.times).nullable();

/** A new fault. */
export const faultInput = z
  .strictObject({
    match: faultMatch.default({}),
    effect: faultEffect,
    times: faultTimes.default(null).meta({ description: "How many requests it applies to. `null`: no limit." }),
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
  // In a lenient app a username can have any form.
  match: faultMatch.extend({ to: z.string().exactOptional() }),
  userId: uuidText.nullable().meta({ description: "The profile whose scenario set it; `null`: set through this API." }),
  scenario: z.string().nullable().meta({ description: "The name of that scenario; `custom`: a custom fault." }),
  effect: z.object(faultEffect.shape),
  times: faultTimes,
  used: z.int().meta({ description: "How many requests it has applied to." }),
  remaining: z.int().nullable().meta({ description: "How many more requests it will apply to; `null`: no limit." }),
  createdAt: isoInstantText,
});
/** @see faultItem */
export type FaultItem = z.input<typeof faultItem>;
