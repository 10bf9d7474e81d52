import { Button, Kbd } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { appsQuery } from "../../api/queries.ts";
import { useAddress } from "../../ui/address.ts";
import { useKeys } from "../../ui/keys.ts";
import { ListContent } from "../../ui/list-content.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Empty } from "../../ui/states.tsx";
import { useCurrentRow } from "../../ui/use-current-row.ts";
import { AppDetail } from "./app-detail.tsx";
import { AppRow } from "./app-row.tsx";
import { NewApp } from "./new-app.tsx";

/** The apps, each an environment of its own, and their settings. */
export const AppsScreen = () => {
  const { address, hrefWith, go } = useAddress();
  const list = useQuery(appsQuery());
  const apps = list.data?.items ?? [];
  const all = apps.map((app) => ({ id: app.appId, app }));
  const sought = address.q.trim().toLowerCase();
  const shown = all.filter(({ app }) => `${app.name}\n${app.appId}`.toLowerCase().includes(sought));
  const selected = all.find(({ id }) => id === address.id);
  const { currentId, setCurrentId } = useCurrentRow(shown, selected);
  const isNew = address.show === "new";
  const openNew = (): void => go({ show: "new", id: null });
  useKeys({ n: openNew });

  const empty = (
    <Empty title="No apps yet">
      <p>An app has users, codes and sessions of its own. Make one, and point a client at it.</p>
      <Button variant="filled" onClick={openNew}>
        Make an app
      </Button>
    </Empty>
  );

  const detail = () => {
    if (isNew)
      return <NewApp onClose={() => go({ show: null })} onMade={({ appId }) => go({ id: appId, show: null, q: "" })} />;
    return selected && <AppDetail key={selected.id} app={selected.app} onClose={() => go({ id: null })} />;
  };

  return (
    <Screen
      title="Apps"
      tools={
        all.length > 0 && (
          <Button rightSection={<Kbd>n</Kbd>} onClick={openNew}>
            New app
          </Button>
        )
      }
      note={all.length > 0 && (all.length === 1 ? "1 app" : `${all.length} apps`)}
      detail={detail()}
    >
      <ListContent
        label="Apps"
        list={list}
        all={all}
        shown={shown}
        empty={empty}
        selectedId={address.id}
        currentId={currentId}
        onCurrent={setCurrentId}
        renderRow={({ id, app }, focus) => (
          <AppRow app={app} focus={focus} href={hrefWith({ id, show: null })} selected={id === address.id} />
        )}
      />
    </Screen>
  );
};
