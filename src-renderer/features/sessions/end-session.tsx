import type { Session } from "#client/index.ts";
import { many } from "#contract/words.ts";
import { endSession } from "../../api/actions.ts";
import { emulator } from "../../api/emulator.ts";
import { announce } from "../../ui/action.tsx";
import { keepUndo } from "../../ui/undo.tsx";
import { decodeToken } from "./token-parts.ts";

// Issuer and audience are in the stored record but not in the list, so take them from the token.
const recordOf = async ({ appId: _, state: _state, ...session }: Session) => {
  const { iss, aud } = decodeToken(await emulator.sessions.token(session.id))?.claims ?? {};
  return { ...session, issuer: String(iss), audience: String(aud) };
};

/** Ends active sessions of a user. Undo imports their previous records. @param name of the user. */
export const endUndoably = async (
  sessions: readonly Session[],
  how: "expire" | "revoke",
  name: string,
): Promise<void> => {
  const records = await Promise.all(sessions.map(recordOf));
  await Promise.all(sessions.map(({ id }) => endSession(id, how)));
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
