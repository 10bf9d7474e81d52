/** What the control API says of restores, and of the changes since a snapshot. */
import { z } from "zod";
import { snapshotItem } from "#contract/control/snapshots.ts";
import { countTextOr, isoInstantText } from "#contract/scalars.ts";
import { appItem, ofApp } from "#contract/service/apps.ts";
import { connectionItem } from "#contract/service/connections.ts";
import { passcodeItem } from "#contract/service/passcodes.ts";
import { LAST_PAGE, profileItem } from "#contract/service/profiles.ts";
import { sessionItem } from "#contract/service/sessions.ts";

/** The result of a restore. */
export const restoreAnswer = z.object({
  ...snapshotItem.shape,
  changes: z.int().describe("The number of changes made."),
});

const pair = <T extends z.ZodType>(item: T) => z.array(z.object({ before: item, after: item }));

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

/** The changes since a snapshot. */
export const snapshotDiff = z.object({
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
});
/** @see snapshotDiff */
export type SnapshotDiff = z.input<typeof snapshotDiff>;

/** Query of a diff. */
export const diffQuery = z.object({
  ...ofApp.shape,
  limit: countTextOr(0, 1_000, 100).describe("Maximum number of entries in each list."),
  page: countTextOr(1, LAST_PAGE, 1).describe("The page of each list, from 1."),
});
