/** The screens of the console UI, in rail order; their pages are `/<screen>` and `/<screen>/<id>`. */
import { frozen } from "../frozen.ts";

/** Those of the rail, in order. */
export const RAIL_SCREENS = frozen([
  "inbox",
  "sessions",
  "profiles",
  "connections",
  "requests",
  "coverage",
  "connect",
  "apps",
  "fixtures",
  "clock",
  "faults",
] as const);
/** A page of the console. */
export type Screen = (typeof RAIL_SCREENS)[number] | "mini" | "stage";
/** All pages; `mini` (a small window) and `stage` are shown without the frame. */
export const SCREENS = frozen<readonly Screen[]>([...RAIL_SCREENS, "mini", "stage"]);
