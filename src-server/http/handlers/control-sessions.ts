import { routes } from "#contract/control/routes.ts";
import { invalid } from "#contract/service/problems.ts";
import type { SessionItem } from "#contract/service/sessions.ts";
import { usernameField } from "#contract/service/strategies.ts";
import { DEFECTS } from "#contract/service/token-defects.ts";
import { activeSession, addSession, expireSession, revokeSessions } from "#domain/session-control.ts";
import { sessionItem, sessionState } from "#domain/sessions.ts";
import { type AppWorld, type Env, shownApps, type World } from "#domain/world.ts";
import type { Deps } from "../deps.ts";
import type { Handlers } from "../handler.ts";
import { answerNewest } from "../lookups/newest-records.ts";
import { appOfBody, appsOf, done, type Found, made, ok, recordNamed } from "../lookups/select.ts";
import { createKeyLoans, createSessionSigner, createWrongSigner } from "../session-signer.ts";

const show = ({ app, record }: Found<"sessions">, env: Env): SessionItem =>
  sessionItem(app.app.appId, record, env.now(app.app.appId));

/** @returns the only app that has a user with this username; undefined if none or several have. */
const onlyAppWith = (world: World, to: string): AppWorld | undefined => {
  const [only, ...others] = shownApps(world).filter((app) => app.profileByUsername(to) !== undefined);
  return others.length === 0 ? only : undefined;
};

/** @returns the handlers of sessions. */
export const createControlSessionHandlers = (deps: Deps) => {
  const { tokens } = deps;
  const signSession = createSessionSigner(deps);
  const loans = createKeyLoans(tokens);
  const signWrong = createWrongSigner(deps, loans);
  return {
    listSessions: ({ world, env, query: { userId, state, ...query } }) => {
      const fits = ({ app, record }: Found<"sessions">): boolean =>
        (userId === undefined || record.userId === userId) &&
        (state === undefined || sessionState(record, env.now(app.app.appId)) === state);
      return answerNewest(deps, world, query, {
        collection: "sessions",
        fits: userId === undefined && state === undefined ? undefined : fits,
        show: (one) => show(one, env),
        schema: routes.listSessions.answers[200],
      });
    },
    addSession: async ({ change, world, body: { appId, userId, to, create = false, ttlSeconds }, env }) => {
      if ((userId === undefined) === (to === undefined))
        return invalid({
          userId: [userId === undefined ? "can't be blank, unless to is given" : "must be given, or to, not both"],
        });
      const only = to === undefined || appId !== undefined ? undefined : onlyAppWith(world, to);
      const app =
        only ?? appOfBody(world, { ...(appId !== undefined && { appId }), ...(userId !== undefined && { userId }) });
      const who = userId === undefined ? { to: to ?? "", create } : { userId };
      const record = change((w) => addSession(w, app, who, env, ttlSeconds));
      return made({ ...show({ app, record }, env), token: await signSession(app.app.appId, record) });
    },
    revokeSessions: ({ change, world, query: { appId, userId }, env }) => {
      const all = appsOf(world, appId).map(
        (app) => [app, userId === undefined ? app.sessions : app.of("sessions", userId)] as const,
      );
      change((w) => revokeSessions(w, all, env));
      return done;
    },
    introspect: async ({ world, body, env }) => {
      const read = await tokens.read(body.token);
      if ("refusal" in read) return ok({ active: false, reason: read.refusal });
      const { claims } = read;
      const active = activeSession(world, claims, env);
      if ("refusal" in active) return ok({ active: false, reason: active.refusal });
      const username = active.profile[usernameField(active.app.app)];
      const more = { client_id: claims.appId, token_type: "Bearer", ...(username === null ? {} : { username }) };
      return ok({ active: true, ...claims, ...more });
    },
    readSessionItem: ({ world, params, env }) => ok(show(recordNamed(world, "sessions", params["id"]), env)),
    readSessionToken: async ({ world, params }) => {
      const { app, record } = recordNamed(world, "sessions", params["id"]);
      return ok({ token: await signSession(app.app.appId, record) });
    },
    signToken: async ({ world, params, body: { defect, claims }, env }) => {
      const token = await signWrong(recordNamed(world, "sessions", params["id"]), defect, env, claims);
      return ok({ token, defect: defect ?? null, why: defect === undefined ? null : DEFECTS[defect].why });
    },
    expireSession: ({ change, world, params, env }) => {
      const { app, record } = recordNamed(world, "sessions", params["id"]);
      return ok(show({ app, record: change((w) => expireSession(w, app, record, env)) }, env));
    },
    revokeSession: ({ change, world, params, env }) => {
      const { app, record } = recordNamed(world, "sessions", params["id"]);
      change((w) => revokeSessions(w, [[app, [record]]], env));
      loans.end(record.id);
      return done;
    },
  } satisfies Partial<Handlers<"console">>;
};
