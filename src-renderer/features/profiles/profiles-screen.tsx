import { Button, Kbd } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { anyProfileQuery, type ProfileList, profilePageQuery } from "../../api/profile-pages.ts";
import { appsQuery, profileQuery } from "../../api/queries.ts";
import type { Profile } from "../../api/records.ts";
import { useAddress } from "../../ui/address.ts";
import { DetailPanel } from "../../ui/detail-panel.tsx";
import { useKeys } from "../../ui/keys.ts";
import { Screen } from "../../ui/screen.tsx";
import { Empty, Failed, LoadingRows } from "../../ui/states.tsx";
import { useDeletion } from "./deletion.ts";
import { DeletionStrip } from "./deletion-strip.tsx";
import { EmptyProfiles } from "./empty-profiles.tsx";
import { ProfileDetail } from "./profile-detail.tsx";
import { ProfileForm } from "./profile-form.tsx";
import { keyOf, placeOf, readPlace } from "./profile-place.ts";
import { ProfileTable } from "./profile-table.tsx";
import { useSelection } from "./selection.ts";
import { SelectionStrip } from "./selection-strip.tsx";
import { readSort, sortWords } from "./sort.ts";

const PAUSE_MS = 150;

/** Every profile: found, sorted, changed, deleted and put back. */
export const ProfilesScreen = () => {
  const { address, hrefWith, go } = useAddress();
  const [text] = useDebouncedValue(address.q.trim(), PAUSE_MS);
  const list: ProfileList = { appId: address.app, text, sort: readSort(address.show) };
  const first = useQuery({ ...profilePageQuery(list, 1), placeholderData: keepPreviousData });
  const apps = useQuery(appsQuery()).data?.items ?? [];
  const place = readPlace(address.id, address.app);
  const named = place.kind === "profile" ? place : null;
  const userId = named?.userId ?? "";
  // A link may name a user without an app.
  const anywhere = useQuery({ ...anyProfileQuery(userId), enabled: named?.appId === null });
  const appOfOpen = named?.appId ?? anywhere.data?.appId;
  const opened = useQuery({
    ...profileQuery(appOfOpen ?? "", userId),
    enabled: named !== null && appOfOpen !== undefined,
  });
  const gone = opened.data === null || (named?.appId === null && anywhere.data === null);
  const open = named === null ? undefined : (opened.data ?? undefined);
  const selection = useSelection();
  const { remove } = useDeletion();
  const total = first.data?.total ?? 0;
  const creating = hrefWith({ id: "new" });
  const close = (): void => go({ id: null });
  const hrefOf = (profile: Profile): string => hrefWith({ id: placeOf(profile, address.app) });

  const removeNow = (profiles: readonly Profile[], stale: boolean): void => {
    if (profiles.length === 0 || remove.isPending) return;
    remove.mutate(
      { profiles, stale },
      {
        onSuccess: () => {
          if (open !== undefined && profiles.some((one) => keyOf(one) === keyOf(open))) close();
          if (profiles.length > 1 || selection.profiles.size > 0) selection.clear();
        },
      },
    );
  };
  const removeSelected = (): void => removeNow([...selection.profiles.values()], selection.isStale());
  useKeys({
    n: () => go({ id: "new" }),
    escape: () => (place.kind === "none" && selection.profiles.size > 0 ? selection.clear() : false),
  });

  const content = (): ReactNode => {
    if (first.isPending) return <LoadingRows />;
    if (first.isError && first.data === undefined)
      return <Failed error={first.error} onRetry={() => void first.refetch()} />;
    if (total === 0 && text === "" && !first.isPlaceholderData) return <EmptyProfiles />;
    if (total === 0)
      return (
        <Empty title={`Nothing found for “${text}”`}>
          <p>The search looks into names, numbers, addresses, user ids and metadata.</p>
          <Button onClick={() => go({ q: "" })}>Show all profiles</Button>
        </Empty>
      );
    return (
      <ProfileTable
        list={list}
        total={total}
        apps={apps}
        selection={selection}
        openKey={open === undefined ? null : keyOf(open)}
        hrefOf={hrefOf}
        onOpen={(profile) => go({ id: placeOf(profile, address.app) })}
        onEdit={(profile) => go({ id: placeOf(profile, address.app, true) })}
        onSort={(show) => go({ show }, { replace: true })}
        onDelete={(profile) => {
          if (selection.profiles.size > 0) removeSelected();
          else if (profile !== undefined) removeNow([profile], false);
        }}
      />
    );
  };

  const detail = (): ReactNode => {
    const app = apps.find((one) => one.appId === (open?.appId ?? address.app)) ?? apps[0];
    if (place.kind === "new" && app !== undefined)
      return (
        <ProfileForm
          key="new"
          profile={null}
          apps={address.app === null ? apps : [app]}
          appId={app.appId}
          onSaved={(profile) => go({ id: placeOf(profile, address.app) }, { replace: true })}
          onClose={close}
        />
      );
    if (named !== null && gone)
      return (
        <DetailPanel label="No such profile" onClose={close}>
          <h2>There is no such profile</h2>
          <p>It was deleted, or it belongs to another app.</p>
        </DetailPanel>
      );
    if (open === undefined || named === null) return undefined;
    const back = (): void => go({ id: placeOf(open, address.app) }, { replace: true });
    if (named.editing)
      return (
        <ProfileForm
          key={`edit ${keyOf(open)}`}
          profile={open}
          apps={apps}
          appId={open.appId}
          onSaved={back}
          onClose={back}
        />
      );
    return (
      <ProfileDetail
        key={keyOf(open)}
        profile={open}
        app={app}
        editHref={hrefWith({ id: placeOf(open, address.app, true) })}
        onDelete={() => removeNow([open], false)}
        onClose={close}
      />
    );
  };

  const note = (
    <>{total > 0 && `${total.toLocaleString("en")} ${text === "" ? "in all" : "found"} · ${sortWords(list.sort)}`}</>
  );
  return (
    <Screen
      title="Profiles"
      tools={
        <Button component={Link} href={creating} rightSection={<Kbd>n</Kbd>}>
          New profile
        </Button>
      }
      note={note}
      detail={detail()}
    >
      <DeletionStrip />
      <SelectionStrip
        selection={selection}
        total={total}
        deleting={remove.isPending}
        onAll={() => selection.all(list)}
        onDelete={removeSelected}
      />
      {content()}
    </Screen>
  );
};
