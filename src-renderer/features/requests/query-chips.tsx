import { Group } from "@mantine/core";
import { Link } from "wouter";
import { useAddress } from "../../ui/address.ts";
import { Pill } from "../../ui/chips.tsx";
import { readQuery, type Term, writeQuery } from "./query.ts";

const termWords = ({ field, text, not }: Term): string =>
  `${not ? "not " : ""}${field === null ? `“${text}”` : `${field} ${text}`}`;

/** The parts of the query, each with a way to take it out. */
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
