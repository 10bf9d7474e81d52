import { Button, Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { many } from "#contract/words/words.ts";
import { clearRequests, recallRequests } from "../../api/actions.ts";
import { cache } from "../../api/cache.ts";
import { requestQuery, requestsQuery, statusQuery } from "../../api/queries.ts";
import { offerBack } from "../../shared/history/undo-band.tsx";
import { foldRetries } from "../../shared/login/stories.ts";
import { passesQuery, readQuery, serverFilter } from "../../shared/request/query.ts";
import { isOfApp } from "../../shared/request/row-words.ts";
import { askFirst, complain } from "../../ui/action.tsx";
import { shownOf, useAddress } from "../../ui/address.ts";
import { CodeBlock } from "../../ui/code.tsx";
import { download } from "../../ui/download.ts";
import { ListScreen } from "../../ui/list-screen.tsx";
import { FilterChips } from "../../ui/parts.tsx";
import { ActionsMenu } from "../../ui/row-actions.tsx";
import { Empty } from "../../ui/screen.tsx";
import { NoUsers } from "../../ui/users.tsx";
import { listProfiles } from "../../ui/wire-shape.ts";
import { newestWords } from "../../ui/words.ts";
import { QueryChips } from "./query-chips.tsx";
import { RequestDetail } from "./request-detail.tsx";
import { RequestLine } from "./request-row.tsx";

const ROW_HEIGHT = 36;
const FIRST_PAGE = 200;
const ALL = 1_000;
/** If fewer of the first rows belong to the selected app, all rows are loaded. */
const FEW = 50;
const FILTERS = [
  [null, "All"],
  ["failed", "Failed"],
  ["succeeded", "Succeeded"],
] as const;
const COLUMNS = [
  "48px 166px 96px minmax(0, 1fr) 52px 58px",
  "48px 156px minmax(0, 1fr) 58px",
  "48px 92px minmax(0, 1fr)",
] as const;

const SHOWN = FILTERS.map(([value]) => value);

const passesShow = (status: number, show: (typeof SHOWN)[number]): boolean =>
  show === null || (status >= 400 || status === 0) === (show === "failed");

const EmptyRequests = ({ isChosen }: { readonly isChosen: boolean }) => (
  <NoUsers
    known
    title="No requests yet"
    words="Every call to the auth and admin URLs appears here, with its response and, if it failed, the reason."
  >
    {({ status, app: { secret } }) => (
      <CodeBlock
        what="Admin command"
        text={listProfiles(status, secret)}
        shown={listProfiles(status, isChosen ? secret : "<secret>")}
      />
    )}
  </NoUsers>
);

/** All requests to admin and auth, newest first. */
export const RequestsScreen = () => {
  const { address, hrefWith, go } = useAddress();
  const terms = readQuery(address.q);
  // Filters that only this page can apply need all rows.
  const show = shownOf(address.show, SHOWN);
  const filtered = terms.length > 0 || show !== null;
  const [wanted, setWanted] = useState(FIRST_PAGE);
  const list = useQuery(requestsQuery(serverFilter(terms, address.app), filtered ? ALL : wanted));
  const { items: read = [], total = 0 } = list.data ?? {};
  const rows = read.filter((row) => isOfApp(row, address.app));
  const isFew = rows.length < FEW && read.length < total && wanted < ALL;
  useEffect(() => {
    if (isFew) setWanted(ALL);
  }, [isFew]);
  const items = foldRetries(rows.filter((row) => passesShow(row.status, show) && passesQuery(row, terms)));
  const clear = async (ids: readonly string[]): Promise<void> => {
    await clearRequests(ids);
    go({ id: null, show: null, q: "" });
    await offerBack(`Cleared ${many(ids.length, "request")}.`, recallRequests);
  };
  /** All that is chosen, not only what is loaded. */
  const readChosen = async () => {
    const { items: all } = await cache.fetchQuery(requestsQuery(serverFilter(terms, address.app), ALL));
    return all.filter((row) => isOfApp(row, address.app) && passesShow(row.status, show) && passesQuery(row, terms));
  };
  const saveHar = async (): Promise<void> => {
    const [rows, { harOf }] = await Promise.all([readChosen(), import("#contract/documents/har.ts")]);
    const { version } = await cache.fetchQuery(statusQuery());
    download("requests.har", JSON.stringify(harOf(rows, version)));
  };
  const askToClear = async (): Promise<void> => {
    const chosen = await readChosen();
    askFirst({
      title: `Clear ${many(chosen.length, "request")}?`,
      words: "Undo brings them back, until the next Clear or a restart.",
      label: "Clear",
      onConfirm: () => void clear(chosen.map(({ id }) => id)).catch(complain),
    });
  };
  const some = rows.length > 0 || filtered;
  return (
    <ListScreen
      noun="request"
      list={list}
      columns={COLUMNS}
      rowHeight={ROW_HEIGHT}
      all={items}
      tools={
        some && (
          <Group ms="auto" gap={14} wrap="nowrap">
            <FilterChips label="Show" choices={FILTERS} />
            <ActionsMenu
              label="More: clear"
              items={() => [
                ...(read.length < Math.min(total, ALL)
                  ? [{ label: "Show all", name: `Show all ${total} requests`, act: () => setWanted(ALL) }]
                  : []),
                { label: "Download as HAR", act: saveHar },
                { label: "Clear log…", act: askToClear },
              ]}
            />
          </Group>
        )
      }
      note={read.length < Math.min(total, ALL) && newestWords(read.length, total)}
      above={<QueryChips />}
      empty={
        total === 0 ? (
          <EmptyRequests isChosen={address.app !== null} />
        ) : (
          <Empty title={address.q === "" ? "No request matches this filter" : `Nothing found for “${address.q}”`}>
            <Button onClick={() => go({ show: null, q: "" })}>Show all</Button>
          </Empty>
        )
      }
      has={(item, id) => item.id === id || item.rows.some((row) => row.id === id)}
      // A link can refer to a row beyond the first page, or outside the filter.
      linked={requestQuery}
      row={(item, place) => (
        <RequestLine {...place} folded={item} href={hrefWith({ id: item.newest.id })} onOpen={(id) => go({ id })} />
      )}
      detail={(item, onClose) => {
        const row = item.rows.find(({ id }) => id === address.id) ?? item.newest;
        return <RequestDetail key={row.id} row={row} retries={item.rows} onClose={onClose} />;
      }}
    />
  );
};
