/** Who calls an open console without its own token: with the join token, or with one that is bound to an app. */
import type { Request, Response } from "express";
import type { Operation } from "#contract/control/routes.ts";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "#contract/scalars.ts";
import type { AppItem } from "#contract/service/apps.ts";
import { type Problem, problem } from "#contract/service/problems.ts";
import type { AppRecord } from "#contract/service/records.ts";
import { type World, worldOf } from "#domain/world.ts";
import { queryIn } from "./auth.ts";

type Bounded = Pick<Operation, "bound">;
/** Why a token holder may not do something. */
export interface Refused {
  readonly problem: Problem;
}

/** Someone without the console's own token. What its methods do not allow, it may not do. */
export interface TokenHolder {
  /** The app that it is held to; undefined: it has none yet. */
  readonly appId: string | undefined;
  /** Called before the body is read. @returns the URL, with its app where none is named. */
  url(operation: Bounded, naming: Pick<Request, "params" | "url">): { readonly url: string } | Refused;
  /** @returns the body, with its app where none is named. */
  body(operation: Bounded, body: JsonObject): { readonly body: JsonObject } | Refused;
  /** @returns what it sees of the world. */
  world(world: World): World;
  /** Called once it has created an app. @returns what it alone is told. */
  accessTo(app: AppRecord): Partial<AppItem>;
}

const isTokenHolder = (value: unknown): value is TokenHolder =>
  typeof value === "object" && value !== null && "appId" in value;

/** @returns who calls the console; undefined means with its own token, so unrestricted. */
export const tokenHolderOf = ({ locals: { holder } }: Response): TokenHolder | undefined =>
  isTokenHolder(holder) ? holder : undefined;

const inQuery = (url: string, appId: string): string | undefined => {
  const given = queryIn(url).getAll("appId");
  if (given.some((one) => one !== appId)) return undefined;
  return given.length > 0 ? url : `${url}${url.includes("?") ? "&" : "?"}appId=${encodeURIComponent(appId)}`;
};

/** Settings that affect other apps or this machine: `unknownAppStatus`, and delivery to devices. */
const FOR_ALL = /^(unknownAppStatus|delivery)(\.|$)/;

const hasSettingForAll = (value: JsonValue | undefined): boolean => {
  if (isJsonArray(value)) return value.some(hasSettingForAll);
  if (!isJsonObject(value)) return false;
  const { settings, state, apps } = value;
  const isSet = isJsonObject(settings) && Object.keys(settings).some((name) => FOR_ALL.test(name));
  return isSet || [state, apps].some(hasSettingForAll);
};

/** @returns why no one with such a token may send this body; undefined if they may. */
export const reachesFurther = (body: JsonValue): Refused | undefined =>
  hasSettingForAll(body) ? problem("setting_for_all") : undefined;

/** @param rowApp the app in the row of a request. @returns whoever has the token that is bound to the app. */
export const holderOf = (appId: string, rowApp: (id: string) => string | null): TokenHolder => ({
  appId,
  url: ({ bound }, { params, url }) => {
    const urls: Readonly<Partial<Record<NonNullable<typeof bound>, string | undefined>>> = {
      path: params["appId"] === appId ? url : undefined,
      query: inQuery(url, appId),
      row: bound === "row" && rowApp(String(params["id"])) === appId ? url : undefined,
      own: url,
      body: url,
      match: url,
    };
    const own = bound && urls[bound];
    return own === undefined ? problem("not_your_app") : { url: own };
  },
  body: ({ bound }, body) => {
    const refused = reachesFurther(body);
    if (refused !== undefined) return refused;
    const naming = bound === "body" ? body : bound === "match" ? (body["match"] ?? {}) : undefined;
    // A `match` that is no object is refused where the fields are read.
    if (!isJsonObject(naming)) return { body };
    if (naming["appId"] !== undefined && naming["appId"] !== appId) return problem("not_your_app");
    const named = { ...naming, appId };
    return { body: bound === "match" ? { ...body, match: named } : named };
  },
  world: (world) => ({ ...worldOf(world, appId), appBySecret: () => undefined }),
  // The row that creates apps has no place for it.
  accessTo: () => ({}),
});
