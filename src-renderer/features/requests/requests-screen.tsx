import { Box, Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { clearRequests } from "../../api/actions.ts";
import { useLiveList } from "../../api/live-list.ts";
import { useApps } from "../../api/profile.ts";
import { passcodeList, requestQuery, requestsQuery, statusQuery } from "../../api/queries.ts";
import { ActionButton } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { FilterChips } from "../../ui/chips.tsx";
import { foldRetries } from "../../ui/fold.ts";
import { Gone } from "../../ui/list-screen.tsx";
import { RecordList } from "../../ui/record-list.tsx";
import { useCurrentRow } from "../../ui/row-list.ts";
import { Screen } from "../../ui/screen.tsx";
import { Empty, Failed, LoadingRows } from "../../ui/states.tsx";
import { EmptyRequests } from "./empty-requests.tsx";
import { isOfApp, passesQuery, readQuery, serverFilter, type Term } from "./query.ts";
import { QueryChips } from "./query-chips.tsx";
import { RequestDetail } from "./request-detail.tsx";
import { RequestLine } from "./request-line.tsx";
import { type Story, storiesOf } from "./stories.ts";
import { StoryDetail, StoryRow } from "./story-row.tsx";

const ROW_HEIGHT = 52;
const FIRST_PAGE = 200;
const ALL = 1_000;
const FILTERS = [
  [null, "All"],
  ["failed", "Failed"],
  ["succeeded", "Succeeded"],
  ["logins", "Logins"],
] as const;

const passesShow = (status: number, show: string | null): boolean =>
  show === null || show === "logins" || (status >= 400 || status === 0) === (show === "failed");

const COLUMNS = ["56px minmax(0, 1fr) minmax(0, 112px) 60px 64px", "52px minmax(0, 1fr) 60px"] as const;
const STORY_COLUMNS = ["104px minmax(0, 1fr) minmax(0, 1.4fr) 64px", "96px minmax(0, 1fr) 60px"] as const;
/** Fewer rows of the chosen app among those first read, and all are read. */
const FEW = 50;

/** @returns whether the query lets a login through: by its recipient, or by one of its requests. */
const isFound = ({ to, rows }: Story, terms: readonly Term[]): boolean =>
  terms.every(({ field, text }) => field === null && to.includes(text)) || rows.some((row) => passesQuery(row, terms));

/** Every request of admin and auth, newest first. */
export const RequestsScreen = () => {
  const { address, hrefWith, go } = useAddress();
  const terms = readQuery(address.q);
  // What only this page can look for needs all rows to look through.
  const filtered = terms.length > 0 || address.show !== null;
  const [wanted, setWanted] = useState(FIRST_PAGE);
  const list = useQuery(requestsQuery(serverFilter(terms, address.app), filtered ? ALL : wanted));
  const { apps, appOf } = useApps();
  const { data: status } = useQuery(statusQuery());
  const read = list.data?.items ?? [];
  const total = list.data?.total ?? 0;
  const rows = read.filter((row) => isOfApp(row, address.app));
  const isFew = rows.length < FEW && read.length < total && wanted < ALL;
  useEffect(() => {
    if (isFew) setWanted(ALL);
  }, [isFew]);
  const all = foldRetries(rows.filter((row) => passesShow(row.status, address.show) && passesQuery(row, terms)));
  const isStories = address.show === "logins";
  const passcodes = useLiveList(passcodeList, address.app, isStories).data?.items ?? [];
  const stories = isStories ? storiesOf(rows, apps, passcodes).filter((story) => isFound(story, terms)) : [];
  const story = stories.find(({ id }) => id === address.id);
  const storyRow = useCurrentRow(stories, story);
  const clear = (): Promise<void> => clearRequests().then(() => go({ id: null, show: null, q: "" }));

  // A link may point at a row beyond the first page, or that the filter leaves out.
  const group = all.find((one) => one.rows.some((row) => row.id === address.id));
  const listed = group?.rows.find((row) => row.id === address.id);
  const linked = useQuery({
    ...requestQuery(address.id ?? ""),
    enabled: address.id !== null && list.isSuccess && listed === undefined && story === undefined,
  });
  const selected = listed ?? (address.id === null ? undefined : (linked.data ?? undefined));
  const row = useCurrentRow(all, group);

  const close = (): void => {
    if (group !== undefined) row.setCurrentId(group.id);
    go({ id: null });
  };
  const isGone = address.id !== null && story === undefined && selected === undefined && linked.data === null;
  const detail = () => {
    if (story !== undefined)
      return (
        <StoryDetail
          story={story}
          apps={apps}
          passcodes={passcodes}
          consoleUrl={status?.urls.console ?? ""}
          onClose={close}
        />
      );
    if (selected === undefined) return isGone && <Gone noun="request" onClose={close} />;
    return (
      <RequestDetail key={selected.id} row={selected} retries={group?.rows ?? [selected]} apps={apps} onClose={close} />
    );
  };

  const content = () => {
    // What was read before outlives a reading that failed.
    if (list.data === undefined)
      return list.isError ? <Failed error={list.error} onRetry={() => void list.refetch()} /> : <LoadingRows />;
    const isEmpty = (isStories ? stories : all).length === 0;
    if (isEmpty && total === 0) return <EmptyRequests />;
    if (isEmpty)
      return (
        <Empty title={address.q === "" ? "No request matches this filter" : `Nothing found for “${address.q}”`}>
          <Button onClick={() => go({ show: null, q: "" })}>Show all</Button>
        </Empty>
      );
    if (isStories)
      return (
        <RecordList
          label="Logins"
          items={stories}
          all={stories}
          columns={STORY_COLUMNS}
          row={storyRow}
          renderRow={(one, focus) => (
            <StoryRow
              story={one}
              apps={apps}
              focus={focus}
              href={hrefWith({ id: one.id })}
              selected={one.id === story?.id}
            />
          )}
        />
      );
    return (
      <RecordList
        label="Requests"
        items={all}
        all={all}
        rowHeight={ROW_HEIGHT}
        columns={COLUMNS}
        row={row}
        renderRow={(folded, focus) => (
          <RequestLine
            folded={folded}
            focus={focus}
            href={hrefWith({ id: folded.newest.id })}
            selected={folded.id === group?.id}
            apps={apps}
            appName={
              address.app === null && apps.length > 1
                ? (appOf(folded.newest.appId)?.name ?? folded.newest.appId ?? undefined)
                : undefined
            }
          />
        )}
      />
    );
  };

  const some = rows.length > 0 || filtered;
  return (
    <Screen
      title="Requests"
      tools={
        some && (
          <>
            <FilterChips label="Which requests" choices={FILTERS} />
            <Box flex="none">
              <ActionButton label="Clear" ask={{ title: "Clear the request log?" }} act={clear} />
            </Box>
          </>
        )
      }
      note={
        some &&
        (read.length < total ? (
          <Button variant="subtle" onClick={() => setWanted(ALL)}>
            Newest {read.length}, show all {total}
          </Button>
        ) : (
          "Newest first"
        ))
      }
      detail={detail()}
    >
      <QueryChips />
      {content()}
    </Screen>
  );
};
