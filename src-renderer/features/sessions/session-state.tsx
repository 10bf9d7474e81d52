import { notifications } from "@mantine/notifications";
import type { Profile, Session } from "#client/index.ts";
import { sentence } from "#contract/words.ts";
import { addSession } from "../../api/actions.ts";
import { emulator } from "../../api/emulator.ts";
import { shownName } from "../../api/queries.ts";
import { announce } from "../../ui/action.tsx";
import { CopyButton, copyText } from "../../ui/code.tsx";
import { Countdown, StatusMark, useNow } from "../../ui/parts.tsx";
import { stateAt } from "./session-words.ts";

type User = Pick<Profile, "appId" | "userId" | "name">;

const SHOWN_MS = 15_000;

/** Signs a user in, and offers to copy the token. */
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

/** The remaining time of a session, or how it ended. */
export const SessionState = ({ session }: { readonly session: Session }) => {
  const now = useNow(session.appId);
  const state = stateAt(session, now);
  if (state === "active") return <Countdown nowMs={now} {...session} />;
  return <StatusMark tone={state === "expired" ? "quiet" : "bad"}>{sentence(state)}</StatusMark>;
};
