import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { appsQuery, statusQuery } from "../../api/queries.ts";
import { useAddress } from "../../ui/address.ts";
import { CodeBlock } from "../../ui/code-block.tsx";
import { askForCode, usernameToTry } from "../../ui/commands.ts";
import { showDialog } from "../../ui/dialogs.ts";
import { NoApps } from "../../ui/no-apps.tsx";
import { Empty } from "../../ui/states.tsx";

/** Nobody has signed in yet: how the first one does. */
export const EmptySessions = () => {
  const { address } = useAddress();
  const { data: status } = useQuery(statusQuery());
  const apps = useQuery(appsQuery()).data?.items ?? [];
  const app = apps.find((one) => one.appId === address.app) ?? apps[0];
  return (
    <Empty title="No sessions yet">
      <p>A new number or address signs in at once, and its session shows up here.</p>
      {status && app && <CodeBlock what="Command" text={askForCode(status, app, usernameToTry(app, undefined))} />}
      <NoApps />
      {app !== undefined && app.counts.profiles > 0 && (
        <Button onClick={() => showDialog("session")}>Make a session without a passcode</Button>
      )}
    </Empty>
  );
};
