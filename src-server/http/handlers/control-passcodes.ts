/**
 * The control API: passcodes, and waiting for one (CONTRACT 6).
 */
import type { LatestQuery, PasscodeItem } from "#contract/passcodes.ts";
import { problem } from "#contract/problems.ts";
import { foldUsername, readUuid } from "#contract/scalars.ts";
import type { Change } from "#domain/decision.ts";
import type { Env } from "#domain/env.ts";
import { clearPasscodes, expirePasscode, passcodeItem, passcodeStatus, sendPasscode } from "#domain/passcodes.ts";
import type { World } from "#domain/world.ts";
import type { Deps } from "../deps.ts";
import type { Handlers } from "../handler.ts";
import { appOfBody, appsOf, type Found, findRecord, newestFirst, newestOf } from "../select.ts";
import { waitFor } from "../wait-for.ts";

/** The seq that `after` means: a seq itself, or that of a passcode; undefined if it is neither. */
const seqOf = (world: World, after: string | undefined): number | undefined => {
  if (after === undefined) return 0;
  if (/^\d{1,15}$/.test(after)) return Number(after);
  return findRecord(world, "passcodes", readUuid(after))?.record.seq;
};

/** @returns the newest passcode that the query means, as of now. */
const latest = (world: World, query: LatestQuery, afterSeq: number, env: Env): Found<"passcodes"> | undefined => {
  const to = query.to === undefined ? undefined : foldUsername(query.to);
  return newestOf(
    appsOf(world, query.appId),
    "passcodes",
    afterSeq,
    ({ app, record }) =>
      (to === undefined || foldUsername(record.to) === to) &&
      (query.requestId === undefined || record.requestId === query.requestId) &&
      (query.status === "any" ||
        (record.delivery === "sent" && passcodeStatus(record, env.now(app.app.appId)) === query.status)),
  );
};

/** @returns whether a change may make another passcode the one that the query means: one is put, or time moves. */
const concerning = ({ to, appId }: LatestQuery): ((change: Change) => boolean) => {
  const folded = to === undefined ? undefined : foldUsername(to);
  return (change) => {
    if (!("put" in change)) return false;
    if (change.put === "clock") return true;
    if (change.put !== "passcodes" || (appId !== undefined && change.appId !== appId)) return false;
    return folded === undefined || foldUsername(change.record.to) === folded;
  };
};

type PasscodeOperations =
  | "listPasscodes"
  | "sendPasscode"
  | "clearPasscodes"
  | "latestPasscode"
  | "readPasscode"
  | "expirePasscode";

/** @returns the handlers of passcodes. */
export const createControlPasscodeHandlers = ({
  store,
  devices,
}: Deps): Pick<Handlers<"console">, PasscodeOperations> => {
  const show = ({ app, record }: Found<"passcodes">, env: Env): PasscodeItem =>
    passcodeItem(app.app.appId, record, env.now(app.app.appId), devices.devicesOf(record.id));
  return {
    listPasscodes: ({ world, env, query: { appId, to, status, limit } }) => {
      const folded = to === undefined ? undefined : foldUsername(to);
      const fits = ({ app, record }: Found<"passcodes">): boolean =>
        (folded === undefined || foldUsername(record.to) === folded) &&
        (status === undefined || passcodeStatus(record, env.now(app.app.appId)) === status);
      const { found, total } = newestFirst(
        appsOf(world, appId),
        "passcodes",
        limit,
        folded === undefined && status === undefined ? undefined : fits,
      );
      return { status: 200, body: { items: found.map((entry) => show(entry, env)), total } };
    },
    sendPasscode: ({ world, body, env }) => {
      const of = appOfBody(world, body.appId);
      if ("problem" in of) return of;
      const outcome = store.transact((w) => sendPasscode(w, of.app, body.userId, env));
      if (!outcome.ok) return outcome;
      devices.deliver(of.app.app, outcome.value);
      return { status: 201, body: show({ app: of.app, record: outcome.value }, env) };
    },
    clearPasscodes: ({ world, query }) => {
      const outcome = store.transact((w) => clearPasscodes(w, appsOf(world, query.appId)));
      return outcome.ok ? { status: 204, body: null } : outcome;
    },
    latestPasscode: async ({ world, query, env, req }) => {
      const afterSeq = seqOf(world, query.after);
      if (afterSeq === undefined)
        return problem("invalid_fields", { fields: { after: ["must be the id of a passcode, or a seq"] } });
      const found = await waitFor(store, () => latest(world, query, afterSeq, env), concerning(query), query.wait, req);
      if (found === undefined) return problem("no_passcode");
      if (/^text\/plain\b/.test(req.headers.accept ?? "")) {
        return { status: 200, text: `${found.record.code}\n`, contentType: "text/plain; charset=utf-8" };
      }
      return { status: 200, body: show(found, env) };
    },
    readPasscode: ({ world, params, env }) => {
      const found = findRecord(world, "passcodes", params.id);
      return found === undefined ? problem("unknown_record") : { status: 200, body: show(found, env) };
    },
    expirePasscode: ({ world, params, env }) => {
      const found = findRecord(world, "passcodes", params.id);
      if (found === undefined) return problem("unknown_record");
      const outcome = store.transact((w) => expirePasscode(w, found.app, found.record.id, env));
      return outcome.ok ? { status: 200, body: show({ app: found.app, record: outcome.value }, env) } : outcome;
    },
  };
};
