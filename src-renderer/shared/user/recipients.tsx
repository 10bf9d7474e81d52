import { Stack } from "@mantine/core";
import type { App, Profile } from "#client/index.ts";
import { type UsernameField, usernameField } from "#contract/service/strategies.ts";
import { phoneValue } from "#contract/words/phone-words.ts";
import { requestPasscode, saveProfile } from "../../api/actions.ts";
import { useApps } from "../../api/queries.ts";
import { ActionButton, closeDialog, useAction } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { UserSearch } from "../../ui/users.tsx";

const READ: Readonly<Record<UsernameField, (text: string) => RegExpExecArray | null>> = {
  phone: (text) => /^\+\d{7,15}$/.exec(phoneValue(text)),
  email: (text) => /^[^\s@]+@[^\s@]+$/.exec(text),
};

/** @returns a typed username of the app; undefined if it does not look like one. The server validates it. */
const usernameIn = (text: string, app: App): string | undefined => READ[usernameField(app)](text.trim())?.[0];

/** A user picker, with an option to create a user if none matches. */
export const Recipients = () => {
  const { address, go } = useAddress();
  const { apps } = useApps();
  const send = useAction(async ({ appId, userId }: Profile) => {
    await requestPasscode(appId, userId);
    closeDialog();
    go({ screen: "codes", id: null, app: address.app === null ? null : appId, show: null, q: "" });
  });
  const create = async (app: App, username: string): Promise<unknown> =>
    send.run(await saveProfile({ appId: app.appId, userId: null }, { [usernameField(app)]: username }));
  return (
    <UserSearch
      appId={address.app}
      disabled={send.busy}
      onChoose={send.run}
      none={(text) => (
        <Stack mt={8} align="start">
          {apps.map((app) => {
            const username = address.app === null || app.appId === address.app ? usernameIn(text, app) : undefined;
            return (
              username !== undefined && (
                <ActionButton
                  key={app.appId}
                  variant="filled"
                  label={`Create ${username} in ${app.name} and send`}
                  act={() => create(app, username)}
                />
              )
            );
          })}
        </Stack>
      )}
    />
  );
};
