import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { effectiveSettings } from "#contract/settings.ts";
import { appsQuery } from "../../api/queries.ts";
import type { App, Profile } from "../../api/records.ts";
import { wordsOf } from "../../api/request-failed.ts";
import { addSession } from "../../api/tokens.ts";
import { useAddress } from "../../ui/address.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { showDialog } from "../../ui/dialogs.ts";
import { useNow } from "../../ui/now.ts";
import { exactWords } from "../../ui/time-words.ts";
import { UserSearch } from "../../ui/user-search.tsx";
import { lifetimeWords, readLifetime } from "./lifetime-words.ts";
import classes from "./new-session-dialog.module.css";

const Fields = ({ apps, first }: { readonly apps: readonly App[]; readonly first: App }) => {
  const { address, go } = useAddress();
  const [app, setApp] = useState(first);
  const [user, setUser] = useState<Profile | null>(null);
  const [lifetime, setLifetime] = useState("");
  const nowMs = useNow(app.appId);
  const own = effectiveSettings(app.settings).session.ttlSeconds;
  const seconds = lifetime.trim() === "" ? own : readLifetime(lifetime);
  const ends = seconds === null ? "" : exactWords(new Date(nowMs + seconds * 1_000).toISOString());
  const make = useMutation({
    mutationFn: ({ userId }: Profile) =>
      addSession(app.appId, userId, lifetime.trim() === "" ? undefined : (seconds ?? undefined)),
    onSuccess: ({ id }) => {
      showDialog(null);
      go({ screen: "sessions", id, app: address.app === null ? null : app.appId, show: null, q: "" });
    },
  });
  return (
    <div className={classes.fields}>
      {apps.length > 1 && (
        <NativeSelect
          label="App"
          data={apps.map(({ appId, name }) => ({ value: appId, label: name }))}
          value={app.appId}
          onChange={(event) => {
            setApp(apps.find((one) => one.appId === event.currentTarget.value) ?? app);
            setUser(null);
          }}
        />
      )}
      <TextInput
        label="How long it lasts"
        placeholder={`${lifetimeWords(own)}, as the app’s sessions do`}
        description={
          seconds === null
            ? "Such as 30 s, 5 min, 1 hour or 2 days"
            : `${lifetimeWords(seconds)}: ends ${ends}, by the app’s clock`
        }
        error={seconds === null ? "This is no length of time up to a year" : undefined}
        value={lifetime}
        onChange={(event) => setLifetime(event.currentTarget.value)}
      />
      <div>
        <p className={classes.label}>User</p>
        <UserSearch
          key={app.appId}
          appId={app.appId}
          disabled={make.isPending}
          chosenId={user?.userId ?? ""}
          onChoose={setUser}
        />
      </div>
      {make.isError && (
        <p role="alert" className={classes.error}>
          {wordsOf(make.error)}
        </p>
      )}
      <Button
        variant="filled"
        disabled={user === null || seconds === null}
        loading={make.isPending}
        onClick={() => user && make.mutate(user)}
      >
        {user === null ? "Choose a user" : `Sign in ${user.name ?? "this user"}`}
      </Button>
    </div>
  );
};

/** Signs a user in without a passcode: app, user, and how long. */
export const NewSessionDialog = () => {
  const { address } = useAddress();
  const apps = useQuery(appsQuery()).data?.items ?? [];
  const first = apps.find((app) => app.appId === address.app) ?? apps[0];
  return (
    <Dialog name="session" title="Make a session without a passcode">
      {first && <Fields apps={apps} first={first} />}
    </Dialog>
  );
};
