import { Link } from "wouter";
import type { Connection } from "#client/index.ts";
import { nameOf, useApps, useProfile } from "../../api/profile.ts";
import { DetailPanel, DetailPart, PanelHead } from "../../ui/detail-panel.tsx";
import { Fact, Facts } from "../../ui/facts.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { ConnectionActions, ConnectionState, titleOf } from "./connection-parts.tsx";

interface ConnectionDetailProps {
  readonly connection: Connection;
  readonly onClose: () => void;
}

/** One connection: whose it is, since when, and what can be done with it. */
export const ConnectionDetail = ({ connection, onClose }: ConnectionDetailProps) => {
  const { id, appId, userId, managed, createdAt, disabledAt } = connection;
  const profile = useProfile(appId, userId);
  const { appName } = useApps();
  const title = titleOf(connection);
  return (
    <DetailPanel label={`Connection ${title}`} onClose={onClose}>
      <PanelHead title={title} sub={<ConnectionState connection={connection} profile={profile} />} />
      <ConnectionActions connection={connection} profile={profile} onRemoved={onClose} />
      <DetailPart title="Connection">
        <Facts>
          <Fact name="Profile">
            {profile === null ? (
              <span className="mono">deleted, {userId}</span>
            ) : (
              <Link className="link" href={`/profiles/${userId}?app=${encodeURIComponent(appId)}`}>
                <bdi>{nameOf(profile, userId)}</bdi>
              </Link>
            )}
          </Fact>
          <Fact name="App">
            <bdi>{appName(appId)}</bdi>
          </Fact>
          <Fact name="Managed">{managed ? "yes" : "no"}</Fact>
          <Fact name="Created">
            <RelativeTime instant={createdAt} appId={appId} />
          </Fact>
          {disabledAt !== null && (
            <Fact name="Disabled">
              <RelativeTime instant={disabledAt} appId={appId} />
            </Fact>
          )}
          <Fact name="Id">
            <span className="mono">{id}</span>
          </Fact>
        </Facts>
      </DetailPart>
    </DetailPanel>
  );
};
