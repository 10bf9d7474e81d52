import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { useApps } from "../api/profile.ts";
import { statusQuery } from "../api/queries.ts";
import { useAddress } from "./address.ts";
import { CodeBlock } from "./code-block.tsx";
import { askForCode, usernameToTry } from "./commands.ts";
import { Empty } from "./states.tsx";

/** In an empty list: the step before the first one, where there is not even an app. Nothing where there is one. */
export const NoApps = () => {
  const { hrefWith } = useAddress();
  const { list } = useApps();
  if (list.data === undefined || list.data.items.length > 0) return null;
  return (
    <>
      <p>Create an app first: all of this belongs to one.</p>
      <Button
        component={Link}
        variant="filled"
        href={hrefWith({ screen: "apps", id: null, show: "new", app: null, q: "" })}
      >
        Create app
      </Button>
    </>
  );
};

interface NoUsersProps {
  readonly title: string;
  readonly words: string;
  readonly children?: ReactNode;
}

/** An empty list that the first login fills: what happens then, and a command that does it. */
export const NoUsers = ({ title, words, children }: NoUsersProps) => {
  const { address } = useAddress();
  const { data: status } = useQuery(statusQuery());
  const { apps, appOf } = useApps();
  const app = appOf(address.app) ?? apps[0];
  return (
    <Empty title={title}>
      <p>{words}</p>
      {status && app && <CodeBlock what="Command" text={askForCode(status, app, usernameToTry(app, undefined))} />}
      <NoApps />
      {app !== undefined && app.counts.profiles > 0 && children}
    </Empty>
  );
};
