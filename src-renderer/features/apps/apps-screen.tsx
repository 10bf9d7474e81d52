import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { appsQuery } from "../../api/queries.ts";
import { useAddress } from "../../ui/address.ts";
import { RecordList } from "../../ui/record-list.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Empty, Failed, LoadingRows } from "../../ui/states.tsx";
import { useCurrentRow } from "../../ui/use-current-row.ts";
import { AppDetail } from "./app-detail.tsx";
import { AppRow } from "./app-row.tsx";
import { NewApp } from "./new-app.tsx";

const ROW_HEIGHT = 60;

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

  const content = () => {
    if (list.isPending) return <LoadingRows />;
    if (list.isError) return <Failed error={list.error} onRetry={() => void list.refetch()} />;
    if (all.length === 0)
      return (
        <Empty title="No apps yet">
          <p>An app has users, codes and sessions of its own. Make one, and point a client at it.</p>
          <Button variant="filled" onClick={openNew}>
            Make an app
          </Button>
        </Empty>
      );
    if (shown.length === 0)
      return (
        <Empty title={`Nothing found for “${address.q}”`}>
          <Button onClick={() => go({ q: "" })}>Show all {all.length}</Button>
        </Empty>
      );
    return (
      <RecordList
        label="Apps"
        items={shown}
        all={all}
        rowHeight={ROW_HEIGHT}
        selectedId={address.id}
        currentId={currentId}
        onCurrent={setCurrentId}
        renderRow={({ id, app }, focus) => (
          <AppRow app={app} focus={focus} href={hrefWith({ id, show: null })} selected={id === address.id} />
        )}
      />
    );
  };

  const detail = () => {
    if (isNew)
      return <NewApp onClose={() => go({ show: null })} onMade={({ appId }) => go({ id: appId, show: null, q: "" })} />;
    return selected && <AppDetail key={selected.id} app={selected.app} onClose={() => go({ id: null })} />;
  };

  return (
    <Screen
      title="Apps"
      tools={all.length > 0 && <Button onClick={openNew}>New app</Button>}
      note={all.length === 1 ? "1 app" : `${all.length} apps`}
      detail={detail()}
    >
      {content()}
    </Screen>
  );
};
