/** Moves `appId`, which may stand in query, body or `match`, to where the operation reads it. */

import type { Operation } from "#contract/control/routes.ts";
import { isJsonObject } from "#contract/scalars.ts";
import { problem } from "#contract/service/problems.ts";
import { type FieldErrors, namesIn } from "#contract/validation.ts";
import { queryIn } from "./guards/auth.ts";
import type { PendingCall, StepResult } from "./handler.ts";

/** Where an operation reads its app; undefined: it is about no app, about that of its path or record, or about a new one. */
const placeOf = ({ query, body, bound }: Operation): "query" | "body" | "match" | undefined => {
  if (bound === "new") return undefined;
  if (bound === "match") return "match";
  if (query !== undefined && Object.hasOwn(query.shape, "appId")) return "query";
  return body !== undefined && namesIn(body)([]).includes("appId") ? "body" : undefined;
};

const withParameter = (url: string, appId: string): string =>
  `${url}${url.includes("?") ? "&" : "?"}appId=${encodeURIComponent(appId)}`;

const withoutParameter = (url: string): string => {
  const [path = "", query = ""] = url.split("?", 2);
  const kept = query.split("&").filter((part) => !/^appId(=|$)/.test(part));
  return kept.length === 0 ? path : `${path}?${kept.join("&")}`;
};

/** Moves it. @returns a 422 if two places name two apps. */
export const placeApp = (pending: PendingCall): StepResult => {
  const { raw, operation, holder } = pending;
  const place = placeOf(operation);
  if (place === undefined) return undefined;
  const inQuery = queryIn(pending.url).get("appId");
  const { appId: inBody, ...rest } = raw;
  const match = place === "match" ? (raw["match"] ?? {}) : {};
  if ((place === "query" || inQuery === null) && (place === "body" || inBody === undefined)) return undefined;
  // A match that is no object, or an id that is no text, is refused where the fields are read.
  if (!isJsonObject(match) || (inBody !== undefined && typeof inBody !== "string")) return undefined;
  const inMatch = match["appId"];
  const named = [inQuery, inBody, inMatch].filter((one) => typeof one === "string");
  const [appId, other] = new Set(named);
  if (appId === undefined) return undefined;
  if (other !== undefined)
    return holder === undefined
      ? problem("invalid_fields", {
          fields: { appId: [`is ${JSON.stringify(appId)} in one place and ${JSON.stringify(other)} in another`] },
        }).problem
      : { code: "not_your_app" };
  if (place === "query") {
    pending.raw = rest;
    if (inQuery === null) pending.url = withParameter(pending.url, appId);
    return undefined;
  }
  pending.url = withoutParameter(pending.url);
  pending.raw = place === "body" ? { ...raw, appId } : { ...rest, match: { ...match, appId } };
  return undefined;
};

/** @returns the errors; of an `appId` that has no place, where it belongs. */
export const withPlaceOfApp = ({ operation, req }: PendingCall, errors: FieldErrors): FieldErrors => {
  const isUnknown = errors["appId"]?.some((text) => text.startsWith("is unknown")) === true;
  if (!isUnknown || operation.listener !== "console" || placeOf(operation) !== undefined) return errors;
  const where = Object.hasOwn(req.params, "id")
    ? "does not belong here: the id in the path says which app it is"
    : operation.path.includes(":appId")
      ? "belongs in the path"
      : "does not belong here: this call is about all apps";
  return { ...errors, appId: [where] };
};
