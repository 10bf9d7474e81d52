import type { ReactNode } from "react";
import { Link } from "wouter";
import { useAddress } from "../../ui/address.ts";
import { type Field, withField } from "./query.ts";

interface FilterLinkProps {
  readonly field: Field;
  readonly value: string;
  readonly children?: ReactNode;
  /** Out of the tab order, where the same filter can be had elsewhere. */
  readonly quiet?: boolean;
}

/** A value that filters the list by itself. */
export const FilterLink = ({ field, value, children = value, quiet = false }: FilterLinkProps) => {
  const { address, hrefWith } = useAddress();
  return (
    <Link
      href={hrefWith({ q: withField(address.q, field, value) })}
      className="filter"
      title={`Only ${field} ${value}`}
      tabIndex={quiet ? -1 : 0}
    >
      {children}
    </Link>
  );
};
