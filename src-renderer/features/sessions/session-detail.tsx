import { Button, Group, Kbd } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { Session } from "#client/index.ts";
import { emulator } from "../../api/emulator.ts";
import { useLiveList } from "../../api/live-list.ts";
import { nameOf, useApps, useProfile, usernameOf } from "../../api/profile.ts";
import { sessionList, tokenQuery } from "../../api/queries.ts";
import { useAction } from "../../ui/action.tsx";
import { copyText } from "../../ui/clipboard.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { DetailPanel, DetailPart, PanelHead } from "../../ui/detail-panel.tsx";
import { deviceWords } from "../../ui/device-words.ts";
import { Fact, Facts } from "../../ui/facts.tsx";
import { useKeys } from "../../ui/keys.ts";
import { useNow } from "../../ui/now.ts";
import { recipientText } from "../../ui/phone.ts";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { exactWords } from "../../ui/time-words.ts";
import { endUndoably, SessionState } from "./session-state.tsx";
import { stateAt } from "./session-words.ts";
import { TokenPart } from "./token-part.tsx";

/** What can be done with a session: copy its token, and end it, or all of this user's. */
const Actions = ({ session, name }: { readonly session: Session; readonly name: string }) => {
  const now = useNow(session.appId);
  const isActive = (one: Session): boolean => stateAt(one, now) === "active";
  const active = isActive(session);
  const others = useLiveList(sessionList, session.appId).data?.items ?? [];
  const ofUser = others.filter((one) => one.userId === session.userId && isActive(one));
  const token = useQuery(tokenQuery(session)).data;
  const end = useAction((sessions: readonly Session[], how: "expire" | "revoke") => endUndoably(sessions, how, name));
  const endThis = (how: "expire" | "revoke") => (): unknown => (active ? end.run([session], how) : false);
  useKeys({
    // A press that comes before it is read is answered once it is.
    c: () => copyText(token ?? emulator.sessions.token(session.id), "Token"),
    e: endThis("expire"),
    r: endThis("revoke"),
  });
  const ending = { disabled: !active, loading: end.busy };
  return (
    <Group>
      <CopyButton
        variant="filled"
        disabled={token === undefined}
        text={token ?? ""}
        what="Token"
        label="Copy token"
        rightSection={<Kbd>c</Kbd>}
      />
      <CopyButton
        disabled={token === undefined}
        text={`Authorization: Bearer ${token}`}
        what="Authorization header"
        label="Copy header"
      />
      <Button {...ending} rightSection={<Kbd>e</Kbd>} onClick={endThis("expire")}>
        Expire
      </Button>
      <Button {...ending} rightSection={<Kbd>r</Kbd>} onClick={endThis("revoke")}>
        Revoke
      </Button>
      {ofUser.length > 1 && (
        <Button loading={end.busy} onClick={() => end.run(ofUser, "revoke")}>
          Revoke all {ofUser.length} of this user
        </Button>
      )}
    </Group>
  );
};

/** One session: whose it is, how to end it, its token, and where it came from. */
export const SessionDetail = ({ session, onClose }: { readonly session: Session; readonly onClose: () => void }) => {
  const { appId, userId, device, createdAt, expiresAt, revokedAt, requestId, id } = session;
  const { appOf, appName } = useApps();
  const profile = useProfile(appId, userId);
  const username = usernameOf(appOf(appId), profile);
  const name = profile === null ? "Deleted user" : nameOf(profile, userId);
  const ofApp = `app=${encodeURIComponent(appId)}`;
  return (
    <DetailPanel label={`Session of ${name}`} onClose={onClose}>
      <PanelHead
        title={name}
        sub={<span className="mono">{username === null ? "\u00a0" : recipientText(username)}</span>}
      />
      <Actions session={session} name={name} />
      <DetailPart title="Session">
        <Facts>
          <Fact name="Status">
            <SessionState session={session} />
          </Fact>
          <Fact name="App">
            <bdi>{appName(appId)}</bdi>
          </Fact>
          <Fact name="Device">
            <bdi title={device ?? undefined}>{deviceWords(device)}</bdi>
          </Fact>
          <Fact name="Created">
            <RelativeTime instant={createdAt} appId={appId} />
          </Fact>
          <Fact name="Expires">{exactWords(expiresAt)}</Fact>
          {revokedAt !== null && (
            <Fact name="Revoked">
              <RelativeTime instant={revokedAt} appId={appId} />
            </Fact>
          )}
          <Fact name="Profile">
            {profile === null ? (
              "deleted"
            ) : (
              <Link className="link" href={`/profiles/${userId}?${ofApp}`}>
                View profile
              </Link>
            )}
          </Fact>
          <Fact name="Request">
            {requestId === null ? (
              "none: signed in without a code"
            ) : (
              <Link className="link" href={`/requests/${requestId}?${ofApp}`}>
                View request
              </Link>
            )}
          </Fact>
          <Fact name="Session id">
            <span className="mono">{id}</span>
          </Fact>
        </Facts>
      </DetailPart>
      <TokenPart session={session} />
    </DetailPanel>
  );
};
