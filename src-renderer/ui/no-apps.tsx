import { Button, NativeSelect, type NativeSelectProps } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { App, Profile } from "#client/index.ts";
import type { Status } from "#contract/status.ts";
import { useApps } from "../api/profile.ts";
import { profileSearchQuery, statusQuery } from "../api/queries.ts";
import { useAddress } from "./address.ts";
import { askForCode, usernameToTry } from "./commands.ts";
import { CodeBlock } from "./copy.tsx";
import { Empty } from "./states.tsx";

/** A choice between apps. */
export const AppSelect = ({ apps, ...select }: NativeSelectProps & { readonly apps: readonly App[] }) => (
  <NativeSelect label="App" data={apps.map(({ appId, name }) => ({ value: appId, label: name }))} {...select} />
);

/** In an empty list: the step before the first one, where there is not even an app. Nothing where there is one. */
export const NoApps = () => {
  const { hrefTo } = useAddress();
  const { list } = useApps();
  if (list.data === undefined || list.data.items.length > 0) return null;
  const href = hrefTo("apps", { show: "new", app: null });
  return (
    <>
      <p>Create an app first: all of this belongs to one.</p>
      <Button component={Link} variant="filled" href={href}>
        Create app
      </Button>
    </>
  );
};

interface NoUsersProps {
  readonly title: string;
  readonly words: string;
  /** Whether the command is for the first user of the app, rather than for one who signs up. */
  readonly known?: boolean;
  /** Below the command. */
  readonly children?: (around: { status: Status; app: App; profile: Profile | undefined }) => ReactNode;
}

/** An empty list that the first login fills: what happens then, and a command that does it. */
export const NoUsers = ({ title, words, known = false, children }: NoUsersProps) => {
  const { address } = useAddress();
  const { data: status } = useQuery(statusQuery());
  const { apps, appOf } = useApps();
  const app = appOf(address.app) ?? apps[0];
  const first = profileSearchQuery(app?.appId ?? null, "", 1);
  const { data: found } = useQuery({ ...first, enabled: known && app !== undefined });
  const profile = found?.items[0];
  return (
    <Empty title={title}>
      <p>{words}</p>
      {status && app && (found || !known) && (
        <>
          <CodeBlock what="Command" text={askForCode(status, app, usernameToTry(app, profile))} />
          {children?.({ status, app, profile })}
        </>
      )}
      <NoApps />
    </Empty>
  );
};
