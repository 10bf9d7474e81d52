import { Link } from "wouter";
import { nameOf, useProfile } from "../../api/profile.ts";
import type { App, Session } from "../../api/records.ts";
import { Countdown } from "../../ui/countdown.tsx";
import { deviceWords } from "../../ui/device-words.ts";
import { useNow } from "../../ui/now.ts";
import { recipientText } from "../../ui/phone.ts";
import type { RowFocus } from "../../ui/record-list.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import rows from "../../ui/row.module.css";
import { StatusMark } from "../../ui/status-mark.tsx";
import classes from "./session-row.module.css";
import { stateAt } from "./session-state.ts";

/** The state of a session: what is left, or how it ended. */
export const SessionState = ({ session }: { readonly session: Session }) => {
  const now = useNow(session.appId);
  switch (stateAt(session, now)) {
    case "active":
      return <Countdown nowMs={now} createdAt={session.createdAt} expiresAt={session.expiresAt} />;
    case "expired":
      return <StatusMark tone="quiet">Expired</StatusMark>;
    case "revoked":
      return <StatusMark tone="bad">Revoked</StatusMark>;
  }
};

interface SessionRowProps {
  readonly session: Session;
  readonly app: App | undefined;
  readonly href: string;
  readonly selected: boolean;
  readonly focus: RowFocus;
}

/** One line of the sessions. */
export const SessionRow = ({ session, app, href, selected, focus }: SessionRowProps) => {
  const profile = useProfile(session.appId, session.userId);
  const username = profile?.[app?.strategy ?? "phone"] ?? null;
  const ended = stateAt(session, useNow(session.appId)) !== "active";
  return (
    <div className={`${rows.row} ${classes.row}`} data-ended={ended || undefined}>
      <div className={rows.cell}>
        <Link {...focus} href={href} className={rows.link} aria-current={selected ? "true" : undefined}>
          <bdi>{nameOf(profile, session.userId)}</bdi>
        </Link>
        <span className={`mono ${rows.small}`}>{username === null ? "\u00a0" : recipientText(username)}</span>
      </div>
      <div className={`${rows.cell} ${classes.where}`}>
        <bdi title={session.device ?? undefined}>{deviceWords(session.device)}</bdi>
        <bdi className={rows.small}>{app?.name ?? session.appId}</bdi>
      </div>
      <div className={classes.state}>
        <SessionState session={session} />
      </div>
      <div className={`${rows.time} ${classes.time}`}>
        <RelativeTime instant={session.createdAt} appId={session.appId} />
      </div>
    </div>
  );
};
