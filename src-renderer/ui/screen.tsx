/**
 * The frame of a screen that shows a list and the detail of one row.
 */
import type { ReactNode } from "react";
import classes from "./screen.module.css";

interface ScreenProps {
  readonly title: string;
  /** Beside the title: filters. */
  readonly tools?: ReactNode;
  /** At the far end: a word on the order, or how much is shown. */
  readonly note?: ReactNode;
  readonly children: ReactNode;
  /** The panel of the selected row. */
  readonly detail?: ReactNode;
}

/** Title bar, content, and the detail beside it; in a narrow window the detail covers the content. */
export const Screen = ({ title, tools, note, children, detail }: ScreenProps) => (
  <div className={classes["screen"]} data-detail={detail ? true : undefined}>
    <section className={classes["main"]} aria-labelledby="screen-title">
      <div className={classes["bar"]}>
        <h1 id="screen-title">{title}</h1>
        {tools}
        <span className={classes["note"]}>{note}</span>
      </div>
      {children}
    </section>
    {detail}
  </div>
);
