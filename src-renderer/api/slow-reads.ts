/**
 * Reads that look at everything (a whole world, all that changed since a snapshot, how much each app holds): read again
 * soon after a change, but never in a hurry, however much is going on.
 */
import type { QueryClient } from "@tanstack/react-query";

const KEYS = ["apps", "state", "snapshot-diff"] as const;
const LEAST_PAUSE_MS = 500;
/** What takes long is asked for less often: so that reading is the smaller part of the time. */
const PAUSE_PER_READ = 3;

let reading = false;
let more = false;

/** Something has changed that a slow read would tell of: what a screen shows of them is read again. */
export const refreshSlowReads = async (client: QueryClient): Promise<void> => {
  more = true;
  if (reading) return;
  reading = true;
  while (more) {
    more = false;
    const began = performance.now();
    await Promise.all(KEYS.map((key) => client.invalidateQueries({ queryKey: [key] })));
    const took = performance.now() - began;
    await new Promise((resolve) => setTimeout(resolve, Math.max(LEAST_PAUSE_MS, took * PAUSE_PER_READ)));
  }
  reading = false;
};
