import { Button } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { Profile } from "#client/index.ts";
import { sendPasscode } from "../../api/actions.ts";
import { appsQuery, profileSearchQuery, statusQuery } from "../../api/queries.ts";
import { useAddress } from "../../ui/address.ts";
import { CodeBlock } from "../../ui/code-block.tsx";
import { askForCode, usernameToTry } from "../../ui/commands.ts";
import { complain } from "../../ui/complain.ts";
import { NoApps } from "../../ui/no-apps.tsx";
import { Empty } from "../../ui/states.tsx";

/** No passcode yet: how the first one comes. */
export const EmptyInbox = () => {
  const { address } = useAddress();
  const { data: status } = useQuery(statusQuery());
  const apps = useQuery(appsQuery()).data?.items ?? [];
  const app = apps.find((one) => one.appId === address.app) ?? apps[0];
  const { data: found } = useQuery({ ...profileSearchQuery(app?.appId ?? null, "", 1), enabled: app !== undefined });
  const profile = found?.items[0];
  const send = useMutation({
    mutationFn: ({ appId, userId }: Profile) => sendPasscode(appId, userId),
    onError: complain,
  });
  return (
    <Empty title="No codes yet">
      <p>A new number or address signs up at once; ask again for a code. It appears here as it is sent.</p>
      {status && app && found && (
        <CodeBlock what="Command" text={askForCode(status, app, usernameToTry(app, profile))} />
      )}
      <NoApps />
      {profile && (
        <Button variant="filled" loading={send.isPending} onClick={() => send.mutate(profile)}>
          Send a test code to {profile.name ?? "a user"}
        </Button>
      )}
    </Empty>
  );
};
