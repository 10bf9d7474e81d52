/**
 * The shapes of a journal's lines. A line whose checksum is right was written by us; this guards against another version
 * and against defects.
 */
import { z } from "zod";
import { appRecord, clockRecord } from "#contract/records.ts";
import type { Change } from "#domain/decision.ts";
import { recordChecks } from "./record-check.ts";

const header = z.object({
  journal: z.int().min(1),
  version: z.int().min(1),
  after: z.int().min(0),
  chain: z.string().transform((hex) => Number.parseInt(hex, 16)),
});
/** The first line of a journal; `chain` is the checksum that it goes on from. */
export type JournalHeader = z.infer<typeof header>;

const rare = z.union([
  z.object({ put: z.literal("app"), record: appRecord }),
  z.object({ put: z.literal("clock"), appId: z.string().nullable(), record: clockRecord.nullable() }),
  z.object({ remove: z.literal("app"), appId: z.string() }),
  z.object({
    remove: z.enum(["profiles", "passcodes", "sessions", "connections"]),
    appId: z.string(),
    ids: z.array(z.string()),
  }),
  z.object({ put: z.literal("profiles"), appId: z.string(), record: recordChecks.profiles.schema }),
  z.object({ put: z.literal("passcodes"), appId: z.string(), record: recordChecks.passcodes.schema }),
  z.object({ put: z.literal("sessions"), appId: z.string(), record: recordChecks.sessions.schema }),
  z.object({ put: z.literal("connections"), appId: z.string(), record: recordChecks.connections.schema }),
]);

/** @returns the header, or undefined if this is none. */
export const readHeader = (value: unknown): JournalHeader | undefined => header.safeParse(value).data;

/** The quick look at the kinds of change that nearly all lines hold. */
const isCommon = (value: unknown): value is Change => {
  if (typeof value !== "object" || value === null || !("put" in value && "appId" in value && "record" in value)) {
    return false;
  }
  if (typeof value.appId !== "string") return false;
  switch (value.put) {
    case "profiles":
    case "passcodes":
    case "sessions":
    case "connections":
      return recordChecks[value.put].quick(value.record);
    default:
      return false;
  }
};

/** @returns the changes of a line and the number of the first, or undefined if it holds something else. */
export const readTransaction = (value: unknown): { seq: number; changes: readonly Change[] } | undefined => {
  if (typeof value !== "object" || value === null || !("seq" in value && "changes" in value)) return undefined;
  const { seq, changes: list } = value;
  if (typeof seq !== "number" || !Array.isArray(list) || list.length === 0) return undefined;
  const changes: Change[] = [];
  for (const change of list) {
    const read = isCommon(change) ? change : rare.safeParse(change).data;
    if (read === undefined) return undefined;
    changes.push(read);
  }
  return { seq, changes };
};
