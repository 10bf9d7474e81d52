import type { App, RequestRow } from "#client/index.ts";
import { statusTone } from "../../ui/code-look.ts";
import { durationWords, outcomeWords } from "../../ui/exchange-words.ts";
import type { Folded } from "../../ui/fold.ts";
import { recipientText } from "../../ui/phone.ts";
import type { RowFocus } from "../../ui/record-list.tsx";
import { Cell, Row, RowLink } from "../../ui/row.tsx";
import { StatusMark } from "../../ui/status-mark.tsx";
import { clockWords } from "../../ui/time-words.ts";
import { many } from "../../ui/words.ts";
import { FaultLink } from "./fault-link.tsx";
import { FilterLink } from "./filter-link.tsx";
import { loginCall } from "./stories.ts";

interface RequestLineProps {
  readonly folded: Folded;
  readonly href: string;
  readonly selected: boolean;
  readonly focus: RowFocus;
  readonly apps: readonly App[];
  /** The app's name, where more than one app is shown. */
  readonly appName: string | undefined;
}

/** The time of day of a row, and the day on hover. */
export const LogTime = ({ at }: { readonly at: string }) => (
  <time className="mono small" dateTime={at} title={at}>
    {clockWords(at)}
  </time>
);

const Outcome = ({ row }: { readonly row: RequestRow }) => {
  if (row.fault !== null) return <FaultLink quiet id={row.fault} />;
  const words = <bdi className={row.status >= 400 ? "bad" : undefined}>{outcomeWords(row)}</bdi>;
  return row.reason === null ? (
    words
  ) : (
    <FilterLink quiet field="reason" value={row.reason}>
      {words}
    </FilterLink>
  );
};

/** One line of the log, with its retries folded. All of it is a link to the detail; its values filter besides. */
export const RequestLine = ({ folded, href, selected, focus, apps, appName }: RequestLineProps) => {
  const { newest: row, rows } = folded;
  const { to = "", typed } = loginCall(row, apps) ?? {};
  const marks = [
    ...(row.ignoredFields.length > 0 ? [`ignored: ${row.ignoredFields.join(", ")}`] : []),
    ...(row.warnings.length > 0 ? [many(row.warnings.length, "warning")] : []),
  ];
  return (
    <Row>
      <Cell>
        <StatusMark tone={row.fault === null ? statusTone(row.status) : "warn"}>
          <FilterLink quiet field="status" value={String(row.status)} />
        </StatusMark>
      </Cell>
      <Cell
        sub={
          <>
            {to !== "" && (
              <span className="mono">
                <bdi>{recipientText(to)}</bdi>
                {typed !== undefined && (
                  <>
                    {" "}
                    typed <bdi>{typed === "" ? "(empty)" : typed}</bdi>
                  </>
                )}
                {" · "}
              </span>
            )}
            <Outcome row={row} /> {marks.length > 0 && <bdi className="warn">{marks.join(", ")}</bdi>}
          </>
        }
      >
        <span className="mono small">
          <FilterLink quiet field="method" value={row.method} />{" "}
          <RowLink focus={focus} href={href} selected={selected} title={row.path}>
            {row.path}
          </RowLink>
          {rows.length > 1 && (
            <strong className="warn" title={`The same call ${rows.length} times`}>
              {" "}
              ×{rows.length}
            </strong>
          )}
        </span>
      </Cell>
      <Cell wide>
        {appName !== undefined && row.appId !== null && (
          <FilterLink quiet field="app" value={row.appId}>
            <bdi className="dim">{appName}</bdi>
          </FilterLink>
        )}
      </Cell>
      <Cell wide end>
        {durationWords(row.durationMs)}
      </Cell>
      <Cell end>
        <LogTime at={row.at} />
      </Cell>
    </Row>
  );
};
