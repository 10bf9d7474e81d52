/**
 * The state of a session, and ending it.
 */
import type { Session } from "#client/index.ts";
import { expireSession, revokeSession } from "../../api/actions.ts";
import { emulator } from "../../api/emulator.ts";
import { announce } from "../../ui/announcer.tsx";
import { useNow } from "../../ui/now.tsx";
import { Countdown, StatusMark } from "../../ui/status-mark.tsx";
import { keepUndo } from "../../ui/undo.tsx";
import { many, sentence } from "../../ui/words.ts";
import { stateAt } from "./session-words.ts";

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
