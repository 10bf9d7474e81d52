import type { PropsWithChildren, ReactNode } from "react";
import { TONES, type Tone } from "./tones.ts";
import classes from "./verdict.module.css";

interface VerdictProps {
  readonly tone: Tone;
  /** At the end: one button. */
  readonly action?: ReactNode;
}

/** One sentence about what a detail shows. It is always there, and as high whatever it says. */
export const Verdict = ({ tone, action, children }: PropsWithChildren<VerdictProps>) => (
  <div
    className={classes["verdict"]}
    role="status"
    data-quiet={tone === "quiet" || undefined}
    style={{ "--tone": TONES[tone][0] }}
  >
    <span className={classes["dot"]} aria-hidden="true" />
    <p>{children}</p>
    {action}
  </div>
);
