/** Creates the app whose unknown id a request had, in one click (CONTRACT 25). */
import type { RequestRow } from "#client/index.ts";
import { appLike } from "#contract/app-like.ts";
import { parsedJson } from "#contract/parsed-json.ts";
import { createApp } from "../../api/actions.ts";
import { useApps } from "../../api/queries.ts";
import { ActionButton } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";

/** @returns the unknown app id of a refused request; undefined: it names none, or a known one. */
export const useUnknownApp = (row: RequestRow | undefined): string | undefined => {
  const { appOf } = useApps();
  if (row === undefined || row.listener !== "auth" || row.appId !== null || row.status < 400) return undefined;
  const appId = appLike(parsedJson(row.request.body ?? ""))?.appId;
  return appId === undefined || appOf(appId) !== undefined ? undefined : appId;
};

/** Creates the app, and shows how to connect it; nothing if the request names no unknown app. */
export const CreateAppButton = ({ row }: { readonly row: RequestRow }) => {
  const { go } = useAddress();
  const appId = useUnknownApp(row);
  if (appId === undefined) return null;
  const create = async (): Promise<void> => {
    const app = await createApp({ like: row.id });
    go({ screen: "connect", app: app.appId, id: null, show: null, q: "" });
  };
  return <ActionButton variant="filled" label={`Create ${appId}`} act={create} says={`Created ${appId}`} />;
};
