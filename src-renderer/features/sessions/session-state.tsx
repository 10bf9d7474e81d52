/**
 * The state of a session, and ending it.
 */
import type { Session } from "#client/index.ts";
import { endSessions } from "../../api/ending.ts";
import { announce } from "../../ui/announcer.tsx";
import { Countdown } from "../../ui/countdown.tsx";
import { useNow } from "../../ui/now.ts";
import { StatusMark } from "../../ui/status-mark.tsx";
import { keepUndo } from "../../ui/undo.tsx";
import { many } from "../../ui/words.ts";
import { stateAt } from "./session-words.ts";

/** What is left of a session, or how it ended. */
export const SessionState = ({ session }: { readonly session: Session }) => {
  const now = useNow(session.appId);
  switch (stateAt(session, now)) {
    case "active":
      return <Countdown nowMs={now} createdAt={session.createdAt} expiresAt={session.expiresAt} />;
    case "expired":
      return <StatusMark tone="quiet">Expired</StatusMark>;
    case "revoked":
      return <StatusMark tone="bad">Revoked</StatusMark>;
  }
};

/** Ends active sessions of a user, which can be undone. @param name of the user. */
export const endUndoably = async (
  sessions: readonly Session[],
  how: "expire" | "revoke",
  name: string,
): Promise<void> => {
  const takeBack = await endSessions(sessions, how);
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
      await takeBack();
      return "Session restored";
    },
  });
};
