import { Group } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { RequestRow } from "#client/index.ts";
import { decisionOn } from "#contract/control/refusals.ts";
import { many } from "#contract/words/words.ts";
import { useApps } from "../../api/queries.ts";
import { FailNextLink } from "../../shared/fault/fail-next.tsx";
import { FaultLink } from "../../shared/fault/fault-link.tsx";
import type { Folded } from "../../shared/login/stories.ts";
import {
  durationWords,
  outcomeWords,
  type QueryField,
  readQuery,
  type Term,
  withField,
  writeQuery,
} from "../../shared/request/query.ts";
import { useAddress } from "../../ui/address.ts";
import { Cell, Row, RowLink, type RowPlace } from "../../ui/list-screen.tsx";
import { BulletList, ClockTime, Pill, StatusMark } from "../../ui/parts.tsx";
import { DetailPart } from "../../ui/screen.tsx";
import { statusTone } from "../../ui/tones.ts";

const BASIS = {
  specification: "Required by the specification.",
  field: "Not in the specification; similar public APIs work this way.",
  assumption: "Not in the specification: our assumption. Check it against the real service.",
} as const;

/** The decision behind a response, in a sentence, and a link to its full text. */
export const Behaviour = ({ row }: { readonly row: RequestRow }) => {
  const decision = decisionOn(row);
  if (decision === undefined) return null;
  return (
    <DetailPart title={`Emulator behaviour: ${decision.title}`}>
      <p>{decision.sentence}</p>
      <p className="small">
        {BASIS[decision.basis]} See <span className="mono">docs/fidelity.md#{row.decision?.toLowerCase()}</span> (
        {row.decision}).
      </p>
    </DetailPart>
  );
};

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

/** A list with a heading; nothing if it is empty. */
export const Bullets = ({ title, items }: { readonly title: string; readonly items: readonly string[] }) =>
  items.length > 0 && (
    <DetailPart title={title}>
      <BulletList items={items} />
    </DetailPart>
  );

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

const AS_SENT = { whiteSpace: "pre" } as const;

/** A row of the log, with its retries collapsed. The whole row links to the detail. */
export const RequestLine = ({ folded, ...place }: RowPlace & { readonly folded: Folded }) => {
  const { newest: row, rows } = folded;
  const { address } = useAddress();
  const { apps, appName } = useApps();
  const { to = "", typed = null } = row.login ?? {};
  const outcome = outcomeWords(row);
  const marks = [
    ...(row.carriedOut ? [`carried out: ${row.carriedOut.status}`] : []),
    ...(row.ignoredFields.length > 0 ? [`ignored: ${row.ignoredFields.join(", ")}`] : []),
    ...(row.warnings.length > 0 ? [many(row.warnings.length, "warning")] : []),
  ];
  return (
    <Row>
      <Cell>
        <StatusMark tone={row.fault === null ? statusTone(row.status) : "warn"}>{row.status}</StatusMark>
      </Cell>
      <Cell>
        <span className="mono small">
          {row.method}{" "}
          <RowLink {...place} title={row.path}>
            {row.path}
          </RowLink>
          {rows.length > 1 && (
            <strong className="warn" title={`Repeated ${rows.length} times`}>{` ×${rows.length}`}</strong>
          )}
          {to !== "" && (
            <span className="dim">
              {" · "}
              <bdi style={AS_SENT}>{to}</bdi>
              {typed !== null && " typed "}
              <bdi style={AS_SENT}>{typed === "" ? "(empty)" : typed}</bdi>
            </span>
          )}
        </span>
      </Cell>
      <Cell line>
        <span className="small">
          {row.fault === null ? (
            <bdi className={row.status >= 400 ? "bad" : undefined} title={outcome}>
              {outcome}
            </bdi>
          ) : (
            <FaultLink quiet id={row.fault} />
          )}{" "}
          {marks.length > 0 && <bdi className="warn">{marks.join(", ")}</bdi>}
        </span>
      </Cell>
      <Cell wide>
        {address.app === null && apps.length > 1 && row.appId !== null && (
          <bdi className="dim">{appName(row.appId)}</bdi>
        )}
      </Cell>
      <Cell wide>
        <FailNextLink row={row} tabIndex={place.focus.tabIndex} />
      </Cell>
      <Cell wide end>
        {durationWords(row.durationMs)}
      </Cell>
      <Cell end>
        <ClockTime at={row.at} />
      </Cell>
    </Row>
  );
};
