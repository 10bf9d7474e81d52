/** What features do with events, in this order. In the first view. */
import type { Hears } from "../api/hears.ts";
import { coverageLive } from "./coverage/live.ts";
import { devicesLive } from "./devices/live.ts";
import { faultsLive } from "./faults/live.ts";
import { keysLive } from "./keys/live.ts";
import { historyLive } from "./rewind/live.ts";
import { snapshotsLive } from "./snapshots/live.ts";

/** @see the file */
export const HEARERS: readonly Hears[] = [faultsLive, coverageLive, keysLive, snapshotsLive, historyLive, devicesLive];
