import { query } from "../../api/queries.ts";

/** How many changes *History* lists. */
const CHANGES_LISTED = 100;

/** What was done in the windows of the console, newest first. */
export const historyQuery = () =>
  query(["history"], (client) => client.timeline({ by: "console", brief: "1", limit: CHANGES_LISTED }));
