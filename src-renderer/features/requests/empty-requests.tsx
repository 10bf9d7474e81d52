import { useQuery } from "@tanstack/react-query";
import { appsQuery, profileSearchQuery, statusQuery } from "../../api/queries.ts";
import { useAddress } from "../../ui/address.ts";
import { CodeBlock } from "../../ui/code-block.tsx";
import { askForCode, listProfiles, usernameToTry } from "../../ui/commands.ts";
import { NoApps } from "../../ui/no-apps.tsx";
import { Empty } from "../../ui/states.tsx";

/** No request yet: what to send. */
export const EmptyRequests = () => {
  const { address } = useAddress();
  const { data: status } = useQuery(statusQuery());
  const apps = useQuery(appsQuery()).data?.items ?? [];
  const app = apps.find((one) => one.appId === address.app) ?? apps[0];
  const { data: found } = useQuery({ ...profileSearchQuery(app?.appId ?? null, "", 1), enabled: app !== undefined });
  return (
    <Empty title="No requests yet">
      <p>Every call to the auth and admin URLs appears here, with its response and, if it failed, the reason.</p>
      {status && app && found && (
        <>
          <CodeBlock what="Command" text={askForCode(status, app, usernameToTry(app, found.items[0]))} />
          <CodeBlock
            what="Admin command"
            text={listProfiles(status, app.secret)}
            shown={listProfiles(status, "<secret>")}
          />
        </>
      )}
      <NoApps />
    </Empty>
  );
};
