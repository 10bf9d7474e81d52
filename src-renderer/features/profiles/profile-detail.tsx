import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { passcodesQuery } from "../../api/queries.ts";
import type { App, Passcode, Profile, Session } from "../../api/records.ts";
import { userSessionsQuery } from "../../api/user-sessions.ts";
import { Code } from "../../ui/code.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { DetailPanel, DetailPart, Facts } from "../../ui/detail-panel.tsx";
import { deviceWords } from "../../ui/device-words.ts";
import { useNow } from "../../ui/now.ts";
import { recipientText } from "../../ui/phone.ts";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { ConnectionsOf } from "../connections/connections-of.tsx";
import { PasscodeState } from "../inbox/passcode-row.tsx";
import { lookOf, statusAt } from "../inbox/passcode-status.ts";
import { SessionState } from "../sessions/session-row.tsx";
import { stateAt } from "../sessions/session-state.ts";
import { ProfileActions } from "./profile-actions.tsx";
import classes from "./profile-detail.module.css";

/** Most lines of a part; the rest is on its own screen. */
const SHOWN = 5;

const hrefFor = (screen: string, appId: string, id: string): string =>
  `/${screen}/${id}?app=${encodeURIComponent(appId)}`;

const More = ({
  screen,
  profile,
  total,
}: {
  readonly screen: string;
  readonly profile: Profile;
  readonly total: number;
}) => {
  if (total <= SHOWN) return null;
  const query = new URLSearchParams({ app: profile.appId, q: profile.userId });
  return (
    <Link className={classes.more} href={`/${screen}?${query}`}>
      All {total.toLocaleString("en")}
    </Link>
  );
};

const Sessions = ({
  profile,
  sessions,
  total,
}: {
  readonly profile: Profile;
  readonly sessions: readonly Session[];
  readonly total: number;
}) => (
  <DetailPart title="Sessions">
    {sessions.length === 0 && <p className={classes.quiet}>None. This user is signed in nowhere.</p>}
    <ul className={classes.lines}>
      {sessions.slice(0, SHOWN).map((session) => (
        <li key={session.id}>
          <Link className={classes.line} href={hrefFor("sessions", profile.appId, session.id)}>
            <bdi>{deviceWords(session.device)}</bdi>
            <SessionState session={session} />
          </Link>
        </li>
      ))}
    </ul>
    <More screen="sessions" profile={profile} total={total} />
  </DetailPart>
);

const Passcodes = ({ profile, passcodes }: { readonly profile: Profile; readonly passcodes: readonly Passcode[] }) => {
  const now = useNow(profile.appId);
  return (
    <DetailPart title="Passcodes">
      {passcodes.length === 0 && <p className={classes.quiet}>None was sent.</p>}
      <ul className={classes.lines}>
        {passcodes.slice(0, SHOWN).map((passcode) => (
          <li key={passcode.id}>
            <Link className={classes.line} href={hrefFor("inbox", profile.appId, passcode.id)}>
              <Code code={passcode.code} look={lookOf(statusAt(passcode, now))} />
              <PasscodeState passcode={passcode} />
            </Link>
          </li>
        ))}
      </ul>
      <More screen="inbox" profile={profile} total={passcodes.length} />
    </DetailPart>
  );
};

interface ProfileDetailProps {
  readonly profile: Profile;
  readonly app: App | undefined;
  readonly editHref: string;
  readonly onDelete: () => void;
  readonly onClose: () => void;
}

/** One profile: its fields, and its sessions, passcodes and connections as they are now. */
export const ProfileDetail = ({ profile, app, editHref, onDelete, onClose }: ProfileDetailProps) => {
  const { appId, userId, metadata } = profile;
  const now = useNow(appId);
  const sessions = useQuery(userSessionsQuery(appId, userId)).data;
  const passcodes = useQuery(passcodesQuery(appId)).data?.items.filter((passcode) => passcode.userId === userId);
  const active = sessions?.items.filter((session) => stateAt(session, now) === "active").length ?? 0;
  const name = profile.name ?? "No name";
  const none = <span className={classes.quiet}>none</span>;
  return (
    <DetailPanel label={`Profile of ${name}`} onClose={onClose}>
      <h2 className={classes.name}>
        <bdi>{name}</bdi>
      </h2>
      <p className={classes.quiet}>
        <bdi>{app?.name ?? appId}</bdi>
      </p>
      <ProfileActions profile={profile} activeSessions={active} editHref={editHref} onDelete={onDelete} />
      <DetailPart title="Profile">
        <Facts
          facts={[
            [
              "Phone",
              profile.phone === null ? (
                none
              ) : (
                <span key="phone" className="mono">
                  {recipientText(profile.phone)}
                </span>
              ),
            ],
            ["Email", profile.email === null ? none : <bdi key="email">{profile.email}</bdi>],
            [
              "Test code",
              profile.testPasscode === null ? (
                <span key="code" className={classes.quiet}>
                  off, each code is random
                </span>
              ) : (
                <span key="code" className="mono">
                  {profile.testPasscode}
                </span>
              ),
            ],
            ["Created", <RelativeTime key="created" instant={profile.createdAt} appId={appId} />],
            ["Updated", <RelativeTime key="updated" instant={profile.updatedAt} appId={appId} />],
            [
              "User id",
              <span key="id" className={classes.id}>
                <span className="mono">{userId}</span>
                <CopyButton text={userId} what="User id" />
              </span>,
            ],
          ]}
        />
      </DetailPart>
      <DetailPart title="Metadata">
        {metadata === null ? (
          <p className={classes.quiet}>None.</p>
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
          <pre className={`mono ${classes.json}`} tabIndex={0}>
            {JSON.stringify(metadata, null, 2)}
          </pre>
        )}
      </DetailPart>
      {sessions && <Sessions profile={profile} sessions={sessions.items} total={sessions.total} />}
      {passcodes && <Passcodes profile={profile} passcodes={passcodes} />}
      <ConnectionsOf appId={appId} userId={userId} />
    </DetailPanel>
  );
};
