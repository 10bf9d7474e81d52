/** The colours of a status; each comes with a word. */
export type Tone = "ok" | "warn" | "bad" | "info" | "quiet";

/** @returns the colour of a response. */
export const statusTone = (status: number): Tone => {
  if (status >= 400 || status === 0) return "bad";
  return status === 202 ? "info" : "ok";
};

/** Each as it fills a shape, and as text. */
export const TONES: Readonly<Record<Tone, readonly [fill: string, text: string]>> = {
  ok: ["var(--sd-ok)", "var(--sd-ok)"],
  warn: ["var(--sd-accent)", "var(--sd-accent-text)"],
  bad: ["var(--sd-bad)", "var(--sd-bad-text)"],
  info: ["var(--sd-info)", "var(--sd-info)"],
  quiet: ["var(--sd-faint)", "var(--sd-dim)"],
};

/** How a code is drawn: `spent` is faint, `used` is struck through besides. */
export type CodeLook = "live" | "spent" | "used";
