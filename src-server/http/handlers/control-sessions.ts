/**
 * The control API: sessions and tokens (CONTRACT 6).
 */
import { problem } from "#contract/problems.ts";
import type { SessionItem } from "#contract/sessions.ts";
import { Changes } from "#domain/changes.ts";
import type { Env } from "#domain/env.ts";
import { activeSession, addSession, expireSession, revokeSessions } from "#domain/session-control.ts";
import { sessionItem, sessionState, tokenClaims } from "#domain/sessions.ts";
import type { Deps } from "../deps.ts";
import type { Handlers } from "../handler.ts";
import { appOfBody, appsOf, type Found, findRecord, newestFirst } from "../select.ts";

const show = ({ app, record }: Found<"sessions">, env: Env): SessionItem =>
  sessionItem(app.app.appId, record, env.now(app.app.appId));

type SessionOperations =
  | "listSessions"
  | "addSession"
  | "revokeSessions"
  | "introspect"
  | "readSessionItem"
  | "readSessionToken"
  | "expireSession"
  | "revokeSession";

/** @returns the handlers of sessions. */
export const createControlSessionHandlers = ({
  store,
  tokens,
}: Deps): Pick<Handlers<"console">, SessionOperations> => ({
  listSessions: ({ world, env, query: { appId, userId, state, limit } }) => {
    const fits = ({ app, record }: Found<"sessions">): boolean =>
      (userId === undefined || record.userId === userId) &&
      (state === undefined || sessionState(record, env.now(app.app.appId)) === state);
    const { found, total } = newestFirst(
      appsOf(world, appId),
      "sessions",
      limit,
      userId === undefined && state === undefined ? undefined : fits,
    );
    return { status: 200, body: { items: found.map((entry) => show(entry, env)), total } };
  },
  addSession: async ({ world, body, env }) => {
    const of = appOfBody(world, body.appId);
    if ("problem" in of) return of;
    const outcome = store.transact((w) => addSession(w, of.app, body.userId, env, body.ttlSeconds));
    if (!outcome.ok) return outcome;
    const token = await tokens.sign(tokenClaims(of.app.app.appId, outcome.value));
    return { status: 201, body: { ...show({ app: of.app, record: outcome.value }, env), token } };
  },
  revokeSessions: ({ world, query, env }) => {
    const outcome = store.transact((w) => {
      const changes = new Changes(w);
      for (const app of appsOf(world, query.appId)) {
        revokeSessions(
          w,
          app,
          query.userId === undefined ? app.sessions : app.of("sessions", query.userId),
          env,
          changes,
        );
      }
      return changes.decided(null);
    });
    return outcome.ok ? { status: 204, body: null } : outcome;
  },
  introspect: async ({ world, body, env }) => {
    const claims = await tokens.read(body.token);
    const active = claims === undefined ? undefined : activeSession(world, claims, env);
    if (claims === undefined || active === undefined) return { status: 200, body: { active: false } };
    const username = active.profile[active.app.app.strategy];
    return {
      status: 200,
      body: {
        active: true,
        ...claims,
        client_id: claims.appId,
        token_type: "Bearer",
        ...(username === null ? {} : { username }),
      },
    };
  },
  readSessionItem: ({ world, params, env }) => {
    const found = findRecord(world, "sessions", params.id);
    return found === undefined ? problem("unknown_record") : { status: 200, body: show(found, env) };
  },
  readSessionToken: async ({ world, params }) => {
    const found = findRecord(world, "sessions", params.id);
    if (found === undefined) return problem("unknown_record");
    return { status: 200, body: { token: await tokens.sign(tokenClaims(found.app.app.appId, found.record)) } };
  },
  expireSession: ({ world, params, env }) => {
    const found = findRecord(world, "sessions", params.id);
    if (found === undefined) return problem("unknown_record");
    const outcome = store.transact((w) => expireSession(w, found.app, found.record.id, env));
    return outcome.ok ? { status: 200, body: show({ app: found.app, record: outcome.value }, env) } : outcome;
  },
  revokeSession: ({ world, params, env }) => {
    const found = findRecord(world, "sessions", params.id);
    if (found === undefined) return problem("unknown_record");
    const outcome = store.transact((w) => revokeSessions(w, found.app, [found.record], env));
    return outcome.ok ? { status: 204, body: null } : outcome;
  },
});
