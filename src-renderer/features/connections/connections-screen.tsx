import { Button, Kbd } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { connectionsQuery } from "../../api/connections.ts";
import { appsQuery } from "../../api/queries.ts";
import { useAddress } from "../../ui/address.ts";
import { FilterChips } from "../../ui/filter-chips.tsx";
import { useKeys } from "../../ui/keys.ts";
import { ListContent } from "../../ui/list-content.tsx";
import { NoApps } from "../../ui/no-apps.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Empty } from "../../ui/states.tsx";
import { useCurrentRow } from "../../ui/use-current-row.ts";
import { useFound } from "../../ui/use-found.ts";
import { ConnectionDetail } from "./connection-detail.tsx";
import { ConnectionRow } from "./connection-row.tsx";
import { FILTERS, passes } from "./connection-words.ts";
import { NewConnection } from "./new-connection.tsx";

/** Every connection of the profiles to other services, newest first. */
export const ConnectionsScreen = () => {
  const { address, hrefWith, go } = useAddress();
  const list = useQuery(connectionsQuery(address.app));
  const apps = useQuery(appsQuery()).data?.items ?? [];
  const isFound = useFound(address.app, address.q);
  const all = list.data?.items.toReversed() ?? [];
  const shown = all.filter(
    (connection) => passes(connection, address.show) && isFound(connection.userId, [connection.name, connection.id]),
  );
  const creating = address.id === "new";
  const selected = all.find((connection) => connection.id === address.id);
  const { currentId, setCurrentId } = useCurrentRow(shown, selected);
  useKeys({ n: () => go({ id: "new" }) });
  const close = (): void => {
    if (selected !== undefined) setCurrentId(selected.id);
    go({ id: null });
  };
  const add = (
    <Button component={Link} href={hrefWith({ id: "new" })} rightSection={<Kbd>n</Kbd>}>
      Add a connection
    </Button>
  );

  const empty = (
    <Empty title="No connections yet">
      <p>
        A connection says that a profile is joined to some other service. When the profile is deleted, those that the
        service manages stay here as disabled.
      </p>
      {apps.length > 0 && !creating && add}
      <NoApps />
    </Empty>
  );

  const detail = (): ReactNode => {
    if (creating)
      return (
        <NewConnection
          appId={address.app}
          onAdded={({ id }) => go({ id, show: null, q: "" }, { replace: true })}
          onClose={close}
        />
      );
    if (selected === undefined) return undefined;
    return (
      <ConnectionDetail
        key={selected.id}
        connection={selected}
        app={apps.find((app) => app.appId === selected.appId)}
        onClose={close}
      />
    );
  };

  return (
    <Screen
      title="Connections"
      tools={
        all.length > 0 && (
          <>
            <FilterChips label="Which connections" choices={FILTERS} />
            {add}
          </>
        )
      }
      note={all.length > 0 && `${all.length.toLocaleString("en")} in all, newest first`}
      detail={detail()}
    >
      <ListContent
        label="Connections"
        list={list}
        all={all}
        shown={shown}
        empty={empty}
        noneFits="No connection fits this filter"
        selectedId={address.id}
        currentId={currentId}
        onCurrent={setCurrentId}
        renderRow={(connection, focus) => (
          <ConnectionRow
            connection={connection}
            app={apps.find((app) => app.appId === connection.appId)}
            focus={focus}
            href={hrefWith({ id: connection.id })}
            selected={connection.id === address.id}
          />
        )}
      />
    </Screen>
  );
};
