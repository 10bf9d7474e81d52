/** The request log in the control API: the newest 1,000 rows and 32 MiB. */
import { z } from "zod";
import { countText, countTextOr, isoInstantText, optional } from "../scalars.ts";

/** One piece of advice. */
const advice = z.object({
  code: z
    .string()
    .describe(
      "What it is about: `passcode_in_post`, `near_user`, `sent_twice`, `answer_lost`, `number_rounded`, `ignored`; what is wrong with a part of a request, such as `blank_around` or `renamed_field`; or the reason of the rejection.",
    ),
  text: z.string().describe("What is the matter and what to change, in words."),
  send: optional(z.string(), "What would have been accepted, tried by the same rules without a change."),
  at: optional(
    z.string(),
    "Where: `body`, `body.user.phone`, `path`, `method`, `query.page`, `header.authorization`. `send` replaces what is there.",
  ),
});
export type Advice = z.output<typeof advice>;

/** The login of a logged request: the requests of one user from the first to the session. */
const login = z.object({
  id: z.string().describe("The id of the login's first request."),
  to: z.string().describe("The username, as it was sent."),
  typed: z.string().nullable().describe("The passcode of a PUT, as it was entered."),
});
export type Login = z.output<typeof login>;

const listener = z.enum(["admin", "auth", "console"]);
const message = z.object({
  headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])).describe("Secrets are masked."),
  body: z.string().nullable().describe("The body as text, truncated to 16 KiB."),
});

/** The checks of a request on its way, in their order (D20). */
const CHECKS = ["access", "secret", "profile", "body", "fields", "fault", "rule"] as const;
export type Check = (typeof CHECKS)[number];

/** An answer that the client did not get. */
const carriedOut = z.object({
  status: z.int(),
  reason: z.string().nullable().describe("Its Emulator-Reason header."),
});
export type CarriedOut = z.output<typeof carriedOut>;

/** A logged request and its response. */
export const requestItem = z.object({
  id: z.string(),
  at: isoInstantText,
  listener,
  scheme: z.enum(["http", "https"]),
  method: z.string(),
  path: z.string(),
  status: z.int().describe("0: no response was sent: a fault or a limit closed the connection, or the client left."),
  reason: z.string().nullable().describe("The Emulator-Reason header."),
  check: z
    .enum(CHECKS)
    .nullable()
    .describe("The check that rejected the request. `null`: none, or the address itself."),
  decision: z.string().nullable().describe("The decision behind the response, such as D24."),
  fault: z.string().nullable().describe("The id of the fault that applied to the request."),
  repeats: z.string().nullable().describe("The id of the request that the client, or a fault with `twice`, repeated."),
  // Files of earlier versions do not have it.
  carriedOut: carriedOut
    .nullable()
    .default(null)
    .describe("The response that was lost: the request was carried out, and the client did not get it."),
  left: optional(z.literal(true), "The client closed the connection before the response."),
  appId: z.string().nullable(),
  userId: z.string().nullable(),
  login: login.nullable().describe("The login that it belongs to. `null`: it names no user who signs in."),
  durationMs: z.number(),
  ignoredFields: z.array(z.string()),
  warnings: z.array(z.string()),
  advice: z.array(advice).describe("How to fix it, or what may be wrong although it worked."),
  request: message,
  response: message,
  remote: z.string().nullable(),
});
export type RequestItem = z.input<typeof requestItem>;

