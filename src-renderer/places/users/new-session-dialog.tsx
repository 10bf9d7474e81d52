import { Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Profile } from "#client/index.ts";
import { addSession } from "../../api/actions.ts";
import { useApps } from "../../api/queries.ts";
import { closeDialog, openDialog, textField } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { Wrong } from "../../ui/screen.tsx";
import { AppSelect, UserSearch } from "../../ui/users.tsx";

const NewSession = () => {
  const { address, go } = useAddress();
  const { apps } = useApps();
  const [chosen, setChosen] = useState(address.app);
  const app = apps.find(({ appId }) => appId === chosen) ?? apps[0];
  const make = useMutation({
    mutationFn: ({ appId, userId }: Profile) => addSession(appId, userId),
    onSuccess: ({ id, appId }) => {
      closeDialog();
      go({ screen: "users/sessions", id, app: address.app === null ? null : appId, show: null, q: "" });
    },
  });
  if (app === undefined) return null;
  return (
    <Stack gap={16}>
      {apps.length > 1 && <AppSelect apps={apps} {...textField(app.appId, setChosen)} />}
      <UserSearch key={app.appId} appId={app.appId} disabled={make.isPending} onChoose={make.mutate} />
      <Wrong error={make.error} />
    </Stack>
  );
};

/** Signs a user in without a passcode. */
export const openNewSession = (): void => openDialog("Sign in without a code", <NewSession />);
