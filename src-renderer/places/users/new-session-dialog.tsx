import { Input, Stack, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { App, Profile } from "#client/index.ts";
import { effectiveSettings } from "#contract/service/effective-settings.ts";
import { addSession } from "../../api/actions.ts";
import { useApps } from "../../api/queries.ts";
import { lifetimeWords, readLifetime } from "../../shared/session/session-words.ts";
import { closeDialog, openDialog, textField } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { useNow } from "../../ui/parts.tsx";
import { Wrong } from "../../ui/screen.tsx";
import { AppSelect, UserSearch } from "../../ui/users.tsx";
import { exactWords } from "../../ui/words.ts";

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
      go({ screen: "users/sessions", id, app: address.app === null ? null : app.appId, show: null, q: "" });
    },
  });
  return (
    <Stack gap={16}>
      {apps.length > 1 && (
        <AppSelect
          apps={apps}
          {...textField(app.appId, (text) => setApp(apps.find((one) => one.appId === text) ?? app))}
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
        {...textField(lifetime, setLifetime)}
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
  const { apps, appOf } = useApps();
  const first = appOf(useAddress().address.app) ?? apps[0];
  return first && <Fields apps={apps} first={first} />;
};

/** Signs a user in without a passcode: app, lifetime, user. */
export const openNewSession = (): void => openDialog("Sign in without a code", <NewSession />);
