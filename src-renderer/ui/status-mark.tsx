import type { ReactNode } from "react";
import type { Tone } from "./code-look.ts";
import classes from "./status-mark.module.css";

interface DotProps {
  readonly tone: Tone;
  /** What is left, in percent: drawn as a pie. Absent: all of it. */
  readonly share?: number;
}

/** The dot of a status, of one size wherever it stands. */
const Dot = ({ tone, share }: DotProps) => (
  <span
    className={classes["dot"]}
    data-tone={tone}
    style={share === undefined ? {} : { "--share": `${share}%` }}
    aria-hidden="true"
  />
);

/** A dot and a word. */
export const StatusMark = ({ children, ...dot }: DotProps & { readonly children: ReactNode }) => (
  <span className={classes["mark"]} data-tone={dot.tone}>
    <Dot {...dot} />
    <span>{children}</span>
  </span>
);
