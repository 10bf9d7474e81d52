import { Link } from "wouter";
import { nameOf, useProfile } from "../../api/profile.ts";
import type { App, Session } from "../../api/records.ts";
import { DetailPanel, DetailPart, Facts } from "../../ui/detail-panel.tsx";
import { deviceWords } from "../../ui/device-words.ts";
import { recipientText } from "../../ui/phone.ts";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { exactWords } from "../../ui/time-words.ts";
import { SessionActions } from "./session-actions.tsx";
import classes from "./session-detail.module.css";
import { SessionState } from "./session-row.tsx";
import { TokenPart } from "./token-part.tsx";

interface SessionDetailProps {
  readonly session: Session;
  readonly app: App | undefined;
  readonly onClose: () => void;
}

/** One session: whose it is, how to end it, its token, and where it came from. */
export const SessionDetail = ({ session, app, onClose }: SessionDetailProps) => {
  const profile = useProfile(session.appId, session.userId);
  const username = profile?.[app?.strategy ?? "phone"] ?? null;
  const ofApp = `app=${encodeURIComponent(session.appId)}`;
  return (
    <DetailPanel label={`Session of ${nameOf(profile, session.userId)}`} onClose={onClose}>
      <h2 className={classes.name}>
        <bdi>{profile === null ? "A deleted user" : nameOf(profile, session.userId)}</bdi>
      </h2>
      <p className={`mono ${classes.username}`}>{username === null ? "\u00a0" : recipientText(username)}</p>
      <SessionActions session={session} />
      <p className={classes.state}>
        <SessionState session={session} />
      </p>
      <DetailPart title="Session">
        <Facts
          facts={[
            ["App", <bdi key="app">{app?.name ?? session.appId}</bdi>],
            [
              "Device",
              <bdi key="device" title={session.device ?? undefined}>
                {deviceWords(session.device)}
              </bdi>,
            ],
            ["Issued", <RelativeTime key="issued" instant={session.createdAt} appId={session.appId} />],
            ["Expires", exactWords(session.expiresAt)],
            ...(session.revokedAt === null
              ? []
              : [
                  [
                    "Revoked",
                    <RelativeTime key="revoked" instant={session.revokedAt} appId={session.appId} />,
                  ] as const,
                ]),
            [
              "Profile",
              profile === null ? (
                "deleted"
              ) : (
                <Link key="profile" className={classes.link} href={`/profiles/${session.userId}?${ofApp}`}>
                  Open the profile
                </Link>
              ),
            ],
            [
              "Request",
              session.requestId === null ? (
                "none: made without a passcode"
              ) : (
                <Link key="request" className={classes.link} href={`/requests/${session.requestId}?${ofApp}`}>
                  Open the request that began it
                </Link>
              ),
            ],
            [
              "Session id",
              <span key="id" className="mono">
                {session.id}
              </span>,
            ],
          ]}
        />
      </DetailPart>
      <TokenPart session={session} />
    </DetailPanel>
  );
};
