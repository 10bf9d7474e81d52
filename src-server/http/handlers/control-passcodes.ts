/** The control API: passcodes, and waiting for one (CONTRACT 6). */
import type { LatestQuery } from "#contract/passcodes.ts";
import { invalid, problem } from "#contract/problems.ts";
import { foldUsername, readUuid } from "#contract/scalars.ts";
import type { Change } from "#domain/decision.ts";
import { clearPasscodes, expirePasscode, passcodeStatus, sendPasscode } from "#domain/passcodes.ts";
import { type Env, shownApps, type World } from "#domain/world.ts";
import type { Deps } from "../deps.ts";
import { waitFor } from "../events/wait-for.ts";
import type { Handlers } from "../handler.ts";
import {
  appOfBody,
  appOfQuery,
  appsOf,
  done,
  type Found,
  findRecord,
  made,
  newestFirst,
  ok,
  recordNamed,
  settled,
} from "../select.ts";
import { shownPasscode, userOfPasscode } from "../shown-passcode.ts";
import { tellSent } from "../tell-sent.ts";

/** @returns the seq given by `after`, directly or as the id of a passcode; undefined if it is neither. */
const seqOf = (world: World, after: string | undefined): number | undefined => {
  if (after === undefined) return 0;
  if (/^\d{1,15}$/.test(after)) return Number(after);
  return findRecord(world, "passcodes", readUuid(after))?.record.seq;
};

const standingOf = (found: Found<"passcodes">, env: Env) =>
  passcodeStatus(found.record, userOfPasscode(found), env.now(found.app.app.appId));

/** @returns whether this is the recipient; without one, always. */
const isTo = (to: string | undefined): ((recipient: string) => boolean) => {
  const folded = to === undefined ? undefined : foldUsername(to);
  return (recipient) => folded === undefined || foldUsername(recipient) === folded;
};

/** @returns the newest passcode that matches the query now; scans no further than necessary. */
const latest = (world: World, query: LatestQuery, afterSeq: number, env: Env): Found<"passcodes"> | undefined => {
  const isRecipient = isTo(query.to);
  let newest: Found<"passcodes"> | undefined;
  // The app may be deleted during the wait.
  const apps = query.appId === undefined ? shownApps(world) : [world.app(query.appId)];
  for (const app of apps) {
    if (app === undefined) break;
    const floor = newest?.record.seq ?? afterSeq;
    const record = app.passcodes.findLast(
      (one) =>
        one.seq <= floor ||
        (isRecipient(one.to) &&
          (query.requestId === undefined || one.requestId === query.requestId) &&
          (query.status === "any" ||
            (one.delivery === "sent" && standingOf({ app, record: one }, env) === query.status))),
    );
    if (record !== undefined && record.seq > floor) newest = { app, record };
  }
  return newest;
};

/** @returns whether a change can affect the result of the query: a passcode is stored, or a clock changes. */
const concerning = ({ to, appId }: LatestQuery): ((change: Change) => boolean) => {
  const isRecipient = isTo(to);
  return (change) => {
    if (!("put" in change)) return false;
    if (change.put === "clock") return true;
    if (change.put !== "passcodes" || (appId !== undefined && change.appId !== appId)) return false;
    return isRecipient(change.record.to);
  };
};

/** @returns the handlers of passcodes. */
export const createControlPasscodeHandlers = (deps: Deps) => {
  const { store, log, hooks } = deps;
  const show = (found: Found<"passcodes">, env: Env) => shownPasscode(hooks, found, env);
  return {
    listPasscodes: ({ world, env, query: { appId, to, status, limit } }) => {
      const isRecipient = isTo(to);
      const fits = ({ app, record }: Found<"passcodes">): boolean =>
        isRecipient(record.to) && (status === undefined || standingOf({ app, record }, env) === status);
      const isAny = to === undefined && status === undefined;
      const { found, total } = newestFirst(appsOf(world, appId), "passcodes", limit, isAny ? undefined : fits);
      return ok({ items: found.map((entry) => show(entry, env)), total });
    },
    sendPasscode: ({ cause, world, body, env }) => {
      const app = appOfBody(world, body);
      const record = settled(store.transact((w) => sendPasscode(w, app, body.userId, env), cause));
      tellSent(deps, app.app, record);
      log.logins.codeSent(app.app.appId, record.to, env.now());
      return made(show({ app, record }, env));
    },
    clearPasscodes: ({ cause, world, query }) => {
      settled(store.transact((w) => clearPasscodes(w, appsOf(world, query.appId)), cause));
      return done;
    },
    latestPasscode: async ({ world, query, env, req }) => {
      appOfQuery(world, query);
      const afterSeq = seqOf(world, query.after);
      if (afterSeq === undefined) return invalid({ after: ["must be the id of a passcode, or a seq"] });
      const found = await waitFor(store, () => latest(world, query, afterSeq, env), concerning(query), query.wait, req);
      if (found === undefined) return problem("no_passcode");
      if (/^text\/plain\b/.test(req.headers.accept ?? ""))
        return { status: 200, text: `${found.record.code}\n`, contentType: "text/plain; charset=utf-8" };
      return ok(show(found, env));
    },
    readPasscode: ({ world, params, env }) => ok(show(recordNamed(world, "passcodes", params["id"]), env)),
    expirePasscode: ({ cause, world, params, env }) => {
      const { app, record } = recordNamed(world, "passcodes", params["id"]);
      return ok(show({ app, record: settled(store.transact((w) => expirePasscode(w, app, record, env), cause)) }, env));
    },
  } satisfies Partial<Handlers<"console">>;
};
