import type { Session } from "#client/index.ts";
import { many } from "#contract/words/words.ts";
import { endSession } from "../../api/actions.ts";
import { emulator } from "../../api/emulator.ts";
import { announce } from "../../ui/action.tsx";

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
