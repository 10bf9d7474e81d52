import { Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { App } from "#client/index.ts";
import type { Status } from "#contract/status.ts";
import { useApps } from "../../api/profile.ts";
import { profileSearchQuery, statusQuery } from "../../api/queries.ts";
import { useAddress } from "../../ui/address.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Lines } from "../../ui/lines.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Failed, LoadingRows } from "../../ui/states.tsx";
import { Secret } from "../apps/secret.tsx";
import { PlainHttp } from "./plain-http.tsx";
import { TargetPart } from "./target-part.tsx";
import { baseUrls, targetOf } from "./targets.ts";
import { TryIt } from "./try-it.tsx";

const Urls = ({ urls }: Pick<Status, "urls">) => {
  const rows: readonly (readonly [name: string, url: string, use: string])[] = [
    ["Auth URL", urls.auth, "For your app: sign up, request a code, sign in"],
    ["Admin URL", urls.admin, "For your backend: profiles, with the app secret"],
    ["Console URL", urls.console, "For you and your tests: this page and the control API"],
  ];
  return (
    <Section title="All URLs">
      <Lines columns="128px minmax(0, 1fr) auto" narrow="minmax(0, 1fr) auto">
        {rows.map(([name, url, use]) => (
          <li key={url}>
            <span className="dim" data-whole="narrow">
              {name}
            </span>
            <div>
              <span className="mono">{url}</span>
              <p className="small">{use}</p>
            </div>
            <CopyButton text={url} what={name} />
          </li>
        ))}
      </Lines>
    </Section>
  );
};

const AppPart = ({ status, app }: { readonly status: Status; readonly app: App }) => {
  const { data: found } = useQuery(profileSearchQuery(app.appId, "", 1));
  return (
    <>
      <Section
        title={
          <>
            <bdi>{app.name}</bdi> <span className="dim">signs in by {app.strategy}</span>
          </>
        }
      >
        <Lines columns="128px minmax(0, 1fr)" narrow="56px minmax(0, 1fr)">
          <li>
            <span className="dim">App id</span>
            <Group justify="space-between">
              <span className="mono">{app.appId}</span>
              <CopyButton text={app.appId} what="App id" />
            </Group>
          </li>
          <li>
            <span className="dim">Secret</span>
            <Secret secret={app.secret} />
          </li>
        </Lines>
      </Section>
      {found && <TryIt status={status} app={app} profile={found.items[0]} />}
    </>
  );
};

/** What an app, its backend and a test need to reach Stagedoor. */
export const ConnectScreen = () => {
  const { address } = useAddress();
  const target = targetOf(address.show);
  const status = useQuery(statusQuery());
  const { list, apps, appOf } = useApps();
  const app = appOf(address.app) ?? apps[0];
  const content = () => {
    if (status.isPending || list.isPending) return <LoadingRows />;
    if (status.isError) return <Failed error={status.error} onRetry={() => void status.refetch()} />;
    if (list.isError) return <Failed error={list.error} onRetry={() => void list.refetch()} />;
    return (
      <Page>
        <TargetPart urls={status.data.urls} />
        {app && <AppPart key={app.appId} status={status.data} app={app} />}
        <PlainHttp target={target} hosts={baseUrls(target, status.data.urls).map(({ url }) => new URL(url).hostname)} />
        <Urls urls={status.data.urls} />
      </Page>
    );
  };
  return (
    <Screen title="Connect" note={status.data && `Stagedoor ${status.data.version}`}>
      {content()}
    </Screen>
  );
};
