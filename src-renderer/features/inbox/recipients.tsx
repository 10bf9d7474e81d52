import { Stack } from "@mantine/core";
import type { App, Profile } from "#client/index.ts";
import { saveProfile, sendPasscode } from "../../api/actions.ts";
import { useApps } from "../../api/profile.ts";
import { ActionButton, useAction } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { closeDialog } from "../../ui/dialogs.tsx";
import { phoneValue } from "../../ui/phone.ts";
import { UserSearch } from "../../ui/user-search.tsx";

/** @returns what was typed as a username of the app; undefined: it is none. The server says whether it is valid. */
const usernameIn = (text: string, { strategy }: App): string | undefined => {
  const value = strategy === "phone" ? phoneValue(text.trim()) : text.trim();
  return (strategy === "phone" ? /^\+\d{7,15}$/ : /^[^\s@]+@[^\s@]+$/).test(value) ? value : undefined;
};

/** The users to choose from, and a new one where nobody is found. */
export const Recipients = () => {
  const { address, go } = useAddress();
  const { apps } = useApps();
  const send = useAction(async ({ appId, userId }: Profile) => {
    await sendPasscode(appId, userId);
    closeDialog();
    go({ screen: "inbox", id: null, app: address.app === null ? null : appId, show: null, q: "" });
  });
  const create = async ({ appId, strategy }: App, username: string): Promise<unknown> =>
    send.run(await saveProfile({ appId, userId: null }, { [strategy]: username }));
  return (
    <UserSearch
      appId={address.app}
      disabled={send.busy}
      onChoose={send.run}
      none={(text) => (
        <Stack mt={8} align="start">
          {apps
            .filter(({ appId }) => address.app === null || appId === address.app)
            .map((app) => {
              const username = usernameIn(text, app);
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
