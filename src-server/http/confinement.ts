/**
 * Restricts tokens other than the console's own (CONTRACT 13): a join token creates leased apps, and gets an app-bound
 * token with each; a bound token reads and changes that app, and nothing else.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Response } from "express";
import type { Problem } from "#contract/problems.ts";
import type { AppRecord } from "#contract/records.ts";
import type { OperationId } from "#contract/routes.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "#contract/scalars.ts";
import type { AppWorld, World } from "#domain/world.ts";

/** Who calls, if not with the console's own token; undefined means unrestricted. */
export type Visitor = { readonly may: "join" } | { readonly may: "app"; readonly appId: string };

/** @returns who calls the console. */
export const visitorOf = ({ locals }: Response): Visitor | undefined => {
  const visitor: unknown = locals["visitor"];
  return isVisitor(visitor) ? visitor : undefined;
};

const isVisitor = (value: unknown): value is Visitor => typeof value === "object" && value !== null && "may" in value;

/** App-bound tokens, derived from the join token, so that they survive a restart. */
export class BoundTokens {
  readonly #joinToken: string;

  constructor(joinToken: string) {
    this.#joinToken = joinToken;
  }

  /** @returns the token of an app; a later app with the same id has another one. */
  of({ appId, createdAt, seq }: AppRecord): string {
    const mac = createHmac("sha256", this.#joinToken).update(`${appId} ${createdAt} ${seq}`);
    return `${appId}.${mac.digest("base64url")}`;
  }

  /** @returns the app of a bound token; undefined if it is not one, or the app was deleted. */
  appOf(given: string, world: World): AppWorld | undefined {
    const app = world.app(given.slice(0, given.lastIndexOf(".")));
    if (app === undefined) return undefined;
    const [own, other] = [Buffer.from(this.of(app.app)), Buffer.from(given)];
    return own.length === other.length && timingSafeEqual(own, other) ? app : undefined;
  }
}

/**
 * Where an operation names its app. `path`, `query`, `body`: there; filled in if optional. `own`: through the id of a
 * record, which must be in that app. `row`: through the id of a request, whose row names it.
 */
type Place = "path" | "query" | "body" | "own" | "row";

/** What a bound token may do; everything else is refused. */
const PLACES = {
  listApps: "own",
  readApp: "path",
  updateApp: "path",
  deleteApp: "path",
  searchProfiles: "query",
  addProfile: "body",
  readProfile: "query",
  changeProfile: "query",
  removeProfile: "query",
  removeProfiles: "body",
  listPasscodes: "query",
  sendPasscode: "body",
  clearPasscodes: "query",
  latestPasscode: "query",
  readPasscode: "own",
  expirePasscode: "own",
  listSessions: "query",
  addSession: "body",
  revokeSessions: "query",
  introspect: "own",
  readSessionItem: "own",
  readSessionToken: "own",
  signToken: "own",
  expireSession: "own",
  revokeSession: "own",
  listConnections: "query",
  addConnection: "body",
  readConnection: "own",
  changeConnection: "own",
  removeConnection: "own",
  listRequests: "query",
  readRequest: "row",
  requestCurl: "row",
  requestBundle: "row",
  resendRequest: "row",
  readState: "query",
  writeState: "query",
  resetState: "query",
  readClock: "query",
  setClock: "query",
  advanceClock: "query",
  listSnapshots: "query",
  saveSnapshot: "query",
  removeSnapshot: "query",
  restoreSnapshot: "query",
  diffSnapshot: "query",
  listFaults: "query",
  addFault: "body",
  clearFaults: "query",
  streamEvents: "query",
} satisfies Partial<Record<OperationId, Place>>;
const BY_OPERATION: ReadonlyMap<string, Place> = new Map(Object.entries(PLACES));

const REFUSED: Problem = { code: "not_your_app" };

/** The parts of a request that name an app. */
interface Naming {
  readonly params: Readonly<Record<string, unknown>>;
  url: string;
}

const inQuery = (req: Naming, appId: string): Problem | undefined => {
  const mark = req.url.indexOf("?");
  const given = new URLSearchParams(mark < 0 ? "" : req.url.slice(mark)).getAll("appId");
  if (given.some((one) => one !== appId)) return REFUSED;
  if (given.length === 0) req.url += `${mark < 0 ? "?" : "&"}appId=${encodeURIComponent(appId)}`;
  return undefined;
};

/**
 * Called before the body is read. @param rowApp the app in the row of a request.
 * @returns why the visitor may not do this; undefined if the request only concerns its app.
 */
export const confine = (
  visitor: Visitor,
  operation: string,
  req: Naming,
  rowApp: (id: string) => string | null,
): Problem | undefined => {
  if (visitor.may === "join") return operation === "createApp" ? undefined : REFUSED;
  const { appId } = visitor;
  switch (BY_OPERATION.get(operation)) {
    case "path":
      return req.params["appId"] === appId ? undefined : REFUSED;
    case "query":
      return inQuery(req, appId);
    case "row":
      return rowApp(String(req.params["id"])) === appId ? undefined : REFUSED;
    case "own":
    case "body":
      return undefined;
    default:
      return REFUSED;
  }
};

/** Settings that affect other apps or this machine: `unknownAppStatus`, and delivery to devices. */
const FOR_ALL = /^(unknownAppStatus|delivery)(\.|$)/;

/** @returns whether a body contains such a setting, in `settings` at any depth. */
const reachesFurther = (value: JsonValue | undefined): boolean => {
  if (Array.isArray(value)) return value.some(reachesFurther);
  if (!isJsonObject(value)) return false;
  const { settings, state, apps } = value;
  return (
    (isJsonObject(settings) && Object.keys(settings).some((name) => FOR_ALL.test(name))) ||
    [state, apps].some(reachesFurther)
  );
};

/** Called with the body: fills in the app if it is optional. @returns why the visitor may not send this body. */
export const confineBody = (visitor: Visitor, operation: string, raw: JsonObject): Problem | undefined => {
  if (reachesFurther(raw)) return { code: "setting_for_all" };
  if (visitor.may === "join") return raw["ttlSeconds"] === undefined ? { code: "lease_required" } : undefined;
  if (BY_OPERATION.get(operation) !== "body") return undefined;
  if (raw["appId"] !== undefined && raw["appId"] !== visitor.appId) return REFUSED;
  raw["appId"] = visitor.appId;
  return undefined;
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
