import type { App, RequestRow } from "#client/index.ts";
import { durationWords, outcomeWords } from "../../ui/exchange-words.ts";
import type { Folded } from "../../ui/fold.ts";
import type { RowPlace } from "../../ui/list-screen.tsx";
import { ClockTime } from "../../ui/now.tsx";
import { recipientText } from "../../ui/phone.ts";
import { Cell, Row, RowLink } from "../../ui/row.tsx";
import { StatusMark } from "../../ui/status-mark.tsx";
import { statusTone } from "../../ui/tones.ts";
import { many } from "../../ui/words.ts";
import { FilterLink } from "./request-parts.tsx";
import { loginCall } from "./stories.ts";
import { FaultLink } from "./story-steps.tsx";

interface RequestLineProps extends RowPlace {
  readonly folded: Folded;
  readonly apps: readonly App[];
  /** The app's name, where more than one app is shown. */
  readonly appName: string | undefined;
}

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
export const RequestLine = ({ folded, apps, appName, ...place }: RequestLineProps) => {
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
          <RowLink {...place} title={row.path}>
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
        <ClockTime at={row.at} />
      </Cell>
    </Row>
  );
};
