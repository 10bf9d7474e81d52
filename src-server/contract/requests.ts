/** The request log in the control API (CONTRACT 6). Kept in memory: the newest 1,000 rows and 32 MiB. */
import { z } from "zod";
import { countText, countTextOr, isoInstantText } from "./scalars.ts";

const listener = z.enum(["admin", "auth", "console"]);
const message = z.object({
  headers: z
    .record(z.string(), z.union([z.string(), z.array(z.string())]))
    .meta({ description: "Secrets are masked." }),
  body: z.string().nullable().meta({ description: "As text, cut after 16 KiB." }),
});

/** One request and its answer. */
export const requestItem = z.object({
  id: z.string(),
  at: isoInstantText,
  listener,
  scheme: z.enum(["http", "https"]),
  method: z.string(),
  path: z.string(),
  status: z.int().meta({ description: "0: the connection was closed without an answer, by a fault or to make room." }),
  reason: z.string().nullable().meta({ description: "As the Emulator-Reason header." }),
  decision: z.string().nullable().meta({ description: "The decision that the answer rests on, such as D24." }),
  fault: z.string().nullable().meta({ description: "The id of the fault that the request met." }),
  appId: z.string().nullable(),
  userId: z.string().nullable(),
  durationMs: z.number(),
  ignoredFields: z.array(z.string()),
  warnings: z.array(z.string()),
  request: message,
  response: message,
  remote: z.string().nullable(),
});
/** @see requestItem */
export type RequestItem = z.input<typeof requestItem>;

/** Header names as RFC 9110 has them, without those that belong to the connection or follow from the rest. */
const HEADER_NAME =
  /^(?!(?:connection|content-length|expect|host|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade)$)[a-z0-9!#$%&'*+.^_`|~-]+$/i;

/** What to change of a logged request before it is sent again; what is absent stays as it was. */
export const resendInput = z.strictObject({
  method: z.enum(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]).exactOptional(),
  path: z
    .string()
    .max(8_192)
    .regex(/^\/[\x21-\x7e]*$/, "must begin with / and have no spaces")
    .exactOptional()
    .meta({ description: "With its query." }),
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
    .meta({ description: "Headers to set, or with `null` to leave out; the others stay." }),
  body: z.string().nullable().exactOptional().meta({ description: "As text; `null`: none." }),
});
/** @see resendInput */
export type ResendInput = z.output<typeof resendInput>;

/** What a request that was sent once more was answered. */
export const resendAnswer = z.object({
  status: z.int().meta({ description: "0: the connection ended without an answer, as by a fault." }),
  headers: z.record(z.string(), z.string()),
  body: z.string().nullable().meta({ description: "As text." }),
  requestId: z.string().nullable().meta({ description: "The new row of the request log." }),
});
/** @see resendAnswer */
export type ResendAnswer = z.input<typeof resendAnswer>;

/** Which rows to list, newest first. */
export const requestQuery = z.object({
  appId: z.string().exactOptional(),
  userId: z.string().exactOptional(),
  listener: listener.exactOptional(),
  method: z.string().toUpperCase().exactOptional(),
  path: z.string().exactOptional().meta({ description: "Rows whose path begins so." }),
  status: countText(100, 599).exactOptional(),
  reason: z.string().exactOptional(),
  limit: countTextOr(1, 1_000, 100),
});
/** @see requestQuery */
export type RequestQuery = z.output<typeof requestQuery>;
