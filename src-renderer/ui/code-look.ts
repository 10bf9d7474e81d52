/** How a code is drawn: `spent` is faint, `used` is struck through besides. */
export type CodeLook = "live" | "spent" | "used";

/** The colours of a status; each comes with a word. */
export type Tone = "ok" | "warn" | "bad" | "info" | "quiet";

/** @returns the colour of a response. */
export const statusTone = (status: number): "ok" | "bad" | "info" => {
  if (status >= 400 || status === 0) return "bad";
  return status === 202 ? "info" : "ok";
};
