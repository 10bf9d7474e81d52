import { notifications } from "@mantine/notifications";
import type { Profile, Session } from "#client/index.ts";
import { addSession, expireSession, revokeSession } from "../../api/actions.ts";
import { emulator } from "../../api/emulator.ts";
import { shownName } from "../../api/queries.ts";
import { announce } from "../../ui/action.tsx";
import { CopyButton, copyText } from "../../ui/code.tsx";
import { Countdown, StatusMark, useNow } from "../../ui/parts.tsx";
import { keepUndo } from "../../ui/undo.tsx";
import { many, sentence } from "../../ui/words.ts";
import { stateAt } from "./session-words.ts";

type User = Pick<Profile, "appId" | "userId" | "name">;

const SHOWN_MS = 15_000;

/** Signs a user in, and offers the token to copy. */
export const signInAs = async ({ appId, userId, name }: User): Promise<void> => {
  const { id } = await addSession(appId, userId);
  const token = await emulator.sessions.token(id);
  announce(`Signed in as ${shownName(name)}`);
  notifications.show({
    title: <bdi>Signed in as {shownName(name)}</bdi>,
    message: <CopyButton text={token} what="Token" label="Copy token" />,
    autoClose: SHOWN_MS,
    withBorder: true,
  });
};

/** Signs a user in, and copies the token. */
export const copyTokenOf = async ({ appId, userId }: User): Promise<void> => {
  const { id } = await addSession(appId, userId);
  await copyText(await emulator.sessions.token(id), "Token");
};

/** What is left of a session, or how it ended. */
export const SessionState = ({ session }: { readonly session: Session }) => {
  const now = useNow(session.appId);
  const state = stateAt(session, now);
  if (state === "active") return <Countdown nowMs={now} {...session} />;
  return <StatusMark tone={state === "expired" ? "quiet" : "bad"}>{sentence(state)}</StatusMark>;
};

// The list does not say the issuer and audience, which the record holds; the token does.
const recordOf = async ({ appId: _, state: _state, ...session }: Session) => {
  const { iss = "", aud = "" } = await emulator.sessions.introspect(await emulator.sessions.token(session.id));
  return { ...session, issuer: iss, audience: aud };
};

/** Ends active sessions of a user. To undo it, an import writes each record as it was before. @param name of the user. */
export const endUndoably = async (
  sessions: readonly Session[],
  how: "expire" | "revoke",
  name: string,
): Promise<void> => {
  const records = await Promise.all(sessions.map(recordOf));
  await Promise.all(sessions.map(({ id }) => (how === "expire" ? expireSession(id) : revokeSession(id))));
  const appId = sessions[0]?.appId ?? "";
  const words = `${how === "expire" ? "Expired" : "Revoked"} ${many(sessions.length, "session")}`;
  announce(words);
  keepUndo({
    label: "Last ended session",
    home: "sessions",
    words: (
      <>
        {words} of <bdi>{name}</bdi>.
      </>
    ),
    note: "Undo makes the same token valid again.",
    back: async () => {
      await emulator.state.import({ version: 1, apps: [{ appId, sessions: records }] });
      return "Session restored";
    },
  });
};
