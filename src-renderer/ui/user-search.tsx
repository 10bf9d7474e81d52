import { TextInput, UnstyledButton } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { Profile } from "#client/index.ts";
import { emulator, explain, ofApp } from "../api/emulator.ts";
import { shownName, useApps, usernameOf } from "../api/profile.ts";
import { profileSearchQuery } from "../api/queries.ts";
import { useAction } from "./action.tsx";
import { LinkLines } from "./lines.tsx";
import { recipientText } from "./phone.ts";

const SHOWN = 8;
const PAUSE_MS = 120;

interface UserSearchProps {
  /** Whose users; null: of all apps. */
  readonly appId: string | null;
  readonly disabled: boolean;
  readonly onChoose: (profile: Profile) => void;
  /** What can be done where nobody is found for a text. */
  readonly none?: (text: string) => ReactNode;
}

/** The users to choose from, by search. Enter takes the first. */
export const UserSearch = ({ appId, disabled, onChoose, none }: UserSearchProps) => {
  const [text, setText] = useState("");
  const [searched] = useDebouncedValue(text, PAUSE_MS);
  const { apps, appOf, appName } = useApps();
  const found = useQuery({ ...profileSearchQuery(appId, searched, SHOWN), placeholderData: keepPreviousData });
  const profiles = found.data?.items ?? [];
  const isShown = text === searched && found.isSuccess && !found.isPlaceholderData;
  /** Chooses the first whom the text finds, also while those are shown whom the text before found. */
  const chooseFirst = async (): Promise<void> => {
    const q = text === "" ? {} : { q: text };
    const [first] = isShown ? profiles : (await emulator.profiles.list({ ...ofApp(appId), ...q, limit: 1 })).items;
    if (first !== undefined) onChoose(first);
  };
  const { run } = useAction(chooseFirst);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!disabled) run();
      }}
    >
      <TextInput
        data-autofocus
        aria-label="Find a user"
        placeholder="Name, phone or email; Enter picks the first"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <LinkLines label="Users">
        {profiles.map((profile) => (
          <li key={profile.userId}>
            <UnstyledButton disabled={disabled} onClick={() => onChoose(profile)}>
              <span>
                <bdi>{shownName(profile.name)}</bdi>{" "}
                {appId === null && apps.length > 1 && <bdi className="small">{appName(profile.appId)}</bdi>}
              </span>
              <span className="mono small">
                {recipientText(usernameOf(appOf(profile.appId), profile) ?? "no username")}
              </span>
            </UnstyledButton>
          </li>
        ))}
      </LinkLines>
      {found.isError && <p role="alert">{explain(found.error)}</p>}
      {found.isSuccess && profiles.length === 0 && (
        <>
          <p className="dim">{searched === "" ? "This app has no users yet." : `No user found for “${searched}”.`}</p>
          {searched !== "" && none?.(searched)}
        </>
      )}
    </form>
  );
};
