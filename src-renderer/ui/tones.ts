/** The colours of a status, always shown with a word. */
export type Tone = "ok" | "warn" | "bad" | "info" | "quiet";

/** @returns the colour of a response status. */
export const statusTone = (status: number): Tone => {
  if (status >= 400 || status === 0) return "bad";
  return status === 202 ? "info" : "ok";
};

/** Each colour for shapes and for text. */
export const TONES: Readonly<Record<Tone, readonly [fill: string, text: string]>> = {
  ok: ["var(--sd-ok)", "var(--sd-ok)"],
  warn: ["var(--sd-accent)", "var(--sd-accent-text)"],
  bad: ["var(--sd-bad)", "var(--sd-bad-text)"],
  info: ["var(--sd-info)", "var(--sd-info)"],
  quiet: ["var(--sd-faint)", "var(--sd-dim)"],
};

/** The style of a code: `spent` is faint, `used` is also struck through. */
export type CodeLook = "live" | "spent" | "used";
