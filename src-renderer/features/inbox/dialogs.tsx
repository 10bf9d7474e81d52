import { Button, Group, Stack, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { App, Profile } from "#client/index.ts";
import { saveProfile, sendPasscode } from "../../api/actions.ts";
import { explain, fieldsOf } from "../../api/emulator.ts";
import { nameOf, useApps, useProfile } from "../../api/profile.ts";
import { ActionButton, onSubmit, useAction } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { closeDialog, openDialog } from "../../ui/dialogs.tsx";
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

interface TestCodeProps {
  readonly appId: string;
  readonly userId: string;
  /** What stands in the field of a user who has none yet. */
  readonly suggested: string;
}

const TestCode = ({ appId, userId, suggested }: TestCodeProps) => {
  const fixed = useProfile(appId, userId)?.testPasscode ?? null;
  const [typed, setTyped] = useState(fixed ?? suggested);
  const set = useMutation({
    mutationFn: (code: string | null) => saveProfile({ appId, userId }, { testPasscode: code }),
    onSuccess: closeDialog,
  });
  const fault = set.isError ? (fieldsOf(set.error)["testPasscode"]?.join(", ") ?? explain(set.error)) : null;
  return (
    <form {...onSubmit(() => set.mutate(typed))}>
      <TextInput
        data-autofocus
        label="Fixed code"
        description="Sent to this user each time. It signs in at any time, also without sending one."
        classNames={{ input: "mono" }}
        inputMode="numeric"
        value={typed}
        error={fault}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Group mt={12}>
        <Button type="submit" variant="filled" loading={set.isPending}>
          Save
        </Button>
        {fixed !== null && (
          <Button loading={set.isPending} onClick={() => set.mutate(null)}>
            Clear
          </Button>
        )}
      </Group>
    </form>
  );
};

/** Sets or clears the fixed code of a user. @param suggested what stands in the field of one who has none yet. */
export const openTestCode = (profile: Profile, suggested: string): void =>
  openDialog(
    `Fixed code of ${nameOf(profile)}`,
    <TestCode appId={profile.appId} userId={profile.userId} suggested={suggested} />,
  );
