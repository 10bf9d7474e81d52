import { Link } from "wouter";
import { nameOf, useProfile } from "../../api/profile.ts";
import type { App, Connection } from "../../api/records.ts";
import { DetailPanel, DetailPart, Facts } from "../../ui/detail-panel.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { StatusMark } from "../../ui/status-mark.tsx";
import { ConnectionActions } from "./connection-actions.tsx";
import { managedWords, statusWords, titleOf } from "./connection-words.ts";
import classes from "./connections.module.css";

interface ConnectionDetailProps {
  readonly connection: Connection;
  readonly app: App | undefined;
  readonly onClose: () => void;
}

/** One connection: whose it is, since when, and what can be done with it. */
export const ConnectionDetail = ({ connection, app, onClose }: ConnectionDetailProps) => {
  const { appId, userId, disabledAt } = connection;
  const profile = useProfile(appId, userId);
  return (
    <DetailPanel label={`Connection ${titleOf(connection)}`} onClose={onClose}>
      <h2 className={classes.name}>
        <bdi>{titleOf(connection)}</bdi>
      </h2>
      <p className={classes.quiet}>
        <StatusMark tone={connection.status === "connected" ? "ok" : "quiet"}>
          {statusWords(connection, profile)}
        </StatusMark>
      </p>
      <div className={classes.buttons}>
        <ConnectionActions connection={connection} orphan={profile === null} onRemoved={onClose} />
      </div>
      <DetailPart title="Connection">
        <Facts
          facts={[
            [
              "Profile",
              profile === null ? (
                <span key="profile" className="mono">
                  deleted, {userId}
                </span>
              ) : (
                <Link
                  key="profile"
                  className={classes.to}
                  href={`/profiles/${userId}?app=${encodeURIComponent(appId)}`}
                >
                  <bdi>{nameOf(profile, userId)}</bdi>
                </Link>
              ),
            ],
            ["App", <bdi key="app">{app?.name ?? appId}</bdi>],
            ["Kept", managedWords(connection)],
            ["Since", <RelativeTime key="since" instant={connection.createdAt} appId={appId} />],
            ...(disabledAt === null
              ? []
              : [["Disabled", <RelativeTime key="disabled" instant={disabledAt} appId={appId} />] as const]),
            [
              "Id",
              <span key="id" className="mono">
                {connection.id}
              </span>,
            ],
          ]}
        />
      </DetailPart>
    </DetailPanel>
  );
};
