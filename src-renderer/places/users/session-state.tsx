import { notifications } from "@mantine/notifications";
import { useQuery } from "@tanstack/react-query";
import type { Profile, Session } from "#client/index.ts";
import { many, sentence } from "#contract/words/words.ts";
import { addSession, endSession } from "../../api/actions.ts";
import { emulator } from "../../api/emulator.ts";
import { lostRequestsQuery, shownName, userSessionsQuery } from "../../api/queries.ts";
import { stateAt } from "../../shared/session/session-words.ts";
import { announce } from "../../ui/action.tsx";
import { CopyButton, copyText } from "../../ui/code.tsx";
import { Countdown, StatusMark, useNow } from "../../ui/parts.tsx";

const SHOWN_MS = 15_000;

const newToken = async ({ appId, userId }: Profile): Promise<string> =>
  await emulator.sessions.token((await addSession(appId, userId)).id);

/** Signs a user in, and offers to copy the token. */
export const createSessionFor = async (user: Profile): Promise<void> => {
  const token = await newToken(user);
  const words = `Signed in as ${shownName(user.name)}`;
  announce(words);
  notifications.show({
    title: <bdi>{words}</bdi>,
    message: <CopyButton text={token} what="Token" label="Copy token" />,
    autoClose: SHOWN_MS,
    withBorder: true,
  });
};

/** Signs a user in, and copies the token. */
export const copyTokenOf = async (user: Profile) => await copyText(await newToken(user), "Token");

const DONE = { expire: "Expired 1 session", revoke: "Revoked 1 session" } as const;

/** Ends an active session. */
export const endOne = async ({ id }: Session, how: keyof typeof DONE): Promise<void> => {
  await endSession(id, how);
  announce(DONE[how]);
};

/** Revokes all sessions of a user, in one transaction: also those that no list has loaded. */
export const revokeAllOf = async ({ appId, userId }: Pick<Session, "appId" | "userId">): Promise<void> => {
  const { total } = await emulator.sessions.list({ appId, userId, state: "active", limit: 1 });
  if (total > 0) await emulator.sessions.revokeAll({ appId, userId });
  announce(total === 0 ? "No active session" : `Revoked ${many(total, "session")}`);
};

/** @returns the newest sessions of a user, the active ones of them, and whether there are older ones. */
export const useSessionsOf = ({ appId, userId }: Pick<Session, "appId" | "userId">) => {
  const now = useNow(appId);
  const sessions = useQuery(userSessionsQuery(appId, userId)).data;
  const active = sessions?.items.filter((session) => stateAt(session, now) === "active") ?? [];
  return { sessions, active, hasMore: sessions !== undefined && sessions.total > sessions.items.length };
};

/** @returns whether the response with this session was lost, so that no client has its token. */
export const useIsLost = ({ requestId }: Session): boolean => {
  const lost = useQuery(lostRequestsQuery()).data?.items;
  return requestId !== null && (lost?.some(({ id }) => id === requestId) ?? false);
};

/** The remaining time of a session, or how it ended. */
export const SessionState = ({ session }: { readonly session: Session }) => {
  const now = useNow(session.appId);
  const state = stateAt(session, now);
  if (state === "active") return <Countdown nowMs={now} {...session} />;
  return <StatusMark tone={state === "expired" ? "quiet" : "bad"}>{sentence(state)}</StatusMark>;
};
