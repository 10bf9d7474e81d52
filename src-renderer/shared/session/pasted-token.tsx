import { Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { Session } from "#client/index.ts";
import { introspectionQuery, sessionQuery, tokenQuery, useUser } from "../../api/queries.ts";
import { closeDialog, openDialog } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { Facts, Lines, StatusMark } from "../../ui/parts.tsx";
import { Loaded } from "../../ui/screen.tsx";
import { exactWords } from "../../ui/words.ts";
import { decodeToken, MEANINGS, TIMES } from "./token-parts.ts";

type Fields = Readonly<Record<string, unknown>>;
const fieldsIn = (token: string): Fields => {
  const { header, claims } = decodeToken(token) ?? {};
  return { ...header, ...claims };
};
const shown = (name: string, value: unknown): string => {
  if (value === undefined) return "absent";
  if (TIMES.has(name) && typeof value === "number") return exactWords(new Date(value * 1_000).toISOString());
  return typeof value === "string" ? value : JSON.stringify(value);
};

/** @returns the header fields and claims in which a token differs from a good one. */
const differingClaims = (token: string, good: string): { name: string; is: string; good: string }[] => {
  const [own, right] = [fieldsIn(token), fieldsIn(good)];
  return [...new Set([...Object.keys(right), ...Object.keys(own)])].flatMap((name) => {
    const pair = { name, is: shown(name, own[name]), good: shown(name, right[name]) };
    return pair.is === pair.good ? [] : [pair];
  });
};

/** @returns why a token with the claims of a good one is valid or not. */
const sameWords = ({ state }: Session, active: boolean): string => {
  if (active) return "Its claims are those of this session.";
  return state === "active" ? "Only its signature differs from a valid one." : `The session is ${state}.`;
};

interface OfSessionProps {
  readonly token: string;
  readonly session: Session;
  readonly active: boolean;
}

const OfSession = ({ token, session, active }: OfSessionProps) => {
  const { name, appName } = useUser(session);
  const { hrefTo } = useAddress();
  const good = useQuery(tokenQuery(session));
  const differing = good.data === undefined ? [] : differingClaims(token, good.data);
  return (
    <>
      <Facts
        of={{
          User: <bdi>{name}</bdi>,
          App: <bdi>{appName}</bdi>,
          Session: (
            <Link
              className="link"
              href={hrefTo("users/sessions", { id: session.id, app: session.appId })}
              onClick={closeDialog}
            >
              View session
            </Link>
          ),
        }}
      />
      {good.isSuccess && differing.length === 0 && <p>{sameWords(session, active)}</p>}
      {differing.length > 0 && (
        <>
          <h3 className="small">Differs from a valid token of this session</h3>
          <Lines label="Differences" columns="56px minmax(0, 1fr) minmax(0, 1fr)">
            {differing.map(({ name: claim, is, good: right }) => (
              <li key={claim}>
                <span className="mono" title={MEANINGS[claim]}>
                  {claim}
                </span>
                <bdi className="mono bad">{is}</bdi>
                <span>
                  <span className="dim">instead of </span>
                  <bdi className="mono">{right}</bdi>
                </span>
              </li>
            ))}
          </Lines>
        </>
      )}
    </>
  );
};

/** Whose token a text is, whether it is valid, and how it differs from a good one. */
export const PastedToken = ({ token }: { readonly token: string }) => {
  const { jti } = fieldsIn(token);
  const id = typeof jti === "string" ? jti : "";
  const session = useQuery({ ...sessionQuery(id), enabled: id !== "" }).data;
  const said = useQuery(introspectionQuery(token, session?.state ?? "active"));
  return (
    <Loaded of={said} what="This token">
      {({ active, reason }) => (
        <Stack gap={12}>
          <p>
            <StatusMark tone={active ? "ok" : "bad"}>
              {active ? "Valid: the session is active" : `Not valid: ${(reason ?? "unknown").replaceAll("_", " ")}`}
            </StatusMark>
          </p>
          {session ? (
            <OfSession token={token} session={session} active={active} />
          ) : (
            <p className="dim">No session here has {id === "" ? "this token" : "this token’s id (jti)"}.</p>
          )}
        </Stack>
      )}
    </Loaded>
  );
};

/** Shows that in a dialog. */
export const openPastedToken = (token: string): void => openDialog("Pasted token", <PastedToken token={token} />);
