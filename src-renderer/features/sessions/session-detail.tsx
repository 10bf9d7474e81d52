import { Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { Session } from "#client/index.ts";
import { emulator, explain } from "../../api/emulator.ts";
import { useLiveList } from "../../api/live-list.ts";
import {
  introspectionQuery,
  nameOf,
  sessionList,
  tokenQuery,
  useApps,
  useProfile,
  usernameOf,
} from "../../api/queries.ts";
import { TextButton, useAction } from "../../ui/action.tsx";
import { Block, CopyButton, copyText } from "../../ui/code.tsx";
import { useKeys } from "../../ui/keys.ts";
import { Fact, Facts, RelativeTime, StatusMark, useNow } from "../../ui/parts.tsx";
import { DetailPanel, DetailPart, Wrong } from "../../ui/screen.tsx";
import { agoWords, deviceWords, exactWords, leftWords, recipientText } from "../../ui/words.ts";
import { openBackendTest } from "./backend-dialog.tsx";
import { endUndoably } from "./end-session.tsx";
import { SessionState } from "./session-state.tsx";
import { stateAt } from "./session-words.ts";
import { decodeToken, MEANINGS, type TokenPart as Part, TIMES } from "./token-parts.ts";
import { WrongTokenMenu } from "./wrong-token-menu.tsx";

const NOT_ACTIVE: Readonly<Record<string, string>> = {
  revoked: "session revoked",
  expired: "expired",
  not_yet_valid: "not yet valid on the app’s clock",
  unknown_user: "user deleted",
};

const Verdict = ({ session, token }: { readonly session: Session; readonly token: string }) => {
  const state = stateAt(session, useNow(session.appId));
  const answer = useQuery(introspectionQuery(token, state));
  if (answer.isPending) return <StatusMark tone="quiet">Checking signature…</StatusMark>;
  if (answer.isError) return <StatusMark tone="bad">Not checked: {explain(answer.error)}</StatusMark>;
  if (answer.data.active) return <StatusMark tone="ok">Active: valid signature, not expired or revoked</StatusMark>;
  return (
    <StatusMark tone="bad">Not active: {NOT_ACTIVE[answer.data.reason ?? ""] ?? "signed with another key"}</StatusMark>
  );
};

const TimeValue = ({ seconds, nowMs }: { readonly seconds: number; readonly nowMs: number }) => {
  const left = seconds * 1_000 - nowMs;
  const instant = new Date(seconds * 1_000).toISOString();
  return (
    <>
      <span className="mono">{seconds}</span>
      <br />
      <time className="dim" dateTime={instant} title={instant}>
        {exactWords(instant)}, {left > 0 ? `in ${leftWords(left)}` : agoWords(-left)}
      </time>
    </>
  );
};

const Fields = ({ title, part, nowMs }: { readonly title: string; readonly part: Part; readonly nowMs: number }) => (
  <>
    <h3 className="small">{title}</h3>
    <Facts names={56} ruled>
      {Object.entries(part).map(([name, value]) => (
        <Fact
          key={name}
          name={
            <span className="mono small" title={MEANINGS[name]}>
              {name}
              {MEANINGS[name] !== undefined && <span className="spoken">, {MEANINGS[name]}</span>}
            </span>
          }
        >
          {TIMES.has(name) && typeof value === "number" ? (
            <TimeValue seconds={value} nowMs={nowMs} />
          ) : (
            <bdi className="mono">{typeof value === "string" ? value : JSON.stringify(value)}</bdi>
          )}
        </Fact>
      ))}
    </Facts>
  </>
);

const TokenPart = ({ session }: { readonly session: Session }) => {
  const token = useQuery(tokenQuery(session));
  const nowMs = useNow(session.appId);
  const content = () => {
    if (token.isPending) return <p className="dim">Signing…</p>;
    if (token.isError) return <Wrong error={token.error} />;
    const parts = decodeToken(token.data);
    return (
      <>
        <p>
          <Verdict session={session} token={token.data} />
        </p>
        {parts && (
          <>
            <Fields title="Header" part={parts.header} nowMs={nowMs} />
            <Fields title="Claims" part={parts.claims} nowMs={nowMs} />
          </>
        )}
        <h3 className="small">Raw token</h3>
        <Block label="Token">
          <span data-testid="token">{token.data}</span>
        </Block>
      </>
    );
  };
  return <DetailPart title="Token">{content()}</DetailPart>;
};

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
    // A press before it is loaded copies it once it is.
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
        keys="c"
      />
      <CopyButton
        disabled={token === undefined}
        text={`Authorization: Bearer ${token}`}
        what="Authorization header"
        label="Copy header"
      />
      <WrongTokenMenu session={session} />
      <TextButton disabled={!active} onClick={() => openBackendTest(session)} label="Test my backend…" />
      <TextButton {...ending} keys="e" onClick={endThis("expire")} label="Expire" />
      <TextButton {...ending} keys="r" onClick={endThis("revoke")} label="Revoke" />
      {ofUser.length > 1 && (
        <TextButton
          loading={end.busy}
          onClick={() => end.run(ofUser, "revoke")}
          label={`Revoke all ${ofUser.length} of this user`}
        />
      )}
    </Group>
  );
};

/** One session: user, actions to end it, token, and origin. */
export const SessionDetail = ({ session, onClose }: { readonly session: Session; readonly onClose: () => void }) => {
  const { appId, userId, device, createdAt, expiresAt, revokedAt, requestId, id } = session;
  const { appOf, appName } = useApps();
  const profile = useProfile(appId, userId);
  const username = usernameOf(appOf(appId), profile);
  const name = profile === null ? "Deleted user" : nameOf(profile, userId);
  const link = (screen: string, to: string, words: string) => (
    <Link className="link" href={`/${screen}/${to}?app=${encodeURIComponent(appId)}`}>
      {words}
    </Link>
  );
  return (
    <DetailPanel
      label={`Session of ${name}`}
      title={name}
      sub={<span className="mono">{username === null ? "\u00a0" : recipientText(username)}</span>}
      onClose={onClose}
    >
      <Actions session={session} name={name} />
      <DetailPart title="Session">
        <Facts
          of={{
            Status: <SessionState session={session} />,
            App: <bdi>{appName(appId)}</bdi>,
            Device: <bdi title={device ?? undefined}>{deviceWords(device)}</bdi>,
            Created: <RelativeTime instant={createdAt} appId={appId} />,
            Expires: exactWords(expiresAt),
            Revoked: revokedAt !== null && <RelativeTime instant={revokedAt} appId={appId} />,
            Profile: profile === null ? "deleted" : link("profiles", userId, "View profile"),
            Request:
              requestId === null ? "none: signed in without a code" : link("requests", requestId, "View request"),
            "Session id": <span className="mono">{id}</span>,
          }}
        />
      </DetailPart>
      <TokenPart session={session} />
    </DetailPanel>
  );
};
