import { Box, Group, Menu } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { Session } from "#client/index.ts";
import { canHave, DEFECT_NAMES, DEFECTS, type Defect } from "#contract/service/token-defects.ts";
import { recipientText } from "#contract/words/phone-words.ts";
import { emulator, explain } from "../../api/emulator.ts";
import { introspectionQuery, tokenQuery, useApps, useUser } from "../../api/queries.ts";
import { stateAt } from "../../shared/session/session-words.ts";
import { decodeToken, MEANINGS, type TokenPart as Part, TIMES } from "../../shared/session/token-parts.ts";
import { TextButton, useAction } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { Block, CopyButton, copyText } from "../../ui/code.tsx";
import { useKeys } from "../../ui/keys.ts";
import { Fact, Facts, RelativeTime, StatusMark, useNow } from "../../ui/parts.tsx";
import { ActionsMenu } from "../../ui/row-actions.tsx";
import { DetailPanel, DetailPart, Wrong } from "../../ui/screen.tsx";
import { agoWords, deviceWords, exactWords, leftWords } from "../../ui/words.ts";
import { openBackendTest } from "./backend-dialog.tsx";
import { endOne, revokeAllOf, SessionState, useIsLost, useSessionsOf } from "./session-state.tsx";

const Verdict = ({ session, token }: { readonly session: Session; readonly token: string }) => {
  const state = stateAt(session, useNow(session.appId));
  const answer = useQuery(introspectionQuery(token, state));
  if (answer.isPending) return <StatusMark tone="quiet">Checking signature…</StatusMark>;
  if (answer.isError) return <StatusMark tone="bad">Not checked: {explain(answer.error)}</StatusMark>;
  if (answer.data.active) return <StatusMark tone="ok">Active: valid signature, not expired or revoked</StatusMark>;
  return <StatusMark tone="bad">Not active: {(answer.data.reason ?? "unknown").replaceAll("_", " ")}</StatusMark>;
};

const TimeValue = ({ seconds, nowMs }: { readonly seconds: number; readonly nowMs: number }) => {
  const left = seconds * 1_000 - nowMs;
  const instant = new Date(seconds * 1_000).toISOString();
  return (
    <>
      <p className="mono">{seconds}</p>
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
              {MEANINGS[name] && <span className="spoken">, {MEANINGS[name]}</span>}
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

const wrongToken = async (id: string, defect: Defect): Promise<string> =>
  (await emulator.sessions.wrongToken(id, { defect })).token;

/** Copies a defective token of the session. */
const WrongTokenMenu = ({ session: { appId, id } }: { readonly session: Session }) => {
  const algorithm = useApps().appOf(appId)?.settings.token?.algorithm ?? "ES256";
  const defects = DEFECT_NAMES.filter((defect) => canHave(algorithm, defect));
  return (
    <Menu position="bottom-start" width={360}>
      <Menu.Target>
        <TextButton label="Copy an invalid token…" />
      </Menu.Target>
      <Menu.Dropdown mah="min(480px, 60vh)" style={{ overflowY: "auto" }}>
        {defects.map((defect) => (
          <Menu.Item key={defect} onClick={() => copyText(wrongToken(id, defect), `Invalid token (${defect})`)}>
            <span className="mono">{defect}</span>
            <br />
            <span className="dim small">{DEFECTS[defect].why}</span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
};

const TokenPart = ({ session }: { readonly session: Session }) => {
  const token = useQuery(tokenQuery(session));
  const nowMs = useNow(session.appId);
  if (!token.isSuccess)
    return (
      <DetailPart title="Token">
        {token.isPending ? <p className="dim">Signing…</p> : <Wrong error={token.error} />}
      </DetailPart>
    );
  const { header, claims } = decodeToken(token.data) ?? {};
  return (
    <DetailPart title="Token">
      <p>
        <Verdict session={session} token={token.data} />
      </p>
      <Group mt={8}>
        <CopyButton text={`Authorization: Bearer ${token.data}`} what="Authorization header" label="Copy header" />
        <WrongTokenMenu session={session} />
      </Group>
      <Box component="details" mt={12}>
        <summary>Claims</summary>
        {header && <Fields title="Header" part={header} nowMs={nowMs} />}
        {claims && <Fields title="Claims" part={claims} nowMs={nowMs} />}
        <h3 className="small">Raw token</h3>
        <Block label="Token">
          <span data-testid="token">{token.data}</span>
        </Block>
      </Box>
    </DetailPart>
  );
};

const Actions = ({ session }: { readonly session: Session }) => {
  const now = useNow(session.appId);
  const active = stateAt(session, now) === "active";
  const { active: ofUser, hasMore } = useSessionsOf(session);
  const token = useQuery(tokenQuery(session)).data;
  const end = useAction((how: "expire" | "revoke") => endOne(session, how));
  const endAll = useAction(() => revokeAllOf(session));
  const endThis = (how: "expire" | "revoke") => (): unknown => (active ? end.run(how) : false);
  useKeys({
    // A press before it is loaded copies it once it is.
    c: () => copyText(token ?? emulator.sessions.token(session.id), "Token"),
    e: endThis("expire"),
    r: endThis("revoke"),
  });
  const ending = { disabled: !active, loading: end.busy };
  const all = `Revoke all${hasMore ? "" : ` ${ofUser.length}`} of this user`;
  return (
    <Group>
      <CopyButton
        disabled={token === undefined}
        variant="filled"
        text={token ?? ""}
        what="Token"
        label="Copy token"
        keys="c"
      />
      <TextButton {...ending} keys="e" onClick={endThis("expire")} label="Expire" />
      <TextButton {...ending} keys="r" onClick={endThis("revoke")} label="Revoke" />
      <ActionsMenu
        label="More for this session"
        items={() => [
          {
            label: "Test my backend…",
            name: "Test my backend",
            disabled: !active,
            act: () => openBackendTest(session),
          },
          { label: all, disabled: ofUser.length < 2 && !hasMore, act: () => endAll.run() },
        ]}
      />
    </Group>
  );
};

/** One session: user, actions to end it, token, and origin. */
export const SessionDetail = ({ session, onClose }: { readonly session: Session; readonly onClose: () => void }) => {
  const { appId, userId, device, createdAt, expiresAt, revokedAt, requestId, id } = session;
  const { name, username, appName } = useUser(session);
  const { hrefTo } = useAddress();
  const isLost = useIsLost(session);
  return (
    <DetailPanel
      label={`Session of ${name}`}
      title={name}
      sub={<span className="mono">{username === null ? "\u00a0" : recipientText(username)}</span>}
      onClose={onClose}
    >
      <Actions session={session} />
      <Box mt={16}>
        <Facts
          names={116}
          ruled
          of={{
            Status: <SessionState session={session} />,
            App: <bdi>{appName}</bdi>,
            Device: <bdi title={device ?? undefined}>{deviceWords(device)}</bdi>,
            Created: <RelativeTime instant={createdAt} appId={appId} />,
            Expires: exactWords(expiresAt),
            Revoked: revokedAt !== null && <RelativeTime instant={revokedAt} appId={appId} />,
            Profile: (
              <Link className="link" href={hrefTo("users", { id: userId, app: appId })}>
                View profile
              </Link>
            ),
            Request:
              requestId === null ? (
                "none: signed in without a code"
              ) : (
                <Link className="link" href={hrefTo("requests", { id: requestId, app: appId })}>
                  View request
                </Link>
              ),
            Response: isLost && <span className="warn">lost: the app never received this session</span>,
            "Session id": <span className="mono">{id}</span>,
          }}
        />
      </Box>
      <TokenPart session={session} />
    </DetailPanel>
  );
};
