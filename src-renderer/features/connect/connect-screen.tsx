import { useQuery } from "@tanstack/react-query";
import type { Status } from "#contract/status.ts";
import { appsQuery, profileSearchQuery, statusQuery } from "../../api/queries.ts";
import type { App } from "../../api/records.ts";
import { useAddress } from "../../ui/address.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Failed, LoadingRows } from "../../ui/states.tsx";
import { AppKeys } from "./app-keys.tsx";
import classes from "./connect-screen.module.css";
import { PlainHttp } from "./plain-http.tsx";
import { TargetPart } from "./target-part.tsx";
import { baseUrls, targetOf } from "./targets.ts";
import { TryIt } from "./try-it.tsx";

const Urls = ({ urls }: Pick<Status, "urls">) => {
  const rows: readonly (readonly [name: string, url: string, use: string])[] = [
    ["Auth URL", urls.auth, "For your app: sign up, ask for a code, sign in"],
    ["Admin URL", urls.admin, "For your backend: profiles, with the app’s secret"],
    ["Console URL", urls.console, "For you and your tests: this page, and the control API"],
  ];
  return (
    <section className={classes.all} aria-labelledby="all-urls">
      <h2 id="all-urls">All URLs</h2>
      <ul className={classes.urls}>
        {rows.map(([name, url, use]) => (
          <li key={url}>
            <span className={classes.name}>{name}</span>
            <span className={`mono ${classes.url}`}>{url}</span>
            <span className={classes.use}>{use}</span>
            <CopyButton text={url} what={name} />
          </li>
        ))}
      </ul>
    </section>
  );
};

const AppPart = ({ status, app }: { readonly status: Status; readonly app: App }) => {
  const { data: found } = useQuery(profileSearchQuery(app.appId, "", 1));
  return (
    <>
      <AppKeys app={app} />
      {found && <TryIt status={status} app={app} profile={found.items[0]} />}
    </>
  );
};

/** What an app, its backend and a test need to reach Stagedoor. */
export const ConnectScreen = () => {
  const { address } = useAddress();
  const target = targetOf(address.show);
  const status = useQuery(statusQuery());
  const apps = useQuery(appsQuery());
  const app = apps.data?.items.find((one) => one.appId === address.app) ?? apps.data?.items[0];
  const content = () => {
    if (status.isPending || apps.isPending) return <LoadingRows />;
    if (status.isError) return <Failed error={status.error} onRetry={() => void status.refetch()} />;
    if (apps.isError) return <Failed error={apps.error} onRetry={() => void apps.refetch()} />;
    return (
      <div className={classes.content}>
        <TargetPart urls={status.data.urls} />
        {app && <AppPart key={app.appId} status={status.data} app={app} />}
        <PlainHttp target={target} hosts={baseUrls(target, status.data.urls).map(({ url }) => new URL(url).hostname)} />
        <Urls urls={status.data.urls} />
      </div>
    );
  };
  return (
    <Screen title="Connect" note={status.data && `Stagedoor ${status.data.version}`}>
      {content()}
    </Screen>
  );
};
