/**
 * The frame of a screen that shows a list and the detail of one row.
 */
import { type ReactNode, useId } from "react";
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

interface PageProps {
  /** Two children side by side, where there is room. */
  readonly columns?: boolean;
  readonly children: ReactNode;
}

/** The scrolling content of a screen, as wide as lines are read well. */
export const Page = ({ columns = false, children }: PageProps) => (
  <div className={classes["page"]} data-columns={columns || undefined}>
    {children}
  </div>
);

interface SectionProps {
  readonly title: ReactNode;
  /** What it is for, in a sentence or two. */
  readonly words?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a page under its heading, which names it. */
export const Section = ({ title, words, children }: SectionProps) => {
  const id = useId();
  return (
    <section className={classes["section"]} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {words !== undefined && <p className={classes["words"]}>{words}</p>}
      {children}
    </section>
  );
};
