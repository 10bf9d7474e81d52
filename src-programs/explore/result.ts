/** The result of an exploration: its JSON, which the console opens and `--known` reads (CONTRACT 27). */
import { z } from "zod";
import { lazyObject } from "#contract/lazy-object.ts";
import { KIND_NAMES } from "./kinds.ts";

const kind = z.enum(KIND_NAMES);

/** A run of the program with one failure. */
const exploredRun = lazyObject(() => ({
  step: z.string(),
  kind,
  result: z.enum(["passed", "failed", "timedOut"]),
  known: z.boolean(),
  exitCode: z.int(),
  ms: z.int(),
  /** What the program did after the failure; `lastStatus` is null if it sent nothing more. */
  after: z.object({ requests: z.int(), lastStatus: z.int().nullable() }),
  /** Codes that were used and sessions that were made by requests whose answer was lost. */
  left: z.object({ usedCodes: z.int(), lostSessions: z.int() }),
  /** The command that repeats it. */
  repeat: z.string(),
}));
/** @see exploredRun */
export type ExploredRun = z.output<typeof exploredRun>;

/** @see the file */
export const explored = lazyObject(() => ({
  version: z.literal(1),
  steps: z.array(z.string()),
  kinds: z.array(kind),
  runs: z.array(exploredRun),
}));
/** @see explored */
export type Explored = z.output<typeof explored>;
