import { Input, Stack, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { App, Profile } from "#client/index.ts";
import { effectiveSettings } from "#contract/effective-settings.ts";
import { addSession } from "../../api/actions.ts";
import { useApps } from "../../api/profile.ts";
import { useAddress } from "../../ui/address.ts";
import { closeDialog, openDialog } from "../../ui/dialogs.tsx";
import { AppSelect } from "../../ui/no-apps.tsx";
import { useNow } from "../../ui/now.tsx";
import { Wrong } from "../../ui/states.tsx";
import { UserSearch } from "../../ui/user-search.tsx";
import { exactWords } from "../../ui/words.ts";
import { lifetimeWords, readLifetime } from "./session-words.ts";

const Fields = ({ apps, first }: { readonly apps: readonly App[]; readonly first: App }) => {
  const { address, go } = useAddress();
  const [app, setApp] = useState(first);
  const [lifetime, setLifetime] = useState("");
  const nowMs = useNow(app.appId);
  const own = effectiveSettings(app.settings).session.ttlSeconds;
  const given = lifetime.trim() === "" ? undefined : readLifetime(lifetime);
  const seconds = given === undefined ? own : given;
  const ends = seconds === null ? "" : exactWords(new Date(nowMs + seconds * 1_000).toISOString());
  const make = useMutation({
    mutationFn: ({ userId }: Profile) => addSession(app.appId, userId, given ?? undefined),
    onSuccess: ({ id }) => {
      closeDialog();
      go({ screen: "sessions", id, app: address.app === null ? null : app.appId, show: null, q: "" });
    },
  });
  return (
    <Stack gap={16}>
      {apps.length > 1 && (
        <AppSelect
          apps={apps}
          value={app.appId}
          onChange={(event) => setApp(apps.find((one) => one.appId === event.currentTarget.value) ?? app)}
        />
      )}
      <TextInput
        label="Lifetime"
        placeholder={`${lifetimeWords(own)} (app default)`}
        description={
          seconds === null
            ? "For example 30 s, 5 min, 1 hour or 2 days"
            : `${lifetimeWords(seconds)}, expires ${ends} on the app’s clock`
        }
        error={seconds === null ? "Enter a duration of up to a year" : undefined}
        value={lifetime}
        onChange={(event) => setLifetime(event.currentTarget.value)}
      />
      <div>
        <Input.Label>User</Input.Label>
        <UserSearch
          key={app.appId}
          appId={app.appId}
          disabled={make.isPending || seconds === null}
          onChoose={(user) => make.mutate(user)}
        />
      </div>
      <Wrong error={make.error} />
    </Stack>
  );
};

const NewSession = () => {
  const { address } = useAddress();
  const { apps, appOf } = useApps();
  const first = appOf(address.app) ?? apps[0];
  return first && <Fields apps={apps} first={first} />;
};

/** Signs a user in without a passcode: app, lifetime, and a click on the user. */
export const openNewSession = (): void => openDialog("Sign in without a code", <NewSession />);
