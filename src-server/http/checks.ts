/** The checks of a request as named steps, in their order. An operation has those that its row needs. */
import { BOUNDS } from "#contract/bounds.ts";
import type { Check } from "#contract/control/requests.ts";
import { isEmulated, type Listener, type Operation, readsBody } from "#contract/control/routes.ts";
import { readUuid } from "#contract/scalars.ts";
import { effectiveSettings } from "#contract/service/effective-settings.ts";
import { type Problem, whatToDo } from "#contract/service/problems.ts";
import { type FieldErrors, fieldErrors, mergeErrors, namesIn, unknownNames } from "#contract/validation.ts";
import { BodiesUnderWay, weighingFor } from "./bodies/bodies-under-way.ts";
import { type BodyLimits, readJsonObject } from "./bodies/read-body.ts";
import type { Deps } from "./deps.ts";
import { appOfSecret, queryIn } from "./guards/auth.ts";
import type { Answers, PendingCall, Run, Step } from "./handler.ts";
import { HeavyQueue } from "./heavy-queue.ts";
import { placeApp, withPlaceOfApp } from "./place-app.ts";

/** From so many profiles on, what concerns all of them is heavy. */
const MANY_PROFILES = 10_000;

/** Parses the query. In the control API unknown parameters are errors. */
const readQuery = (pending: PendingCall): FieldErrors => {
  const { operation, url, app } = pending;
  const settings = app && effectiveSettings(app.app.settings);
  const own = settings && operation.queryOf?.(settings);
  const query = own ?? operation.query;
  const given = queryIn(url);
  const known = Object.keys(query?.shape ?? {});
  const unknown = operation.listener === "console" ? [...given.keys()].filter((name) => !known.includes(name)) : [];
  const errors = unknownNames(unknown, known);
  for (const name of known) {
    if (given.getAll(name).length < 2) continue;
    if (own !== undefined && settings?.list.badParameter === "ignore") given.delete(name);
    else errors[name] = ["must be given once"];
  }
  const parsed = query?.safeParse(Object.fromEntries(given), { reportInput: true });
  pending.query = parsed?.data;
  return parsed?.error === undefined ? errors : mergeErrors(errors, fieldErrors(parsed.error));
};

/** Notes what the query has that the operation of the service ignores (D10). */
const noteQuery: Run = ({ operation: { query, queryOf }, app, req, exchange }) => {
  if (!req.url.includes("?")) return undefined;
  const settings = app && effectiveSettings(app.app.settings);
  const known = Object.keys(((settings && queryOf?.(settings)) ?? query)?.shape ?? {});
  const names = [...queryIn(req.url).keys()].filter((name) => !known.includes(name));
  if (names.length === 0) return undefined;
  if (settings?.unknownFields === "refuse") return { code: "invalid_fields", fields: unknownNames(names, known) };
  exchange.ignoresQuery(names);
  return undefined;
};

/** @returns the problem of a body, with what the operation says to whoever sends something else. */
const withOtherBodies = (problem: Problem, { otherBodies }: Operation): Problem => {
  if (otherBodies === undefined) return problem;
  const { without, says } = otherBodies;
  const { fields } = problem;
  const said = fields?.[without];
  if (fields === undefined) return { ...problem, instruction: `${whatToDo(problem)} ${says}` };
  return said === undefined ? problem : { ...problem, fields: { ...fields, [without]: [...said, says] } };
};

/** Parses query and body, and reports the errors of both at once. */
const readFields: Run = (pending) => {
  const { raw } = pending;
  const { body, checkedBy } = pending.operation;
  let errors = readQuery(pending);
  pending.body = raw;
  if (body !== undefined && checkedBy !== "rule") {
    const parsed = body.safeParse(raw, { reportInput: true });
    pending.body = parsed.data;
    if (!parsed.success) errors = mergeErrors(errors, fieldErrors(parsed.error, { known: namesIn(body) }));
  }
  // The control API reads it so that nothing is ignored.
  if (body === undefined) errors = mergeErrors(errors, unknownNames(Object.keys(raw), []));
  errors = withPlaceOfApp(pending, errors);
  if (Object.keys(errors).length === 0) return undefined;
  return withOtherBodies({ code: "invalid_fields", fields: errors }, pending.operation);
};

const appNamedBy = ({ req, raw, query }: PendingCall): string | undefined => {
  const inQuery = typeof query === "object" && query !== null && "appId" in query ? query.appId : undefined;
  const named = req.params["appId"] ?? inQuery ?? raw["appId"];
  return typeof named === "string" ? named : undefined;
};

