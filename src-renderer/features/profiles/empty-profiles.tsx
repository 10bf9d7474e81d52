import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { appsQuery, statusQuery } from "../../api/queries.ts";
import { useAddress } from "../../ui/address.ts";
import { CodeBlock } from "../../ui/code-block.tsx";
import { askForCode, usernameToTry } from "../../ui/commands.ts";
import { NoApps } from "../../ui/no-apps.tsx";
import { Empty } from "../../ui/states.tsx";

/** No profile yet: how the first one comes. */
export const EmptyProfiles = () => {
  const { address, hrefWith } = useAddress();
  const { data: status } = useQuery(statusQuery());
  const apps = useQuery(appsQuery()).data?.items ?? [];
  const app = apps.find((one) => one.appId === address.app) ?? apps[0];
  return (
    <Empty title="No profiles yet">
      <p>A new number or address signs up with its first request, and its profile shows up here.</p>
      {status && app && <CodeBlock what="Command" text={askForCode(status, app, usernameToTry(app, undefined))} />}
      <NoApps />
      {app && (
        <Button component={Link} href={hrefWith({ id: "new" })} variant="filled">
          Create a profile
        </Button>
      )}
    </Empty>
  );
};
