import type { ReactNode } from "react";
import classes from "./strip.module.css";

interface StripProps {
  /** Names the strip: `Last deletion`. */
  readonly label: string;
  readonly words: ReactNode;
  /** Buttons at its end. */
  readonly children: ReactNode;
}

/** A band over a list: what happened or what is selected, and what can be done about it. */
export const Strip = ({ label, words, children }: StripProps) => (
  <section className={classes["strip"]} aria-label={label}>
    <p className={classes["words"]}>{words}</p>
    {children}
  </section>
);
