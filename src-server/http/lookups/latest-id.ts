/** `latest` instead of an id in a path of the control API: the newest record that the caller may see. */
import type { Operation } from "#contract/control/routes.ts";
import { isHidden, shownApps, type World } from "#domain/world.ts";
import type { Deps } from "../deps.ts";
import type { TokenHolder } from "../guards/token-holder.ts";

/** Requests and records of the data; faults belong to a feature, which reads `latest` itself. */
const KINDS = /^\/emulator\/v1\/(passcodes|sessions|connections|requests)\/:id/;

const newestRecord = (
  world: World,
  kind: "passcodes" | "sessions" | "connections",
  appId?: string,
): string | undefined =>
  shownApps(world)
    .filter(({ app }) => appId === undefined || app.appId === appId)
    .map((app) => app[kind].at(-1))
    .reduce((newest, record) => ((record?.seq ?? 0) > (newest?.seq ?? 0) ? record : newest), undefined)?.id;

/** @returns the id that a query means: for `latest` the newest one, or the word itself if there is none yet. */
export const idOrNewest = (id: string, world: World, kind: "passcodes" | "sessions", appId?: string): string =>
  id === "latest" ? (newestRecord(world, kind, appId) ?? id) : id;

type Fits = Parameters<Deps["log"]["newest"]>[0];

/** @returns the id of the newest request to admin or auth that fits, and that the caller may see. */
const newestRequest = (
  { store, log }: Pick<Deps, "store" | "log">,
  holder: TokenHolder | undefined,
  fits: Fits = () => true,
): string | undefined => {
  const isSeen: Fits = ({ appId }) => (holder === undefined ? !isHidden(store.world, appId) : appId === holder.appId);
  return log.newest((row) => isSeen(row) && fits(row))?.id;
};

/** @returns the id of the newest request for a code, of this app or of all; `latest` itself if there is none. */
export const newestAsking = (
  deps: Pick<Deps, "store" | "log">,
  holder: TokenHolder | undefined,
  appId: string | undefined,
): string =>
  newestRequest(
    deps,
    holder,
    (row) =>
      row.listener === "auth" &&
      row.method === "POST" &&
      (appId === undefined || row.appId === appId || row.appId === null),
  ) ?? "latest";

/** @returns the id that a path means: for `latest` the newest one, or the word itself if there is none yet. */
export const pathId = (
  id: string,
  { path }: Pick<Operation, "path">,
  deps: Pick<Deps, "store" | "log">,
  holder: TokenHolder | undefined,
): string => {
  const kind = id === "latest" ? KINDS.exec(path)?.[1] : undefined;
  if (kind === undefined) return id;
  if (kind === "requests") return newestRequest(deps, holder) ?? id;
  const world = holder?.world(deps.store.world) ?? deps.store.world;
  if (kind === "passcodes" || kind === "sessions" || kind === "connections") return newestRecord(world, kind) ?? id;
  return id;
};
