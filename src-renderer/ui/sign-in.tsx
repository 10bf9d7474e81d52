/**
 * Signing in as a user, without a code.
 */
import { notifications } from "@mantine/notifications";
import type { Profile } from "#client/index.ts";
import { addSession } from "../api/actions.ts";
import { emulator } from "../api/emulator.ts";
import { shownName } from "../api/profile.ts";
import { announce } from "./announcer.tsx";
import { CopyButton, copyText } from "./copy.tsx";

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
