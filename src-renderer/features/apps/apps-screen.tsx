import { Button, Kbd } from "@mantine/core";
import type { App } from "#client/index.ts";
import { useApps } from "../../api/profile.ts";
import { useAddress } from "../../ui/address.ts";
import { ListScreen, type RowPlace } from "../../ui/list-screen.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { Cell, Row, RowLink } from "../../ui/row.tsx";
import { Empty } from "../../ui/states.tsx";
import { many } from "../../ui/words.ts";
import { AppDetail, NewApp } from "./app-detail.tsx";

const COLUMNS = ["minmax(0, 1fr) minmax(0, 1fr) minmax(0, 1fr) 84px", "minmax(0, 1fr) minmax(0, 1fr)"] as const;

/** How many settings an app has that are not the defaults. */
const setWords = ({ settings }: App): string => {
  const values = Object.values(settings).flatMap((one) => (typeof one === "object" ? Object.values(one) : [one]));
  return values.length === 0 ? "default settings" : `${many(values.length, "setting")} changed`;
};

const AppRow = ({ app, place }: { readonly app: App; readonly place: RowPlace }) => (
  <Row>
    <Cell sub={<span className="mono">{app.appId}</span>}>
      <RowLink {...place}>
        <bdi>{app.name}</bdi>
      </RowLink>
    </Cell>
    <Cell sub={setWords(app)}>signs in by {app.strategy}</Cell>
    <Cell wide sub={many(app.counts.sessions, "session")}>
      {many(app.counts.profiles, "profile")}
    </Cell>
    <Cell wide end>
      <RelativeTime instant={app.createdAt} appId={app.appId} />
    </Cell>
  </Row>
);

/** The apps, each an environment of its own, and their settings. */
export const AppsScreen = () => {
  const { address, go } = useAddress();
  const { list, apps } = useApps();
  const all = apps.map((app) => ({ id: app.appId, app }));
  const sought = address.q.trim().toLowerCase();
  const openNew = (): void => go({ show: "new", id: null });
  return (
    <ListScreen
      title="Apps"
      noun="app"
      list={list}
      columns={COLUMNS}
      all={all}
      shown={all.filter(({ app }) => `${app.name}\n${app.appId}`.toLowerCase().includes(sought))}
      tools={
        all.length > 0 && (
          <Button rightSection={<Kbd>n</Kbd>} onClick={openNew}>
            New app
          </Button>
        )
      }
      note={many(all.length, "app")}
      empty={
        <Empty title="No apps yet">
          <p>Each app has its own users, codes and sessions. Create one, and point a client at it.</p>
          <Button variant="filled" onClick={openNew}>
            Create app
          </Button>
        </Empty>
      }
      keys={() => ({ n: openNew })}
      closed={{ show: null }}
      creating={
        address.show === "new" && (
          <NewApp onClose={() => go({ show: null })} onMade={({ appId }) => go({ id: appId, show: null, q: "" })} />
        )
      }
      row={({ app }, place) => <AppRow app={app} place={place} />}
      detail={({ id, app }, close) => <AppDetail key={id} app={app} onClose={close} />}
    />
  );
};
