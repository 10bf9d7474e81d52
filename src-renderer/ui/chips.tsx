import type { ReactNode } from "react";
import { Link } from "wouter";
import { useAddress } from "./address.ts";
import classes from "./chips.module.css";

interface ChipsProps {
  readonly label: string;
  readonly children: ReactNode;
}

/** A row of choices, each a link. */
export const Chips = ({ label, children }: ChipsProps) => (
  <nav className={classes["chips"]} aria-label={label}>
    {children}
  </nav>
);

interface ChipProps {
  readonly href: string;
  readonly chosen: boolean;
  readonly children: ReactNode;
}

/** One choice. */
export const Chip = ({ href, chosen, children }: ChipProps) => (
  <Link href={href} className={classes["chip"]} aria-current={chosen ? "true" : undefined}>
    {children}
  </Link>
);

/** A word beside a name: the strategy of an app, a fixed code. */
export const Pill = ({ children, warn = false }: { readonly children: ReactNode; readonly warn?: boolean }) => (
  <span className={classes["pill"]} data-warn={warn || undefined}>
    {children}
  </span>
);

interface FilterChipsProps {
  readonly label: string;
  /** Value in the address (null: everything) and word. */
  readonly choices: readonly (readonly [value: string | null, word: string])[];
  /** Whether what is selected stays so; a list's detail would be of a row that the filter may hide. */
  readonly keepId?: boolean;
}

/** The filters of a list, as words; the chosen one is in the address. */
export const FilterChips = ({ label, choices, keepId = false }: FilterChipsProps) => {
  const { address, hrefWith } = useAddress();
  return (
    <Chips label={label}>
      {choices.map(([value, word]) => (
        <Chip
          key={word}
          href={hrefWith(keepId ? { show: value } : { show: value, id: null })}
          chosen={address.show === value}
        >
          {word}
        </Chip>
      ))}
    </Chips>
  );
};
