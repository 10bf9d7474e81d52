/** How a code is drawn: `spent` is faint, `used` is struck through besides. */
export type CodeLook = "live" | "spent" | "used";