/** @returns a function that returns the steps of an operation. */
export const createSteps = (
  listener: Listener,
  deps: Deps,
  answers: Answers,
): ((operation: Operation, stream: Run | undefined) => readonly Step[]) => {
  const { store, checks, leases, ports } = deps;
  const underWay = new BodiesUnderWay();
  const queue = new HeavyQueue();
  const entries = listener === "console" ? Number.POSITIVE_INFINITY : BOUNDS.bodyEntries.most;
  /** Imports are large. Those of the owner are not counted. */
  const limitsOf = ({ operation: { maxBodyBytes, takesForm }, holder }: PendingCall): BodyLimits => {
    if (maxBodyBytes === undefined)
      return { bytes: checks.bodyLimitBytes, entries, underWay, form: takesForm === true };
    if (holder === undefined) return { bytes: maxBodyBytes, entries };
    return { bytes: maxBodyBytes, entries, underWay, weigh: weighingFor(store.shares, holder.appId ?? "") };
  };

  /** @returns the app that a heavy request is about (empty: all); undefined: it need not stand in the queue. */
  const heavyApp = ({ operation, holder, req, raw }: PendingCall): string | undefined => {
    const { heavy } = operation;
    if (heavy === undefined) return undefined;
    const appId = holder?.appId ?? queryIn(req.url).get("appId") ?? "";
    if (heavy === "always") return appId;
    if (heavy === "like") return raw["like"] === undefined ? undefined : appId;
    const apps = appId === "" ? store.world.apps : [store.world.app(appId)];
    const profiles = apps.reduce((sum, app) => sum + (app?.profiles.length ?? 0), 0);
    return profiles > MANY_PROFILES ? appId : undefined;
  };

  const standInQueue: Run = async (pending) => {
    const appId = heavyApp(pending);
    if (appId === undefined) return undefined;
    pending.hasWaited = true;
    const { res, holder, operation } = pending;
    // Its client has left already: nothing would give its place up.
    if (res.closed || res.destroyed) return { code: "busy" };
    const asked = { appId, kind: `${operation.method} ${operation.path}`, isBound: holder !== undefined };
    const isIn = await queue.turn(asked, (giveUp) => res.once("close", giveUp));
    return isIn ? undefined : { code: "busy", headers: { "Retry-After": "5" } };
  };

  const findApp: Run = (pending) => {
    const { req, exchange } = pending;
    const found = appOfSecret(store.world, req, checks.refusedSecrets);
    if ("problem" in found) return found.problem;
    pending.app = found.app;
    exchange.appId = found.app.app.appId;
    return undefined;
  };

  const findProfile: Run = (pending) => {
    const { req, exchange, app } = pending;
    const { userId } = req.params;
    if (app === undefined || typeof userId !== "string") return undefined;
    const id = readUuid(userId);
    const profile = id === undefined ? undefined : app.find("profiles", id);
    if (profile === undefined) {
      const isAgain = id !== undefined && pending.operation.method === "DELETE";
      const { again } = effectiveSettings(app.app.settings).delete;
      if (!isAgain || again !== 204) return { code: "unknown_profile" };
      answers.send(pending.res, 204, null);
      return "ended";
    }
    pending.profile = profile;
    exchange.userId = profile.userId;
    return undefined;
  };

  const readBody: Run = async (pending) => {
    const { operation, req, res, exchange } = pending;
    pending.hasWaited = true;
    const read = await readJsonObject(req, limitsOf(pending));
    if (read === "gone") return "ended";
    if (read === "closed") {
      exchange.reason = "too_many_bodies";
      answers.hangUp(res, "drop");
      return "ended";
    }
    if (read.bytes !== null) exchange.keepBody(read.bytes);
    if ("problem" in read) return withOtherBodies(read.problem, operation);
    pending.raw = read.body;
    return undefined;
  };

  const meetFault: Run = (pending) => {
    const meeting = ports.faults.meet(pending, answers);
    if (meeting !== undefined) pending.hasWaited = true;
    return meeting;
  };

  /** While the body arrived or others delayed it, the app or profile may have been deleted or replaced. */
  const again =
    (run: Run): Run =>
    (pending) =>
      pending.hasWaited ? run(pending) : undefined;

  const tellScope: Run = (pending) => {
    const appId = pending.holder?.appId ?? appNamedBy(pending);
    if (appId !== undefined) leases.scoped(appId, pending);
    return undefined;
  };

  const confineRequest: Run = (pending) => {
    if (pending.holder === undefined) return undefined;
    const confined = pending.holder.url(pending.operation, pending.req);
    if ("problem" in confined) return confined.problem;
    pending.url = confined.url;
    return undefined;
  };
  const confineToApp: Run = (pending) => {
    if (pending.holder === undefined) return undefined;
    const confined = pending.holder.body(pending.operation, pending.raw);
    if ("problem" in confined) return confined.problem;
    pending.raw = confined.body;
    return undefined;
  };

  return (operation, stream) => {
    const withSecret = operation.auth === "secret";
    const isConsole = listener === "console";
    const readsFields = operation.body !== undefined || operation.query !== undefined || isConsole;
    const steps: [wanted: boolean, check: Check, run: Run][] = [
      [isConsole, "access", confineRequest],
      [withSecret, "secret", findApp],
      [withSecret, "profile", findProfile],
      [operation.heavy !== undefined && operation.heavy !== "like", "access", standInQueue],
      [isEmulated(operation), "fields", noteQuery],
      [readsBody(operation), "body", readBody],
      [operation.heavy === "like", "access", standInQueue],
      [isConsole && stream === undefined, "fields", placeApp],
      [isConsole && stream === undefined, "access", confineToApp],
      [readsFields, "fields", readFields],
      [isConsole && stream === undefined, "access", tellScope],
      [isEmulated(operation), "fault", meetFault],
      [withSecret, "secret", again(findApp)],
      [withSecret, "profile", again(findProfile)],
    ];
    if (stream !== undefined) steps.push([true, "rule", stream]);
    return steps.flatMap(([wanted, check, run]) => (wanted ? [{ check, run }] : []));
  };
};
