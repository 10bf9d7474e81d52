import { useQuery } from "@tanstack/react-query";
import type { Session } from "#client/index.ts";
import { explain } from "../../api/emulator.ts";
import { introspectionQuery, tokenQuery } from "../../api/queries.ts";
import { Block } from "../../ui/code-block.tsx";
import { DetailPart } from "../../ui/detail-panel.tsx";
import { Fact, Facts } from "../../ui/facts.tsx";
import { useNow } from "../../ui/now.ts";
import { StatusMark } from "../../ui/status-mark.tsx";
import { agoWords, exactWords, leftWords } from "../../ui/time-words.ts";
import { stateAt } from "./session-words.ts";
import { decodeToken, MEANINGS, type TokenPart as Part, TIMES } from "./token-parts.ts";

const Verdict = ({ session, token }: { readonly session: Session; readonly token: string }) => {
  const state = stateAt(session, useNow(session.appId));
  const answer = useQuery(introspectionQuery(token, state));
  if (answer.isPending) return <StatusMark tone="quiet">Checking signature…</StatusMark>;
  if (answer.isError) return <StatusMark tone="bad">Not checked: {explain(answer.error)}</StatusMark>;
  if (answer.data.active) return <StatusMark tone="ok">Active: valid signature, not expired or revoked</StatusMark>;
  switch (state) {
    case "revoked":
      return <StatusMark tone="bad">Not active: session revoked</StatusMark>;
    case "expired":
      return <StatusMark tone="bad">Not active: expired</StatusMark>;
    case "active":
      return <StatusMark tone="bad">Not active: user deleted, or signed with another key</StatusMark>;
  }
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

/** The token of a session: whether it is active, and what it says. */
export const TokenPart = ({ session }: { readonly session: Session }) => {
  const token = useQuery(tokenQuery(session));
  const nowMs = useNow(session.appId);
  const content = () => {
    if (token.isPending) return <p className="dim">Signing…</p>;
    if (token.isError) return <p role="alert">{explain(token.error)}</p>;
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
