import type { Session } from "#client/index.ts";
import { many } from "#contract/words.ts";
import { endSession } from "../../api/actions.ts";
import { emulator } from "../../api/emulator.ts";
import { announce } from "../../ui/action.tsx";

/** Ends active sessions of a user; several only by revoking all of the user, in one transaction. */
export const endSessions = async (sessions: readonly Session[], how: "expire" | "revoke"): Promise<void> => {
  const [first, ...others] = sessions;
  if (first === undefined) return;
  if (others.length === 0) await endSession(first.id, how);
  else await emulator.sessions.revokeAll({ appId: first.appId, userId: first.userId });
  announce(`${how === "expire" ? "Expired" : "Revoked"} ${many(sessions.length, "session")}`);
};
