import { Group } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { type QueryField, readQuery, type Term, withField, writeQuery } from "../../shared/request/query.ts";
import { useAddress } from "../../ui/address.ts";
import { Pill } from "../../ui/parts.tsx";

interface FilterLinkProps {
  readonly field: QueryField;
  readonly value: string;
  readonly children?: ReactNode;
}

/** A value that filters the list when clicked. */
export const FilterLink = ({ field, value, children = value }: FilterLinkProps) => {
  const { address, hrefWith } = useAddress();
  return (
    <Link href={hrefWith({ q: withField(address.q, field, value) })} title={`Only ${field} ${value}`}>
      {children}
    </Link>
  );
};

const termWords = ({ field, text, not }: Term): string =>
  `${not ? "not " : ""}${field === null ? `“${text}”` : `${field} ${text}`}`;

/** The terms of the query, each with a button to remove it. */
export const QueryChips = () => {
  const { address, hrefWith } = useAddress();
  const terms = readQuery(address.q);
  if (terms.length === 0) return null;
  return (
    <Group component="ul" px={16} py={8} aria-label="Filters">
      {terms.map((term, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same term may stand twice
        <li key={index}>
          <Pill warn>
            <bdi>{termWords(term)}</bdi>{" "}
            <Link
              href={hrefWith({ q: writeQuery(terms.filter((other) => other !== term)) })}
              aria-label={`Without the filter ${termWords(term)}`}
            >
              ×
            </Link>
          </Pill>
        </li>
      ))}
    </Group>
  );
};
