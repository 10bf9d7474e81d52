import { Link } from "wouter";
import { nameOf, useProfile } from "../../api/profile.ts";
import type { App, Connection } from "../../api/records.ts";
import { recipientText } from "../../ui/phone.ts";
import type { RowFocus } from "../../ui/record-list.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { StatusMark } from "../../ui/status-mark.tsx";
import { managedWords, statusWords } from "./connection-words.ts";
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
    <div className={classes.row} data-ended={connection.status === "disabled" || undefined}>
      <div className={classes.cell}>
        <Link {...focus} href={href} className={classes.link} aria-current={selected ? "true" : undefined}>
          <bdi>{connection.name}</bdi>
        </Link>
        <span className={classes.small}>{managedWords(connection)}</span>
      </div>
      <div className={classes.cell}>
        <bdi>{profile === null ? "A deleted profile" : nameOf(profile)}</bdi>
        <span className={`mono ${classes.small}`}>{username === null ? "\u00a0" : recipientText(username)}</span>
      </div>
      <div className={classes.status}>
        <StatusMark tone={connection.status === "connected" ? "ok" : "quiet"}>
          {statusWords(connection, profile)}
        </StatusMark>
      </div>
      <div className={classes.time}>
        <RelativeTime instant={connection.disabledAt ?? connection.createdAt} appId={connection.appId} />
      </div>
    </div>
  );
};
