import { TextInput, UnstyledButton } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { sendPasscode } from "../api/actions.ts";
import { appsQuery, profileSearchQuery } from "../api/queries.ts";
import type { Profile } from "../api/records.ts";
import { wordsOf } from "../api/request-failed.ts";
import { useAddress } from "../ui/address.ts";
import { complain } from "../ui/complain.ts";
import { Dialog } from "../ui/dialog.tsx";
import { showDialog } from "../ui/dialogs.ts";
import { recipientText } from "../ui/phone.ts";
import classes from "./send-dialog.module.css";

const SHOWN = 8;
const PAUSE_MS = 120;

/** The users to choose from, by search. */
const Recipients = () => {
  const { address, go } = useAddress();
  const [text, setText] = useState("");
  const [searched] = useDebouncedValue(text, PAUSE_MS);
  const apps = useQuery(appsQuery()).data?.items ?? [];
  const found = useQuery({
    ...profileSearchQuery(address.app, searched, SHOWN),
    placeholderData: keepPreviousData,
  });
  const send = useMutation({
    mutationFn: (profile: Profile) => sendPasscode(profile.appId, profile.userId),
    onSuccess: (passcode) => {
      showDialog(null);
      const app = address.app === null ? null : passcode.appId;
      go({ screen: "inbox", id: passcode.id, app, show: null, q: "" });
    },
    onError: complain,
  });
  const appOf = (profile: Profile) => apps.find((app) => app.appId === profile.appId);
  const usernameOf = (profile: Profile): string => {
    const username = profile[appOf(profile)?.strategy ?? "phone"];
    return username === null ? "no username" : recipientText(username);
  };
  const profiles = found.data?.items ?? [];
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (profiles[0] !== undefined) send.mutate(profiles[0]);
      }}
    >
      <TextInput
        data-autofocus
        aria-label="Find a user"
        placeholder="Name, phone or email; Enter takes the first"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <ul className={classes.people} aria-label="Users">
        {profiles.map((profile) => (
          <li key={profile.userId}>
            <UnstyledButton className={classes.person} disabled={send.isPending} onClick={() => send.mutate(profile)}>
              <span className={classes.name}>
                <bdi>{profile.name ?? "No name"}</bdi>
              </span>
              <span className={`mono ${classes.to}`}>{usernameOf(profile)}</span>
              {address.app === null && apps.length > 1 && (
                <bdi className={classes.app}>{appOf(profile)?.name ?? profile.appId}</bdi>
              )}
            </UnstyledButton>
          </li>
        ))}
      </ul>
      {found.isError && <p role="alert">{wordsOf(found.error)}</p>}
      {found.isSuccess && profiles.length === 0 && (
        <p className={classes.none}>
          {searched === "" ? "This app has no users yet." : `Nobody found for “${searched}”.`}
        </p>
      )}
    </form>
  );
};

/** Chooses a user and sends a passcode, as the app would. */
export const SendDialog = () => (
  <Dialog name="send" title="Send a test code to">
    <Recipients />
  </Dialog>
);
