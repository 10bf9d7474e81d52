import type { ReactNode } from "react";
import classes from "./status-mark.module.css";

/** The colours of a status; each comes with a word. */
export type Tone = "ok" | "warn" | "bad" | "info" | "quiet";

/** A dot and a word. */
export const StatusMark = ({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) => (
  <span className={classes.mark}>
    <span className={classes.dot} data-tone={tone} aria-hidden="true" />
    <span>{children}</span>
  </span>
);
