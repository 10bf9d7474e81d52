import { Link } from "wouter";
import { useAddress } from "../../ui/address.ts";
import { readQuery, type Term, writeQuery } from "./query.ts";
import classes from "./query-chips.module.css";

const termWords = ({ field, text, not }: Term): string =>
  `${not ? "not " : ""}${field === null ? `“${text}”` : `${field} ${text}`}`;

/** The parts of the query, each with a way to take it out. */
export const QueryChips = () => {
  const { address, hrefWith } = useAddress();
  const terms = readQuery(address.q);
  if (terms.length === 0) return null;
  return (
    <ul className={classes.chips} aria-label="Filters">
      {terms.map((term, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same term may stand twice
        <li key={index} className={classes.chip}>
          <bdi>{termWords(term)}</bdi>
          <Link
            href={hrefWith({ q: writeQuery(terms.filter((other) => other !== term)) })}
            aria-label={`Without the filter ${termWords(term)}`}
          >
            ×
          </Link>
        </li>
      ))}
    </ul>
  );
};
