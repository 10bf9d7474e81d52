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
/** All pages: `mini` is a window of its own. */
export const SCREENS = [...RAIL_SCREENS, "mini"] as const;
/** @see SCREENS */
export type Screen = (typeof SCREENS)[number];
