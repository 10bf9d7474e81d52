/** The screens of the console's UI, in the order of the rail: `/<screen>` and `/<screen>/<id>` are its pages. */
export const RAIL_SCREENS = [
  "inbox",
  "sessions",
  "profiles",
  "connections",
  "requests",
  "connect",
  "apps",
  "fixtures",
  "clock",
  "faults",
] as const;
/** All pages: `mini` is a window of its own, `stage` a page for an audience. */
export const SCREENS = [...RAIL_SCREENS, "mini", "stage"] as const;
/** @see SCREENS */
export type Screen = (typeof SCREENS)[number];
