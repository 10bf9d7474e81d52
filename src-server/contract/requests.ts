/**
 * The request log in the control API (CONTRACT 6). Kept in memory: the newest 1,000 rows and 32 MiB.
 */
import { z } from "zod";
import { countText, countTextOr, isoInstantText } from "./scalars.ts";

/** What the log keeps (CONTRACT 4, Retention): rows, bytes in all, bytes of one body. */
export const LOG_LIMITS = { rows: 1_000, bytes: 33_554_432, bodyBytes: 16_384 } as const;

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
  method: z.string(),
  path: z.string(),
  status: z.int().meta({ description: "0: a fault closed the connection without an answer." }),
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

/** What a request that was sent once more was answered. */
export const replayAnswer = z.object({
  status: z.int().meta({ description: "0: the connection ended without an answer, as by a fault." }),
  headers: z.record(z.string(), z.string()),
  body: z.string().nullable().meta({ description: "As text." }),
  requestId: z.string().nullable().meta({ description: "The new row of the request log." }),
});
/** @see replayAnswer */
export type ReplayAnswer = z.input<typeof replayAnswer>;

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
