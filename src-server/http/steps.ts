/**
 * The checks of a request as named steps, in the order of CONTRACT 5: secret, profile, content type, size, JSON,
 * fields; then faults. An operation only has the steps that its table row needs.
 */
import type { Request, Response } from "express";
import { BOUNDS } from "#contract/bounds.ts";
import { effectiveSettings } from "#contract/effective-settings.ts";
import type { Problem } from "#contract/problems.ts";
import type { ProfileRecord } from "#contract/records.ts";
import { type Listener, meetsFaults, type Operation } from "#contract/routes.ts";
import { type JsonObject, readUuid } from "#contract/scalars.ts";
import { type FieldErrors, fieldErrors, mergeErrors, namesIn, unknownNames } from "#contract/validation.ts";
import type { AppWorld } from "#domain/world.ts";
import type { Answers } from "./answer.ts";
import { appOfSecret } from "./auth.ts";
import { BodiesUnderWay } from "./bodies-under-way.ts";
import { confine, confineBody, visitorOf } from "./confinement.ts";
import type { Deps } from "./deps.ts";
import { createMeetFault } from "./meet-fault.ts";
import { type BodyLimits, readJsonObject, refuseUnsupportedBody } from "./read-body.ts";
import type { Exchange } from "./traffic/exchange.ts";

/** A request on its way through the steps, and their results. */
export interface Visit {
  readonly operation: Operation;
  readonly req: Request;
  readonly res: Response;
  readonly exchange: Exchange;
  /** The app of the secret, and the profile of the path; for operations with `auth: "secret"`. */
  app?: AppWorld;
  profile?: ProfileRecord;
  /** The body as sent; `{}` if absent. */
  raw: JsonObject;
  /** Query and body, parsed with the operation's schemas. */
  query: unknown;
  body: unknown;
  /** Whether a step has awaited, so that other requests may have changed the world. */
  hasWaited: boolean;
}

/** @returns a refusal; `"ended"` if a response was sent or the client disconnected; undefined for the next step. */
export type Step = (visit: Visit) => StepResult | Promise<StepResult>;
/** @see Step */
type StepResult = Problem | "ended" | undefined;

/** @returns the parsed query. In the control API unknown parameters are errors (CONTRACT 6, strictness). */
const readQuery = (
  { query, listener }: Pick<Operation, "query" | "listener">,
  req: Request,
): { readonly data: unknown; readonly errors: FieldErrors } => {
  const mark = req.url.indexOf("?");
  const given = new URLSearchParams(mark < 0 ? "" : req.url.slice(mark));
  const known = query === undefined ? [] : Object.keys(query.shape);
  const unknown = listener === "console" ? [...given.keys()].filter((name) => !known.includes(name)) : [];
  const errors = unknownNames(unknown, known);
  for (const name of known) if (given.getAll(name).length > 1) errors[name] = ["must be given once"];
  if (query === undefined) return { data: undefined, errors };
  const parsed = query.safeParse(Object.fromEntries(given), { reportInput: true });
  return parsed.success
    ? { data: parsed.data, errors }
    : { data: undefined, errors: mergeErrors(errors, fieldErrors(parsed.error)) };
};

/** Parses query and body, and reports the errors of both at once. */
const readFields: Step = (visit) => {
  const { operation, req, raw, app } = visit;
  const own = app === undefined ? undefined : operation.queryOf?.(effectiveSettings(app.app.settings));
  const query = readQuery(own === undefined ? operation : { query: own, listener: operation.listener }, req);
  visit.query = query.data;
  let errors = query.errors;
  if (operation.body !== undefined && operation.checkedBy !== "rule") {
    const body = operation.body.safeParse(raw, { reportInput: true });
    visit.body = body.data;
    if (!body.success) errors = mergeErrors(errors, fieldErrors(body.error, { known: namesIn(operation.body) }));
  } else visit.body = operation.body === undefined ? undefined : raw;
  return Object.keys(errors).length === 0 ? undefined : { code: "invalid_fields", fields: errors };
};

/** @returns the app that a control API request names; undefined if none. */
const appNamedBy = ({ req, raw, query }: Visit): string | undefined => {
  const inQuery = typeof query === "object" && query !== null && "appId" in query ? query.appId : undefined;
  const named = req.params["appId"] ?? inQuery ?? raw["appId"];
  return typeof named === "string" ? named : undefined;
};

/** For operations without a body. */
const refuseForeignBody: Step = ({ req }) => refuseUnsupportedBody(req);

