/**
 * A row of a list: cells of two lines in the columns that the list sets (`columns` of `RecordList`).
 */
import type { ReactNode } from "react";
import { Link } from "wouter";
import { recipientText } from "./phone.ts";
import type { RowFocus } from "./record-list.tsx";
import classes from "./row.module.css";

interface RowProps {
  /** Over and done with: drawn quieter. */
  readonly ended?: boolean;
  readonly children: ReactNode;
}

/** The frame of a row. */
export const Row = ({ ended = false, children }: RowProps) => (
  <div className={classes["row"]} data-ended={ended || undefined}>
    {children}
  </div>
);

interface CellProps {
  readonly children: ReactNode;
  /** The second line, smaller. */
  readonly sub?: ReactNode;
  /** Hidden in a narrow list, whose `--narrow` columns leave it out. */
  readonly wide?: boolean;
  /** In a narrow list it stands below the second cell. */
  readonly under?: boolean;
  /** At the end of its column: times and counts. */
  readonly end?: boolean;
}

/** A cell of one or two lines, each cut where the column ends. */
export const Cell = ({ children, sub, wide = false, under = false, end = false }: CellProps) => (
  <div
    className={classes["cell"]}
    data-wide={wide || undefined}
    data-under={under || undefined}
    data-end={end || undefined}
  >
    <span>{children}</span>
    {sub !== undefined && <span className="small">{sub}</span>}
  </div>
);

/** A user by name, and below it by what they sign in with. */
export const UserCell = ({
  username,
  children,
}: {
  readonly username: string | null;
  readonly children: ReactNode;
}) => (
  <Cell sub={<span className="mono">{username === null ? "\u00a0" : recipientText(username)}</span>}>{children}</Cell>
);

interface RowLinkProps {
  readonly href: string;
  readonly selected: boolean;
  readonly focus: RowFocus;
  readonly title?: string;
  readonly children: ReactNode;
}

/** The link that the whole row is. */
export const RowLink = ({ href, selected, focus, title, children }: RowLinkProps) => (
  <Link {...focus} href={href} className={classes["link"]} title={title} aria-current={selected ? "true" : undefined}>
    {children}
  </Link>
);
