import type { ReactNode } from "react";
import classes from "./lines.module.css";

interface LinesProps {
  /** Names the list, where its heading does not. */
  readonly label?: string;
  /** The columns, as CSS writes them: `128px minmax(0, 1fr) auto`. */
  readonly columns: string;
  /** The columns on a phone; the same if absent. */
  readonly narrow?: string;
  /** `li` elements, whose children are the cells; one with `data-whole` takes a line for itself. */
  readonly children: ReactNode;
}

/** A short list on a page or in a panel: lines between hairlines, in columns. */
export const Lines = ({ label, columns, narrow = columns, children }: LinesProps) => (
  <ul className={classes["lines"]} aria-label={label} style={{ "--wide": columns, "--narrow": narrow }}>
    {children}
  </ul>
);

/** Lines that are links or buttons: what it is at the left, its state at the right. */
export const LinkLines = ({ label, children }: { readonly label?: string; readonly children: ReactNode }) => (
  <ul className={classes["links"]} aria-label={label}>
    {children}
  </ul>
);
