/** What a token that is bound to an app may do: read and change that app, and nothing else. */

import { isJsonArray, isJsonObject, type JsonValue } from "#contract/scalars.ts";
import { problem } from "#contract/service/problems.ts";
import { worldOf } from "#domain/world.ts";
import { queryIn } from "./auth.ts";
import type { Bounded, Refused, TokenHolder } from "./token-holder.ts";

const inQuery = (url: string, appId: string): string | undefined => {
  const given = queryIn(url).getAll("appId");
  if (given.some((one) => one !== appId)) return undefined;
  return given.length > 0 ? url : `${url}${url.includes("?") ? "&" : "?"}appId=${encodeURIComponent(appId)}`;
};

/** @returns the URL that only concerns the app; undefined if there is none. */
const urlFor = (
  appId: string,
  { bound }: Bounded,
  { params, url }: Parameters<TokenHolder["url"]>[1],
  rowApp: (id: string) => string | null,
): string | undefined => {
  switch (bound) {
    case "path":
      return params["appId"] === appId ? url : undefined;
    case "query":
      return inQuery(url, appId);
    case "row":
      return rowApp(String(params["id"])) === appId ? url : undefined;
    case "own":
    case "body":
    case "match":
      return url;
    default:
      return undefined;
  }
};

/** Settings that affect other apps or this machine: `unknownAppStatus`, and delivery to devices. */
const FOR_ALL = /^(unknownAppStatus|delivery)(\.|$)/;

/** @returns whether a body contains such a setting, in `settings` at any depth. */
const hasSettingForAll = (value: JsonValue | undefined): boolean => {
  if (isJsonArray(value)) return value.some(hasSettingForAll);
  if (!isJsonObject(value)) return false;
  const { settings, state, apps } = value;
  return (
    (isJsonObject(settings) && Object.keys(settings).some((name) => FOR_ALL.test(name))) ||
    [state, apps].some(hasSettingForAll)
  );
};

/** @returns why nobody with such a token may send this body; undefined if they may. */
export const reachesFurther = (body: JsonValue): Refused | undefined =>
  hasSettingForAll(body) ? problem("setting_for_all") : undefined;

/** @param rowApp the app in the row of a request. @returns whoever has the token that is bound to the app. */
export const holderOf = (appId: string, rowApp: (id: string) => string | null): TokenHolder => ({
  appId,
  url: (operation, naming) => {
    const url = urlFor(appId, operation, naming, rowApp);
    return url === undefined ? problem("not_your_app") : { url };
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
  made: () => ({}),
});
