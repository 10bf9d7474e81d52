import { Button } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Profile } from "#client/index.ts";
import { counted } from "#contract/words/words.ts";
import { keyOf, type ProfileList, profilePageQuery } from "../../api/profile-pages.ts";
import { profileQuery, useApps } from "../../api/queries.ts";
import { TextButton } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { useKeys } from "../../ui/keys.ts";
import { Gone } from "../../ui/list-screen.tsx";
import { Empty, Loaded, Screen } from "../../ui/screen.tsx";
import { NoUsers } from "../../ui/users.tsx";
import { ProfileDetail } from "./profile-detail.tsx";
import { ProfileForm } from "./profile-form.tsx";
import { ProfileTable } from "./profile-table.tsx";
import { type ProfilePart, placeOf, readPlace, readSort } from "./profile-words.ts";
import { SelectionBar, useDeletion, useSelection } from "./selection.tsx";

const PAUSE_MS = 150;

/** All profiles: search, sort, update, delete and restore. */
export const ProfilesScreen = () => {
  const { address, hrefWith, go } = useAddress();
  const [text] = useDebouncedValue(address.q.trim(), PAUSE_MS);
  const list: ProfileList = { appId: address.app, text, sort: readSort(address.show) };
  const first = useQuery({ ...profilePageQuery(list, 1), placeholderData: keepPreviousData });
  const { apps, appOf } = useApps();
  const place = readPlace(address.id, address.app);
  // A link may omit the app. Null: there is no such profile.
  const { appId = null, userId = "" } = place.kind === "profile" ? place : {};
  const { data: named } = useQuery({ ...profileQuery(appId, userId), enabled: place.kind === "profile" });
  const open = named ?? undefined;
  const selection = useSelection();
  const remove = useDeletion();
  const total = first.data?.total ?? 0;
  const app = appOf(open?.appId ?? address.app) ?? apps[0];
  const close = (): void => go({ id: null });
  // Newest first, so that it is visible in the list.
  const onCreated = (profile: Profile): void =>
    go({ id: placeOf(profile, address.app), show: "-createdAt", q: "" }, { replace: true });

  const removeNow = (profiles: readonly Profile[]): void => {
    if (profiles.length === 0 || remove.isPending) return;
    const onSuccess = (): void => {
      if (open !== undefined && profiles.some((one) => keyOf(one) === keyOf(open))) close();
      if (profiles.length > 1 || selection.profiles.size > 0) selection.clear();
    };
    remove.mutate(profiles, { onSuccess });
  };
  const removeSelected = (): void => removeNow([...selection.profiles.values()]);
  useKeys({
    n: () => go({ id: "new" }),
    escape: () => (place.kind === "none" && selection.profiles.size > 0 ? selection.clear() : false),
  });
  const content = (): ReactNode => {
    if (total === 0 && text === "" && !first.isPlaceholderData)
      return (
        <NoUsers
          title="No users yet"
          words="Users appear here when they sign up. You can also create, import or generate them."
        />
      );
    if (total === 0)
      return (
        <Empty title={`Nothing found for “${text}”`}>
          <p>The search covers names, phone numbers, emails, user ids and metadata.</p>
          <Button onClick={() => go({ q: "" })}>Show all users</Button>
        </Empty>
      );
    return (
      <ProfileTable
        list={list}
        total={total}
        selection={selection}
        openKey={open === undefined ? null : keyOf(open)}
        onDelete={(profile) => {
          if (selection.profiles.size > 0) removeSelected();
          else if (profile !== undefined) removeNow([profile]);
        }}
      />
    );
  };

  const detail = (): ReactNode => {
    if (place.kind === "new" && app !== undefined) {
      const choice = address.app === null ? apps : [app];
      return (
        <ProfileForm key="new" profile={null} apps={choice} appId={app.appId} onSaved={onCreated} onClose={close} />
      );
    }
    if (named === null) return <Gone noun="user" onClose={close} />;
    if (open === undefined || place.kind !== "profile") return undefined;
    const idOf = (part: ProfilePart | null) => placeOf(open, address.app, part);
    const back = (): void => go({ id: idOf(null) }, { replace: true });
    const key = keyOf(open);
    return place.part === "edit" ? (
      <ProfileForm key={`edit ${key}`} profile={open} apps={apps} appId={open.appId} onSaved={back} onClose={back} />
    ) : (
      <ProfileDetail
        key={key}
        profile={open}
        part={place.part}
        hrefOf={(part) => hrefWith({ id: idOf(part) })}
        onDelete={() => removeNow([open])}
        onClose={close}
      />
    );
  };

  const isSelecting = selection.profiles.size > 0 || selection.reading;
  return (
    <Screen
      title="Users"
      tools={
        <TextButton ms="auto" href={hrefWith({ id: "new" })} label="New" aria-label="New user" aria-keyshortcuts="n" />
      }
      note={text !== "" && total > 0 && `${counted(total)} found`}
      over={
        isSelecting && (
          <SelectionBar selection={selection} total={total} deleting={remove.isPending} onDelete={removeSelected} />
        )
      }
      detail={detail()}
    >
      <Loaded of={first}>{content}</Loaded>
    </Screen>
  );
};
