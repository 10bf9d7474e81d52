/** The keys that sign tokens, in the UI. */
import type { Hears } from "../../api/hears.ts";

/** @see the file */
export const keysLive: Hears = {
  hear: ({ type }) => {
    // The counts are of sessions, and which key is in use follows from the apps.
    if (/^(session|app)\.|^clock\.put$/.test(type)) return ["signing-keys"];
    return type.startsWith("signing-key.") ? ["signing-keys", "introspection"] : [];
  },
  besideData: ["signing-key.put", "signing-key.remove"],
};
