import { Link } from "wouter";
import { nameOf, useProfile } from "../../api/profile.ts";
import type { App, Connection } from "../../api/records.ts";
import { recipientText } from "../../ui/phone.ts";
import type { RowFocus } from "../../ui/record-list.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import rows from "../../ui/row.module.css";
import { StatusMark } from "../../ui/status-mark.tsx";
import { managedWords, statusWords, titleOf } from "./connection-words.ts";
import classes from "./connections.module.css";

interface ConnectionRowProps {
  readonly connection: Connection;
  readonly app: App | undefined;
  readonly href: string;
  readonly selected: boolean;
  readonly focus: RowFocus;
}

/** One line of the connections. */
export const ConnectionRow = ({ connection, app, href, selected, focus }: ConnectionRowProps) => {
  const profile = useProfile(connection.appId, connection.userId);
  const username = profile?.[app?.strategy ?? "phone"] ?? null;
  return (
    <div className={`${rows.row} ${classes.row}`} data-ended={connection.status === "disabled" || undefined}>
      <div className={rows.cell}>
        <Link {...focus} href={href} className={rows.link} aria-current={selected ? "true" : undefined}>
          <bdi>{titleOf(connection)}</bdi>
        </Link>
        <span className={rows.small}>{managedWords(connection)}</span>
      </div>
      <div className={rows.cell}>
        <bdi>{profile === null ? "A deleted profile" : nameOf(profile, connection.userId)}</bdi>
        <span className={`mono ${rows.small}`}>{username === null ? "\u00a0" : recipientText(username)}</span>
      </div>
      <div className={classes.status}>
        <StatusMark tone={connection.status === "connected" ? "ok" : "quiet"}>
          {statusWords(connection, profile)}
        </StatusMark>
      </div>
      <div className={`${rows.time} ${classes.time}`}>
        <RelativeTime instant={connection.disabledAt ?? connection.createdAt} appId={connection.appId} />
      </div>
    </div>
  );
};