/** @returns a function that returns the steps of an operation. */
export const createSteps = (
  listener: Listener,
  deps: Deps,
  answers: Answers,
): ((operation: Operation, id: string) => readonly Step[]) => {
  const { store, faults, leases, refusedSecrets } = deps;
  const meetFault = createMeetFault(deps, answers);
  const underWay = new BodiesUnderWay();
  const entries = listener === "console" ? Number.POSITIVE_INFINITY : BOUNDS.bodyEntries.most;
  /** Imports are large, and come from this machine. */
  const limitsOf = ({ maxBodyBytes, takesForm }: Operation): BodyLimits =>
    maxBodyBytes === undefined
      ? { bytes: deps.bodyLimitBytes, entries, underWay, form: takesForm === true }
      : { bytes: maxBodyBytes, entries };

  /** Resolves the app of the secret, and the profile of the path. */
  const identify: Step = (visit) => {
    const { req, exchange } = visit;
    const found = appOfSecret(store.world, req, refusedSecrets);
    if ("problem" in found) return found.problem;
    visit.app = found.app;
    exchange.appId = found.app.app.appId;
    const { userId } = req.params;
    if (typeof userId !== "string") return undefined;
    const id = readUuid(userId);
    const profile = id === undefined ? undefined : found.app.find("profiles", id);
    if (profile === undefined) {
      const isAgain = id !== undefined && visit.operation.method === "DELETE";
      const { again } = effectiveSettings(found.app.app.settings).delete;
      if (!isAgain || again !== 204) return { code: "unknown_profile" };
      answers.send(visit.res, 204, null);
      return "ended";
    }
    visit.profile = profile;
    exchange.userId = profile.userId;
    return undefined;
  };

  const readBody: Step = async (visit) => {
    const { operation, req, res, exchange } = visit;
    visit.hasWaited = true;
    const read = await readJsonObject(req, limitsOf(operation));
    if (read === "gone") return "ended";
    if (read === "closed") {
      exchange.reason = "too_many_bodies";
      answers.hangUp(res, "drop");
      return "ended";
    }
    if (read.bytes !== null) exchange.keepBody(read.bytes);
    if ("problem" in read) return read.problem;
    visit.raw = read.body;
    return undefined;
  };

  /** Faults apply here: the request is complete and its sender known, but no rule has run. */
  const meetFaults: Step = (visit) => {
    if (!faults.any) return undefined;
    visit.hasWaited = true;
    const { operation, req, res, exchange, app, raw } = visit;
    return meetFault(operation, req, res, exchange, app, raw).then((ended) => (ended ? "ended" : undefined));
  };

  /** While the body arrived or a fault delayed, the app or profile may have been deleted or replaced. */
  const identifyAgain: Step = (visit) => (visit.hasWaited ? identify(visit) : undefined);

  /** Naming an app renews its lease, except for a browser that only reads it (CONTRACT 13, leases). */
  const keepLease: Step = (visit) => {
    const visitor = visitorOf(visit.res);
    const named = visitor?.may === "app" ? visitor.appId : appNamedBy(visit);
    const looksOnly = visit.operation.method === "GET" && visit.req.headers["sec-fetch-site"] !== undefined;
    const appId = looksOnly ? undefined : named;
    const release = appId === undefined ? undefined : leases.hold(appId);
    if (release !== undefined) visit.res.once("close", release);
    return undefined;
  };

  /** Restricts tokens other than the console's own (CONTRACT 13, leases). */
  const confineRequest =
    (id: string): Step =>
    ({ req, res }) => {
      const visitor = visitorOf(res);
      return visitor && confine(visitor, id, req, (row) => deps.log.row(row)?.appId ?? null);
    };
  const confineToApp =
    (id: string): Step =>
    ({ res, raw }) => {
      const visitor = visitorOf(res);
      return visitor && confineBody(visitor, id, raw);
    };

  return (operation, id) => {
    const withSecret = operation.auth === "secret";
    const checksForeignBody = listener === "console" && operation.method !== "GET";
    const isGuarded = listener === "console" && deps.bound !== null;
    return [
      ...(isGuarded ? [confineRequest(id)] : []),
      ...(withSecret ? [identify] : []),
      ...(operation.body !== undefined ? [readBody] : checksForeignBody ? [refuseForeignBody] : []),
      ...(isGuarded ? [confineToApp(id)] : []),
      ...(operation.body !== undefined || operation.query !== undefined || listener === "console" ? [readFields] : []),
      ...(listener === "console" ? [keepLease] : []),
      ...(meetsFaults(operation) ? [meetFaults] : []),
      ...(withSecret ? [identifyAgain] : []),
    ];
  };
};
