import { Link } from "wouter";
import { durationWords, outcomeWords, statusTone } from "../../ui/exchange-words.ts";
import type { Folded } from "../../ui/fold.ts";
import type { RowFocus } from "../../ui/record-list.tsx";
import { StatusMark } from "../../ui/status-mark.tsx";
import { FilterLink } from "./filter-link.tsx";
import { LogTime } from "./log-time.tsx";
import classes from "./request-line.module.css";

interface RequestLineProps {
  readonly folded: Folded;
  readonly href: string;
  readonly selected: boolean;
  readonly focus: RowFocus;
  /** The app's name, where more than one app is shown. */
  readonly appName: string | undefined;
}

/** One line of the log, with its retries folded. All of it is a link to the detail; its values filter besides. */
export const RequestLine = ({ folded, href, selected, focus, appName }: RequestLineProps) => {
  const { newest: row, rows } = folded;
  const marks = [
    ...(row.ignoredFields.length > 0 ? [`ignored: ${row.ignoredFields.join(", ")}`] : []),
    ...(row.warnings.length === 1 ? ["1 warning"] : row.warnings.length > 1 ? [`${row.warnings.length} warnings`] : []),
  ];
  return (
    <div className={classes.line}>
      <div className={classes.row}>
        <div className={classes.status}>
          <StatusMark tone={statusTone(row.status)}>
            <FilterLink quiet field="status" value={String(row.status)} />
          </StatusMark>
        </div>
        <div className={classes.what}>
          <span className={`mono ${classes.call}`}>
            <FilterLink quiet field="method" value={row.method} />
            <Link
              {...focus}
              href={href}
              className={classes.link}
              aria-current={selected ? "true" : undefined}
              title={row.path}
            >
              {row.path}
            </Link>
            {rows.length > 1 && (
              <span className={classes.times} title={`The same call ${rows.length} times`}>
                ×{rows.length}
              </span>
            )}
          </span>
          <span className={classes.words} data-refused={row.status >= 400 || undefined}>
            <bdi>
              {row.reason === null ? (
                outcomeWords(row)
              ) : (
                <FilterLink quiet field="reason" value={row.reason}>
                  {outcomeWords(row)}
                </FilterLink>
              )}
            </bdi>
            {marks.length > 0 && <bdi className={classes.mark}>{marks.join(", ")}</bdi>}
          </span>
        </div>
        <div className={classes.app}>
          {appName !== undefined && row.appId !== null && (
            <FilterLink quiet field="app" value={row.appId}>
              <bdi>{appName}</bdi>
            </FilterLink>
          )}
        </div>
        <div className={classes.duration}>{durationWords(row.durationMs)}</div>
        <div className={classes.time}>
          <LogTime row={row} />
        </div>
      </div>
    </div>
  );
};
