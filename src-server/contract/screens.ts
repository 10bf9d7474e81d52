/** The screens of the console UI, in rail order; their pages are `/<screen>` and `/<screen>/<id>`. */
// biome-ignore format: a list
export const RAIL_SCREENS = [
  "inbox", "sessions", "profiles", "connections", "requests", "coverage", "connect", "apps", "fixtures", "clock", "faults",
] as const;
/** All pages; `mini` (a small window) and `stage` (for an audience) are shown without the frame. */
export const SCREENS = [...RAIL_SCREENS, "mini", "stage"] as const;
/** The id of the presenter's notes: `/stage/notes`. */
export const STAGE_NOTES = "notes";
/** @see SCREENS */
export type Screen = (typeof SCREENS)[number];
