import { Link } from "wouter";
import { useAddress } from "./address.ts";
import classes from "./filter-chips.module.css";

interface FilterChipsProps {
  readonly label: string;
  /** Value in the address (null: everything) and word. */
  readonly choices: readonly (readonly [value: string | null, word: string])[];
}

/** The filters of a list, as words; the chosen one is in the address. */
export const FilterChips = ({ label, choices }: FilterChipsProps) => {
  const { address, hrefWith } = useAddress();
  return (
    <nav className={classes.chips} aria-label={label}>
      {choices.map(([value, word]) => (
        <Link
          key={word}
          href={hrefWith({ show: value, id: null })}
          className={classes.chip}
          aria-current={address.show === value ? "true" : undefined}
        >
          {word}
        </Link>
      ))}
    </nav>
  );
};
