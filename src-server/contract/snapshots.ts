/** Named snapshots in the control API. */
import { z } from "zod";
import { allCounts, appItem, ofApp } from "./apps.ts";
import { connectionItem } from "./connections.ts";
import { lazyObject } from "./lazy-object.ts";
import { passcodeItem } from "./passcodes.ts";
import { LAST_PAGE, profileItem } from "./profiles.ts";
import { countTextOr, isoInstantText } from "./scalars.ts";
import { sessionItem } from "./sessions.ts";

/** Maximum number of snapshots. */
export const SNAPSHOT_LIMIT = 100;

/** The name of a snapshot. */
export const snapshotName = z
  .string()
  .regex(/^[A-Za-z0-9][\w.-]{0,63}$/, "must be letters, digits, dots, dashes and underscores, at most 64");

/** A snapshot, as stored and as shown in the control API. */
export const snapshotItem = lazyObject(() => ({
  name: z.string(),
  appId: z.string().nullable().describe("The app it belongs to; `null`: all apps."),
  seq: z.int().describe("The `seq` of its last change."),
  createdAt: isoInstantText.describe("In real time, because the service clock is part of the snapshot."),
  counts: allCounts,
  stored: z.boolean().describe("Whether it is on disk and survives a restart."),
}));
/** @see snapshotItem */
export type SnapshotItem = Readonly<z.output<typeof snapshotItem>>;

/** The result of a restore. */
export const restoreAnswer = lazyObject(() => ({
  ...snapshotItem.shape,
  changes: z.int().describe("The number of changes made."),
}));

const pair = <T extends z.ZodType>(item: T) => z.array(z.object({ before: item, after: item }));

/** The changes since a snapshot. */
export const snapshotDiff = lazyObject(() => {
  const app = appItem.omit({ counts: true });
  const lists = z.object({
    apps: z.array(app),
    profiles: z.array(profileItem),
    passcodes: z.array(passcodeItem),
    sessions: z.array(sessionItem),
    connections: z.array(connectionItem),
  });
  const clock = z
    .object({ offsetSeconds: z.number(), frozenAt: isoInstantText.nullable() })
    .nullable()
    .describe("`null`: the app followed, or follows, the global clock.");
  const clocks = z.object({ appId: z.string().nullable(), before: clock, after: clock });
  const counts = z.object({ added: z.int(), removed: z.int(), changed: z.int() });
  return {
    counts: counts.describe("Totals, including entries that do not fit in the lists."),
    added: lists,
    removed: lists,
    changed: z.object({
      apps: pair(app),
      profiles: pair(profileItem),
      passcodes: pair(passcodeItem),
      sessions: pair(sessionItem),
      connections: pair(connectionItem),
      clocks: z.array(clocks).describe("`appId` `null`: the global clock."),
    }),
  };
});
/** @see snapshotDiff */
export type SnapshotDiff = z.input<typeof snapshotDiff>;

/** Query of a diff. */
export const diffQuery = lazyObject(() => ({
  ...ofApp.shape,
  limit: countTextOr(0, 1_000, 100).describe("Maximum number of entries in each list."),
  page: countTextOr(1, LAST_PAGE, 1).describe("The page of each list, from 1."),
}));
