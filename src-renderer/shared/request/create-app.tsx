/** Creates the app whose unknown id a request had, in one click. */
import { useQuery } from "@tanstack/react-query";
import type { App, RequestRow } from "#client/index.ts";
import { appLike } from "#contract/control/app-like.ts";
import { isAppId } from "#contract/service/app-id.ts";
import { parsedJson } from "#contract/words/parsed-json.ts";
import { createApp } from "../../api/actions.ts";
import { newestRequestsQuery, useApps } from "../../api/queries.ts";
import { ActionButton } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";

/** A request that named an unknown app. */
interface UnknownApp {
  readonly appId: string;
  /** Creates the app, and shows how to connect it. @throws StagedoorError */
  readonly create: () => Promise<void>;
}

const unknownIn = (row: RequestRow, apps: readonly App[]): string | undefined => {
  if (row.listener !== "auth" || row.appId !== null || row.status < 400) return undefined;
  const appId = appLike(parsedJson(row.request.body ?? ""))?.appId;
  const isKnown = apps.some((app) => app.appId === appId || app.secret === appId);
  return isKnown || appId === undefined || !isAppId(appId) ? undefined : appId;
};

const useUnknown = (rows: readonly RequestRow[]): UnknownApp | undefined => {
  const { apps } = useApps();
  const { go } = useAddress();
  const create = async (like: string): Promise<void> => {
    const app = await createApp({ like });
    go({ screen: "setup", app: app.appId, id: null, show: null, q: "" });
  };
  for (const row of rows) {
    const appId = unknownIn(row, apps);
    if (appId !== undefined) return { appId, create: () => create(row.id) };
  }
  return undefined;
};

/** @returns the unknown app of a refused request; undefined: it names none, or a known one. */
export const useUnknownApp = (row: RequestRow | undefined): UnknownApp | undefined =>
  useUnknown(row === undefined ? [] : [row]);

/** @returns the unknown app that a request has named last, among the newest ones. */
export const useNewestUnknownApp = (): UnknownApp | undefined =>
  useUnknown(useQuery(newestRequestsQuery()).data?.items ?? []);

/** Creates the app of a request; nothing if the request names no unknown app. */
export const CreateAppButton = ({ row }: { readonly row: RequestRow }) => {
  const unknown = useUnknownApp(row);
  if (unknown === undefined) return null;
  const { appId, create } = unknown;
  // The app that was meant comes first.
  const variant = row.advice[0]?.code === "near_app" ? "default" : "filled";
  return <ActionButton variant={variant} label={`Create ${appId}`} act={create} says={`Created ${appId}`} />;
};
