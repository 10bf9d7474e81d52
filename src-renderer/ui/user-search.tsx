import { TextInput, UnstyledButton } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { Profile } from "#client/index.ts";
import { cache } from "../api/cache.ts";
import { shownName, useApps, usernameOf } from "../api/profile.ts";
import { profileSearchQuery } from "../api/queries.ts";
import { onSubmit, useAction } from "./action.tsx";
import { LinkLines } from "./facts.tsx";
import { recipientText } from "./phone.ts";
import { Wrong } from "./states.tsx";

const MOST = 1_000;

/** @returns what says whether the search finds a row: by one of its own texts, or by whose it is (names are searched by the server). */
export const useFound = (appId: string | null, q: string): ((userId: string, texts: readonly string[]) => boolean) => {
  const text = q.trim().toLowerCase();
  const { data } = useQuery({ ...profileSearchQuery(appId, text, MOST), enabled: text !== "" });
  if (text === "") return () => true;
  const users = new Set(data?.items.map((profile) => profile.userId));
  const digits = text.replaceAll(/[\s-]/g, "");
  return (userId, texts) =>
    users.has(userId) || (digits !== "" && texts.some((own) => own.toLowerCase().includes(digits)));
};

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
  const { run } = useAction(async () => {
    const read = () => cache.fetchQuery(profileSearchQuery(appId, text, SHOWN));
    const [first] = isShown ? profiles : (await read()).items;
    if (first !== undefined) onChoose(first);
  });
  return (
    <form {...onSubmit(() => !disabled && run())}>
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
      <Wrong error={found.error} />
      {found.isSuccess && profiles.length === 0 && (
        <>
          <p className="dim">{searched === "" ? "This app has no users yet." : `No user found for “${searched}”.`}</p>
          {searched !== "" && none?.(searched)}
        </>
      )}
    </form>
  );
};
