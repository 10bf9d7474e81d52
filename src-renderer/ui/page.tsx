/**
 * A screen that is a page to read and fill in, rather than a list.
 */
import { type ReactNode, useId } from "react";
import classes from "./page.module.css";

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
