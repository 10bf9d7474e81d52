import { useQuery } from "@tanstack/react-query";
import type { Session } from "../../api/records.ts";
import { wordsOf } from "../../api/request-failed.ts";
import { introspectionQuery, tokenQuery } from "../../api/tokens.ts";
import { DetailPart } from "../../ui/detail-panel.tsx";
import { useNow } from "../../ui/now.ts";
import { StatusMark } from "../../ui/status-mark.tsx";
import { agoWords, exactWords, leftWords } from "../../ui/time-words.ts";
import { stateAt } from "./session-state.ts";
import classes from "./token-part.module.css";
import { decodeToken, MEANINGS, type TokenPart as Part, TIMES } from "./token-parts.ts";

const Verdict = ({ session, token }: { readonly session: Session; readonly token: string }) => {
  const state = stateAt(session, useNow(session.appId));
  const answer = useQuery(introspectionQuery(token, state));
  if (answer.isPending) return <StatusMark tone="quiet">Checking the signature</StatusMark>;
  if (answer.isError) return <StatusMark tone="bad">Not checked: {wordsOf(answer.error)}</StatusMark>;
  if (answer.data.active) return <StatusMark tone="ok">Active: signed by this server’s key, and not ended</StatusMark>;
  switch (state) {
    case "revoked":
      return <StatusMark tone="bad">Not active: the session was revoked</StatusMark>;
    case "expired":
      return <StatusMark tone="bad">Not active: it has expired</StatusMark>;
    case "active":
      return <StatusMark tone="bad">Not active: the user is gone, or the key is another</StatusMark>;
  }
};

const TimeValue = ({ seconds, nowMs }: { readonly seconds: number; readonly nowMs: number }) => {
  const left = seconds * 1_000 - nowMs;
  const instant = new Date(seconds * 1_000).toISOString();
  return (
    <>
      {seconds}
      <time className={classes.words} dateTime={instant} title={instant}>
        {exactWords(instant)}, {left > 0 ? `in ${leftWords(left)}` : agoWords(-left)}
      </time>
    </>
  );
};

const Fields = ({ title, part, nowMs }: { readonly title: string; readonly part: Part; readonly nowMs: number }) => (
  <>
    <h3 className={classes.title}>{title}</h3>
    <dl className={classes.fields}>
      {Object.entries(part).map(([name, value]) => (
        <div key={name}>
          <dt className="mono" title={MEANINGS[name]}>
            {name}
            {MEANINGS[name] !== undefined && <span className="spoken">, {MEANINGS[name]}</span>}
          </dt>
          <dd className="mono">
            {TIMES.has(name) && typeof value === "number" ? (
              <TimeValue seconds={value} nowMs={nowMs} />
            ) : (
              <bdi>{typeof value === "string" ? value : JSON.stringify(value)}</bdi>
            )}
          </dd>
        </div>
      ))}
    </dl>
  </>
);

/** The token of a session: whether it is active, and what it says. */
export const TokenPart = ({ session }: { readonly session: Session }) => {
  const token = useQuery(tokenQuery(session));
  const nowMs = useNow(session.appId);
  const content = () => {
    if (token.isPending) return <p className={classes.quiet}>Signing it</p>;
    if (token.isError) return <p role="alert">{wordsOf(token.error)}</p>;
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
        <h3 className={classes.title}>As it is sent</h3>
        <p className={`mono ${classes.raw}`} data-testid="token">
          {token.data}
        </p>
      </>
    );
  };
  return <DetailPart title="Token">{content()}</DetailPart>;
};
