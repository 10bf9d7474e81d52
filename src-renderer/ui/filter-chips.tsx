import { Link } from "wouter";
import { useAddress } from "./address.ts";
import classes from "./filter-chips.module.css";

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
    <nav className={classes.chips} aria-label={label}>
      {choices.map(([value, word]) => (
        <Link
          key={word}
          href={hrefWith(keepId ? { show: value } : { show: value, id: null })}
          className={classes.chip}
          aria-current={address.show === value ? "true" : undefined}
        >
          {word}
        </Link>
      ))}
    </nav>
  );
};
