/**
 * Restricts tokens other than the console's own (CONTRACT 13): a join token creates leased apps, and gets an app-bound
 * token with each; a bound token reads and changes that app, and nothing else.
 */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Response } from "express";
import { type Problem, problem } from "#contract/problems.ts";
import type { AppRecord } from "#contract/records.ts";
import type { Operation } from "#contract/routes.ts";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "#contract/scalars.ts";
import type { World } from "#domain/world.ts";
import { queryIn } from "./auth.ts";

/** Who calls, if not with the console's own token; undefined means unrestricted. */
export type Visitor = { readonly may: "join" } | { readonly may: "app"; readonly appId: string };

const isVisitor = (value: unknown): value is Visitor => typeof value === "object" && value !== null && "may" in value;

/** @returns who calls the console. */
export const visitorOf = ({ locals: { visitor } }: Response): Visitor | undefined =>
  isVisitor(visitor) ? visitor : undefined;

/** @returns the SHA-256 digest of a text. */
export const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
/** @returns whether two secrets are equal, in constant time. */
export const isSame = (given: string, secret: string): boolean => timingSafeEqual(digest(given), digest(secret));

/** The join token, and the app-bound tokens derived from it, so that they survive a restart. */
export class BoundTokens {
  readonly #joinToken: string;

  constructor(joinToken: string) {
    this.#joinToken = joinToken;
  }

  /** @returns the token of a joined app; a later app with the same id has another one. */
  of({ appId, joined }: AppRecord): string {
    const mac = createHmac("sha256", this.#joinToken).update(`${appId} ${joined}`);
    return `${appId}.${mac.digest("base64url")}`;
  }

  /** @returns the visitor with such a token; undefined if it is neither, or the app was deleted. */
  visitorWith(given: string, world: World): Visitor | undefined {
    if (isSame(given, this.#joinToken)) return { may: "join" };
    const app = world.app(given.slice(0, given.lastIndexOf(".")))?.app;
    return app?.joined !== undefined && isSame(given, this.of(app)) ? { may: "app", appId: app.appId } : undefined;
  }
}

/** The parts of a request that name an app. */
interface Naming {
  readonly params: Readonly<Record<string, unknown>>;
  readonly url: string;
}

const inQuery = (url: string, appId: string): string | undefined => {
  const given = queryIn(url).getAll("appId");
  if (given.some((one) => one !== appId)) return undefined;
  return given.length > 0 ? url : `${url}${url.includes("?") ? "&" : "?"}appId=${encodeURIComponent(appId)}`;
};

/** @returns the URL that only concerns the visitor's app; undefined if there is none. */
const urlFor = (
  visitor: Visitor,
  { bound }: Pick<Operation, "bound">,
  { params, url }: Naming,
  rowApp: (id: string) => string | null,
): string | undefined => {
  if (visitor.may === "join") return bound === "new" ? url : undefined;
  const { appId } = visitor;
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

/**
 * Called before the body is read. @param rowApp the app in the row of a request.
 * @returns the URL with the visitor's app where it names none, or why the visitor may not do this.
 */
export const confine = (
  ...request: Parameters<typeof urlFor>
): { readonly url: string } | { readonly problem: Problem } => {
  const url = urlFor(...request);
  return url === undefined ? problem("not_your_app") : { url };
};

/** Settings that affect other apps or this machine: `unknownAppStatus`, and delivery to devices. */
const FOR_ALL = /^(unknownAppStatus|delivery)(\.|$)/;

/** @returns whether a body contains such a setting, in `settings` at any depth. */
const reachesFurther = (value: JsonValue | undefined): boolean => {
  if (isJsonArray(value)) return value.some(reachesFurther);
  if (!isJsonObject(value)) return false;
  const { settings, state, apps } = value;
  return (
    (isJsonObject(settings) && Object.keys(settings).some((name) => FOR_ALL.test(name))) ||
    [state, apps].some(reachesFurther)
  );
};

/** @returns the body with the visitor's app, or why the visitor may not send this one. */
export const confineBody = (
  visitor: Visitor,
  { bound }: Pick<Operation, "bound">,
  body: JsonObject,
): { readonly body: JsonObject } | { readonly problem: Problem } => {
  if (reachesFurther(body)) return problem("setting_for_all");
  if (visitor.may === "join") return body["ttlSeconds"] === undefined ? problem("lease_required") : { body };
  const naming = bound === "body" ? body : bound === "match" ? (body["match"] ?? {}) : undefined;
  // A `match` that is no object is refused where the fields are read.
  if (!isJsonObject(naming)) return { body };
  const { appId } = visitor;
  if (naming["appId"] !== undefined && naming["appId"] !== appId) return problem("not_your_app");
  const named = { ...naming, appId };
  return { body: bound === "match" ? { ...body, match: named } : named };
};

/** @returns the world restricted to the visitor's app. */
export const worldFor = (visitor: Visitor, world: World): World => {
  if (visitor.may !== "app") return world;
  const app = world.app(visitor.appId);
  return {
    seq: world.seq,
    clock: world.clock,
    apps: app === undefined ? [] : [app],
    app: (appId) => (appId === visitor.appId ? world.app(appId) : undefined),
    appBySecret: () => undefined,
  };
};
