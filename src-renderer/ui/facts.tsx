/**
 * Names and values, and short lists between hairlines.
 */
import type { ReactNode } from "react";
import classes from "./facts.module.css";

interface FactsProps {
  /** Values by their names; what is null, undefined or false is left out. */
  readonly of?: Readonly<Record<string, ReactNode>>;
  /** Further ones, as `Fact`. */
  readonly children?: ReactNode;
  /** The width of the names, in pixels. */
  readonly names?: number;
  /** With a line under each. */
  readonly ruled?: boolean;
}

/** Names and values, one pair a line. */
export const Facts = ({ of = {}, children, names = 88, ruled = false }: FactsProps) => (
  <dl className={classes["facts"]} data-ruled={ruled || undefined} style={{ "--names": `${names}px` }}>
    {Object.entries(of).map(
      ([name, value]) =>
        (value ?? false) !== false && (
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ),
    )}
    {children}
  </dl>
);

/** One name and its value. */
export const Fact = ({ name, children }: { readonly name: ReactNode; readonly children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

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
export const LinkLines = ({ label, children }: Pick<LinesProps, "label" | "children">) => (
  <ul className={classes["links"]} aria-label={label}>
    {children}
  </ul>
);
