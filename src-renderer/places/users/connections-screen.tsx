import { useQuery } from "@tanstack/react-query";
import type { Connection } from "#client/index.ts";
import { many } from "#contract/words/words.ts";
import { connectionsQuery, useApps, useUser } from "../../api/queries.ts";
import { TextButton } from "../../ui/action.tsx";
import { shownOf, useAddress } from "../../ui/address.ts";
import { Cell, ListScreen, Row, RowLink, type RowPlace, UserCell } from "../../ui/list-screen.tsx";
import { RelativeTime } from "../../ui/parts.tsx";
import { Empty } from "../../ui/screen.tsx";
import { NoApps, useFound } from "../../ui/users.tsx";
import { ConnectionDetail, ConnectionState, managedWords, NewConnection, titleOf } from "./connection-parts.tsx";

const LIST = {
  noun: "connection",
  columns: ["minmax(0, 1fr) minmax(0, 1fr) minmax(0, 1fr) 84px", "minmax(0, 1fr) minmax(0, 1fr)"],
  filters: ["connected", "disabled"],
} as const;

const ConnectionRow = ({ connection, place }: { readonly connection: Connection; readonly place: RowPlace }) => {
  const { appId, status, createdAt, disabledAt } = connection;
  const { profile, name, username } = useUser(connection);
  return (
    <Row ended={status === "disabled"}>
      <Cell sub={managedWords(connection)}>
        <RowLink {...place}>{titleOf(connection)}</RowLink>
      </Cell>
      <UserCell username={username}>
        <bdi>{name}</bdi>
      </UserCell>
      <Cell wide>
        <ConnectionState connection={connection} profile={profile} />
      </Cell>
      <Cell wide end>
        <RelativeTime instant={disabledAt ?? createdAt} appId={appId} />
      </Cell>
    </Row>
  );
};

/** All connections between profiles and other services, newest first. */
export const ConnectionsScreen = () => {
  const { address, hrefWith, go } = useAddress();
  const show = shownOf(address.show, LIST.filters);
  const list = useQuery(connectionsQuery(address.app));
  const { apps } = useApps();
  const isFound = useFound(address.app, address.q);
  const all = list.data?.items.toReversed() ?? [];
  const creating = address.id === "new";
  const close = (): void => go({ id: null });
  const add = <TextButton href={hrefWith({ id: "new" })} keys="n" label="Add connection" />;
  return (
    <ListScreen
      {...LIST}
      list={list}
      all={all}
      fits={({ status, userId, name, id }) => (show === null || status === show) && isFound(userId, [name, id])}
      tools={all.length > 0 && add}
      note={`${many(all.length, "connection")}, newest first`}
      empty={
        <Empty title="No connections yet">
          <p>
            A connection links a profile to another service. When the profile is deleted, connections managed by the
            service stay here as disabled.
          </p>
          {apps.length > 0 && !creating && add}
          <NoApps />
        </Empty>
      }
      keys={() => ({ n: () => go({ id: "new" }) })}
      creating={
        creating && (
          <NewConnection
            appId={address.app}
            onAdded={({ id }) => go({ id, show: null, q: "" }, { replace: true })}
            onClose={close}
          />
        )
      }
      row={(connection, place) => <ConnectionRow connection={connection} place={place} />}
      detail={(connection, onClose) => (
        <ConnectionDetail key={connection.id} connection={connection} onClose={onClose} />
      )}
    />
  );
};
