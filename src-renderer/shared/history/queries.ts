import { unlessGone } from "../../api/emulator.ts";
import { query } from "../../api/queries.ts";

/** How many changes *History* lists. */
const CHANGES_LISTED = 100;

/** What was done in the windows of the console, newest first. */
export const historyQuery = () =>
  query(["history"], (client) => client.timeline({ by: "console", brief: "1", limit: CHANGES_LISTED }));

/** Maximum number of changes loaded for one user. */
const USER_CHANGES = 200;

/** What the newest transactions changed of one user, newest first; null if the user never existed. */
export const timelineQuery = (appId: string, userId: string) =>
  query(["timeline", appId, userId], (client) => unlessGone(client.timeline({ appId, userId, limit: USER_CHANGES })), {
    gcTime: 10_000,
  });
