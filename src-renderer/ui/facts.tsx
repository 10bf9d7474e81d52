import type { ReactNode } from "react";
import classes from "./facts.module.css";

interface FactsProps {
  readonly children: ReactNode;
  /** The width of the names, in pixels. */
  readonly names?: number;
  /** With a line under each. */
  readonly ruled?: boolean;
}

/** Names and values, one pair a line. */
export const Facts = ({ children, names = 88, ruled = false }: FactsProps) => (
  <dl className={classes["facts"]} data-ruled={ruled || undefined} style={{ "--names": `${names}px` }}>
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
