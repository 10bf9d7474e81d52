import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { appsQuery } from "../../api/queries.ts";
import { clearRequests, requestQuery, requestsQuery } from "../../api/request-log.ts";
import { useAddress } from "../../ui/address.ts";
import { complain } from "../../ui/complain.ts";
import { ConfirmButton, useArmed } from "../../ui/confirm-button.tsx";
import { FilterChips } from "../../ui/filter-chips.tsx";
import { foldRetries } from "../../ui/fold.ts";
import { RecordList } from "../../ui/record-list.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Empty, Failed, LoadingRows } from "../../ui/states.tsx";
import { useCurrentRow } from "../../ui/use-current-row.ts";
import { EmptyRequests } from "./empty-requests.tsx";
import { passesQuery, readQuery, serverFilter } from "./query.ts";
import { QueryChips } from "./query-chips.tsx";
import { RequestDetail } from "./request-detail.tsx";
import { RequestLine } from "./request-line.tsx";

const ROW_HEIGHT = 52;
const FIRST_PAGE = 200;
const ALL = 1_000;
const FILTERS = [
  [null, "All"],
  ["refused", "Refused"],
  ["done", "Done"],
] as const;

const passesShow = (status: number, show: string | null): boolean =>
  show === null || (status >= 400 || status === 0) === (show === "refused");

/** Every request of admin and auth, newest first. */
export const RequestsScreen = () => {
  const { address, hrefWith, go } = useAddress();
  const client = useQueryClient();
  const terms = readQuery(address.q);
  // What only this page can look for needs all rows to look through.
  const filtered = terms.length > 0 || address.show !== null;
  const [wanted, setWanted] = useState(FIRST_PAGE);
  const list = useQuery(requestsQuery(serverFilter(terms, address.app), filtered ? ALL : wanted));
  const apps = useQuery(appsQuery()).data?.items ?? [];
  const rows = list.data?.items ?? [];
  const total = list.data?.total ?? 0;
  const all = foldRetries(rows.filter((row) => passesShow(row.status, address.show) && passesQuery(row, terms)));
  const [armed, setArmed] = useArmed();
  const clear = useMutation({
    mutationFn: () => clearRequests(client),
    onSuccess: () => go({ id: null, show: null, q: "" }),
    onError: complain,
  });

  // A link may point at a row beyond the first page, or that the filter leaves out.
  const group = all.find((one) => one.rows.some((row) => row.id === address.id));
  const listed = group?.rows.find((row) => row.id === address.id);
  const linked = useQuery({
    ...requestQuery(address.id ?? ""),
    enabled: address.id !== null && list.isSuccess && listed === undefined,
  });
  const selected = listed ?? (address.id === null ? undefined : (linked.data ?? undefined));
  const { currentId, setCurrentId } = useCurrentRow(all, group);

  const content = () => {
    // What was read before outlives a reading that failed.
    if (list.data === undefined)
      return list.isError ? <Failed error={list.error} onRetry={() => void list.refetch()} /> : <LoadingRows />;
    if (all.length === 0 && !filtered) return <EmptyRequests />;
    if (all.length === 0)
      return (
        <Empty title={address.q === "" ? "No request fits this filter" : `Nothing found for “${address.q}”`}>
          <Button onClick={() => go({ show: null, q: "" })}>Show all</Button>
        </Empty>
      );
    return (
      <RecordList
        label="Requests"
        items={all}
        all={all}
        rowHeight={ROW_HEIGHT}
        selectedId={group?.id ?? null}
        currentId={currentId}
        onCurrent={setCurrentId}
        renderRow={(folded, focus) => (
          <RequestLine
            folded={folded}
            focus={focus}
            href={hrefWith({ id: folded.newest.id })}
            selected={folded.id === group?.id}
            appName={
              address.app === null && apps.length > 1
                ? (apps.find((app) => app.appId === folded.newest.appId)?.name ?? folded.newest.appId ?? undefined)
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
            <ConfirmButton
              label="Clear"
              question="Really clear the log?"
              loading={clear.isPending}
              armed={armed}
              onArm={setArmed}
              onConfirm={() => clear.mutate()}
            />
          </>
        )
      }
      note={
        some &&
        (rows.length < total ? (
          <Button variant="subtle" onClick={() => setWanted(ALL)}>
            Newest {rows.length}, show all {total}
          </Button>
        ) : (
          "Newest first"
        ))
      }
      detail={
        selected && (
          <RequestDetail
            key={selected.id}
            row={selected}
            retries={group?.rows ?? [selected]}
            apps={apps}
            onClose={() => {
              if (group !== undefined) setCurrentId(group.id);
              go({ id: null });
            }}
          />
        )
      }
    >
      <QueryChips />
      {content()}
    </Screen>
  );
};
