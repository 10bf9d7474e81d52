import { NativeSelect, type NativeSelectProps, TextInput, UnstyledButton } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { App, Profile } from "#client/index.ts";
import type { Status } from "#contract/control/status.ts";
import { finds } from "#contract/words/fold.ts";
import { recipientText } from "#contract/words/phone-words.ts";
import { cache } from "../api/cache.ts";
import { profileSearchQuery, shownName, statusQuery, useApps, usernameOf } from "../api/queries.ts";
import { onSubmit, TextButton, textField, useAction } from "./action.tsx";
import { useAddress } from "./address.ts";
import { CodeBlock } from "./code.tsx";
import { LinkLines } from "./parts.tsx";
import { Empty, Wrong } from "./screen.tsx";
import { askForCode, usernameToTry } from "./wire-shape.ts";

const MOST = 1_000;

/** @returns whether the search matches a row: by its own texts, or by its user (the server searches names). */
export const useFound = (appId: string | null, q: string): ((userId: string, texts: readonly string[]) => boolean) => {
  const text = q.trim().toLowerCase();
  const { data } = useQuery({ ...profileSearchQuery(appId, text, MOST), enabled: text !== "" });
  if (text === "") return () => true;
  const users = new Set(data?.items.map((profile) => profile.userId));
  // A code or a number, as people write it.
  const digits = text.replaceAll(/[\s-]/g, "");
  const [isIn, hasDigits] = [finds(text), finds(digits)];
  return (userId, texts) => users.has(userId) || texts.some((own) => isIn(own) || (digits !== "" && hasDigits(own)));
};

const SHOWN = 8;
const PAUSE_MS = 120;

interface UserSearchProps {
  readonly appId: string | null;
  readonly disabled: boolean;
  readonly onChoose: (profile: Profile) => void;
  readonly none?: (text: string) => ReactNode;
}

/** A user picker with search. Enter picks the first match. */
export const UserSearch = ({ appId, disabled, onChoose, none }: UserSearchProps) => {
  const [text, setText] = useState("");
  const [searched] = useDebouncedValue(text, PAUSE_MS);
  const { apps, appOf, appName } = useApps();
  const found = useQuery({ ...profileSearchQuery(appId, searched, SHOWN), placeholderData: keepPreviousData });
  const profiles = found.data?.items ?? [];
  const isShown = text === searched && found.isSuccess && !found.isPlaceholderData;
  /** Picks the first match for the current text, even while the matches of the previous text are shown. */
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
        {...textField(text, setText)}
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

/** An app picker. */
export const AppSelect = ({ apps, ...select }: NativeSelectProps & { readonly apps: readonly App[] }) => (
  <NativeSelect label="App" data={apps.map(({ appId, name }) => ({ value: appId, label: name }))} {...select} />
);

/** In an empty list: the first step if there are no apps yet; otherwise nothing. */
export const NoApps = () => {
  const { hrefTo } = useAddress();
  const { list } = useApps();
  if (list.data?.items.length !== 0) return null;
  return (
    <>
      <p>Create an app first: users, codes and sessions belong to an app.</p>
      <TextButton variant="filled" href={hrefTo("setup/apps", { show: "new", app: null })} label="Create app" />
    </>
  );
};

interface NoUsersProps {
  readonly title: string;
  readonly words: string;
  /** Whether the command is for the first existing user, instead of a sign-up. */
  readonly known?: boolean;
  readonly first?: ReactNode;
  readonly children?: (around: { status: Status; app: App; profile: Profile | undefined }) => ReactNode;
}

/** An empty list that the first login fills: explains it, and offers a command for it. */
export const NoUsers = ({ title, words, known = false, first, children }: NoUsersProps) => {
  const { address } = useAddress();
  const { data: status } = useQuery(statusQuery());
  const { apps, appOf } = useApps();
  const app = appOf(address.app) ?? apps[0];
  const oldest = profileSearchQuery(app?.appId ?? null, "", 1);
  const { data: found } = useQuery({ ...oldest, enabled: known && app !== undefined });
  const profile = found?.items[0];
  return (
    <Empty title={title}>
      {first}
      <p>{words}</p>
      {status && app && (found || !known) && (
        <>
          <CodeBlock what="Command" text={askForCode(status, app, usernameToTry(app, profile))} />
          {children?.({ status, app, profile })}
        </>
      )}
      <NoApps />
    </Empty>
  );
};
