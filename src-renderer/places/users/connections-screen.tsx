import { useQuery } from "@tanstack/react-query";
import type { Connection } from "#client/index.ts";
import { recipientText } from "#contract/words/phone-words.ts";
import { connectionsQuery, useApps, useUser } from "../../api/queries.ts";
import { TextButton } from "../../ui/action.tsx";
import { shownOf, useAddress } from "../../ui/address.ts";
import { ListScreen, Row, RowLink, type RowPlace } from "../../ui/list-screen.tsx";
import { RelativeTime } from "../../ui/parts.tsx";
import { RowActions } from "../../ui/row-actions.tsx";
import { Empty } from "../../ui/screen.tsx";
import { NoApps, useFound } from "../../ui/users.tsx";
import {
  ConnectionDetail,
  ConnectionState,
  connectionActions,
  openNewConnection,
  titleOf,
} from "./connection-parts.tsx";

const LIST = {
  noun: "connection",
  columns: [
    "minmax(0, 1fr) minmax(0, 1fr) 132px minmax(0, 1fr) 84px",
    "minmax(0, 1fr) minmax(0, 1fr) 104px",
    "minmax(0, 1fr) minmax(0, 1fr)",
  ],
  rowHeight: 36,
  filters: ["connected", "disabled"],
} as const;

const ConnectionRow = ({ connection, place }: { readonly connection: Connection; readonly place: RowPlace }) => {
  const { appId, status, createdAt, disabledAt } = connection;
  const { profile, name, username } = useUser(connection);
  const title = titleOf(connection);
  const [first, ...more] = connectionActions(connection, profile);
  return (
    <Row
      ended={status === "disabled"}
      actions={
        <RowActions first={[first]} menu={`More for ${title}`} more={() => more} tabIndex={place.focus.tabIndex} />
      }
    >
      <span className="cut">
        <RowLink {...place}>{title}</RowLink>
      </span>
      <span className="cut">
        <bdi>{name}</bdi>
      </span>
      <span className="cut mono small" data-wide>
        {username && recipientText(username)}
      </span>
      <span className="cut" data-middle>
        <ConnectionState connection={connection} profile={profile} />
      </span>
      <span className="small" data-wide data-end>
        <RelativeTime instant={disabledAt ?? createdAt} appId={appId} />
      </span>
    </Row>
  );
};

/** All connections between profiles and other services, newest first. */
export const ConnectionsScreen = () => {
  const { address, go } = useAddress();
  const show = shownOf(address.show, LIST.filters);
  const list = useQuery(connectionsQuery(address.app));
  const { apps } = useApps();
  const isFound = useFound(address.app, address.q);
  const all = list.data?.items.toReversed() ?? [];
  const openNew = (): void =>
    openNewConnection({
      appId: address.app,
      user: null,
      onAdded: ({ id }) => go({ id, show: null, q: "" }, { replace: true }),
    });
  const add = <TextButton ms="auto" onClick={openNew} label="New" aria-label="New connection" aria-keyshortcuts="n" />;
  return (
    <ListScreen
      {...LIST}
      list={list}
      all={all}
      fits={({ status, userId, name, id }) => (show === null || status === show) && isFound(userId, [name, id])}
      tools={all.length > 0 && add}
      empty={
        <Empty title="No connections yet">
          <p>
            A connection links a user to another service. When the user is deleted, connections managed by the service
            stay here as disabled.
          </p>
          {apps.length > 0 && add}
          <NoApps />
        </Empty>
      }
      keys={() => ({ n: openNew })}
      row={(connection, place) => <ConnectionRow connection={connection} place={place} />}
      detail={(connection, onClose) => (
        <ConnectionDetail key={connection.id} connection={connection} onClose={onClose} />
      )}
    />
  );
};
