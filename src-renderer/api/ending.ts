/**
 * Ending sessions, and bringing them back: an import writes each record as it was before.
 */
import type { Session } from "#client/index.ts";
import { expireSession, revokeSession } from "./actions.ts";
import { emulator } from "./emulator.ts";

/** What takes an ending back. */
type TakeBack = () => Promise<unknown>;

// The list does not say the issuer and audience, which the record holds; the token does.
const recordOf = async ({ appId: _, state: _state, ...session }: Session) => {
  const { iss = "", aud = "" } = await emulator.sessions.introspect(await emulator.sessions.token(session.id));
  return { ...session, issuer: iss, audience: aud };
};

/** Expires or revokes active sessions of an app. */
export const endSessions = async (sessions: readonly Session[], how: "expire" | "revoke"): Promise<TakeBack> => {
  const records = await Promise.all(sessions.map(recordOf));
  await Promise.all(sessions.map(({ id }) => (how === "expire" ? expireSession(id) : revokeSession(id))));
  const appId = sessions[0]?.appId ?? "";
  return () => emulator.state.import({ version: 1, apps: [{ appId, sessions: records }] });
};