/** Header names as in RFC 9110, except those that belong to the connection or follow from the rest. */
// connection, content-length, expect, host, keep-alive, proxy-connection, te, trailer, transfer-encoding, upgrade:
// written out without the flag `i`, which JSON Schema does not have.
const HEADER_NAME =
  /^(?!(?:[cC][oO][nN][nN][eE][cC][tT][iI][oO][nN]|[cC][oO][nN][tT][eE][nN][tT]-[lL][eE][nN][gG][tT][hH]|[eE][xX][pP][eE][cC][tT]|[hH][oO][sS][tT]|[kK][eE][eE][pP]-[aA][lL][iI][vV][eE]|[pP][rR][oO][xX][yY]-[cC][oO][nN][nN][eE][cC][tT][iI][oO][nN]|[tT][eE]|[tT][rR][aA][iI][lL][eE][rR]|[tT][rR][aA][nN][sS][fF][eE][rR]-[eE][nN][cC][oO][dD][iI][nN][gG]|[uU][pP][gG][rR][aA][dD][eE])$)[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

/** Changes to a logged request before it is resent; absent fields stay as they were. */
export const resendInput = z.strictObject({
  method: z.enum(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]).exactOptional(),
  path: optional(
    z
      .string()
      .max(8_192)
      .regex(/^\/[\x21-\x7e]*$/, "must begin with / and have no spaces"),
    "The path with its query.",
  ),
  headers: z
    .record(
      z.string().max(256).regex(HEADER_NAME, "must be a header name, and none that the connection sets"),
      z
        .string()
        .max(8_192)
        .regex(/^[\t\x20-\x7e\x80-\xff]*$/, "must be one line of Latin-1 text")
        .nullable(),
    )
    .exactOptional()
    .describe("Headers to set, or to remove with `null`; the rest is unchanged."),
  body: optional(z.string().nullable(), "The body as text; `null`: none."),
});
export type ResendInput = z.output<typeof resendInput>;

/** The response to a resent request. */
export const resendAnswer = z.object({
  status: z.int().describe("0: the connection ended without a response, for example by a fault."),
  headers: z.record(z.string(), z.string()),
  body: z.string().nullable().describe("The body as text."),
  requestId: z.string().nullable().describe("The id of the new row in the request log."),
});
export type ResendAnswer = z.input<typeof resendAnswer>;

/** Filter for listing requests, newest first. */
export const requestQuery = z.object({
  appId: z.string().exactOptional(),
  userId: z.string().exactOptional(),
  listener: listener.exactOptional(),
  method: z.string().toUpperCase().exactOptional(),
  path: optional(z.string(), "Only requests whose path starts with this text."),
  status: countText(100, 599).exactOptional(),
  reason: z.string().exactOptional(),
  login: optional(z.string(), "Only requests of the login with this id."),
  failed: optional(z.enum(["0", "1"]), "1: only requests that were rejected, or got no response."),
  lost: optional(z.enum(["0", "1"]), "1: only requests that were carried out and whose response was lost."),
  trace: optional(
    z.string(),
    "Only requests of the trace whose id begins with this, from `traceparent`, `b3`, `sentry-trace`, `x-request-id` and the like.",
  ),
  after: optional(z.string(), "Only requests after this one in the list, by its id: the `next` of the page before."),
  limit: countTextOr(1, 1_000, 100),
});
export type RequestQuery = z.output<typeof requestQuery>;

/** Which failed requests to list as text. */
export const failedQuery = z.object({
  appId: z.string().exactOptional(),
  since: optional(z.string(), "Only requests after this one, by its id."),
});

/** The failed requests as text. */
export const failedAnswer = z.object({
  text: z.string().describe("A line each, with the first sentence of its advice; empty if none failed."),
});

/** The item of the event `failure.first`. */
export const firstFailure = z
  .object({
    requestId: z.string(),
    at: isoInstantText,
    method: z.string(),
    path: z.string(),
    status: z.int(),
    reason: z.string(),
    app: z.string().nullable().describe("The app, or the app id that was sent and is unknown."),
    text: z.string().describe("What to do, in words."),
    more: z
      .int()
      .describe(
        "How many other kinds of failures this app had since: there is at most one such event a second. They are reported when they occur again.",
      ),
  })
  .describe("The first failure of its kind of an app.");
export type FirstFailure = z.infer<typeof firstFailure>;
