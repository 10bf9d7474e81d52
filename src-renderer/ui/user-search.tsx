import { TextInput, UnstyledButton } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { appsQuery, profileSearchQuery } from "../api/queries.ts";
import type { Profile } from "../api/records.ts";
import { wordsOf } from "../api/request-failed.ts";
import { recipientText } from "./phone.ts";
import classes from "./user-search.module.css";

const SHOWN = 8;
const PAUSE_MS = 120;

interface UserSearchProps {
  /** Whose users; null: of all apps. */
  readonly appId: string | null;
  readonly disabled: boolean;
  /** Says that this one is chosen; the list stays. */
  readonly chosenId?: string | null;
  readonly onChoose: (profile: Profile) => void;
}

/** The users to choose from, by search. Enter takes the first. */
export const UserSearch = ({ appId, disabled, chosenId = null, onChoose }: UserSearchProps) => {
  const [text, setText] = useState("");
  const [searched] = useDebouncedValue(text, PAUSE_MS);
  const apps = useQuery(appsQuery()).data?.items ?? [];
  const found = useQuery({ ...profileSearchQuery(appId, searched, SHOWN), placeholderData: keepPreviousData });
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
        if (profiles[0] !== undefined && !disabled) onChoose(profiles[0]);
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
            <UnstyledButton
              className={classes.person}
              disabled={disabled}
              aria-pressed={chosenId === null ? undefined : profile.userId === chosenId}
              onClick={() => onChoose(profile)}
            >
              <span className={classes.name}>
                <bdi>{profile.name ?? "No name"}</bdi>
              </span>
              <span className={`mono ${classes.to}`}>{usernameOf(profile)}</span>
              {appId === null && apps.length > 1 && (
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
