/** The session interface (service.md 4.2): sign up, send a passcode, authenticate; and the extensions (D30). */

import { effectiveSettings } from "#contract/service/effective-settings.ts";
import { type Problem, problem, problems } from "#contract/service/problems.ts";
import type { SessionRecord } from "#contract/service/records.ts";
import { unknownNames } from "#contract/validation.ts";
import { activeSession, revokeSessions } from "#domain/session-control.ts";
import { authenticate, sessionAnswer, startSession } from "#domain/sessions.ts";
import type { AppWorld, World } from "#domain/world.ts";
import type { Deps } from "../deps.ts";
import { bearerToken } from "../guards/auth.ts";
import { createLimits } from "../guards/limits.ts";
import type { Call, Handlers } from "../handler.ts";
import { made, ok } from "../lookups/select.ts";
import { createSessionSigner } from "../session-signer.ts";
import { tellSent } from "../tell-sent.ts";
import type { Exchange } from "../traffic/exchange.ts";
import { createWireReader } from "../wire.ts";

/** Characters of a token that fit into the headers of usual servers. */
const MOST_TOKEN = 8_192;

type SessionCall = Call<"startSession" | "authenticate">;

const ALLOW = { headers: { Allow: "POST, PUT" } } as const;
const extended = (app: AppWorld): boolean => effectiveSettings(app.app.settings).sessionExtensions;

/** @returns a failed authentication with the status from the app's settings (D25); other refusals unchanged. */
const refusedBy = ({ app }: AppWorld, refusal: Problem, field: string): Problem => {
  const status = effectiveSettings(app.settings).authenticate.refusedStatus;
  const { decision }: { decision?: string } = problems[refusal.code];
  if (status === 401 || decision !== "D25") return refusal;
  return { ...refusal, status, fields: { [field]: ["is invalid"] } };
};

/** @returns why an app refuses parameters of the query that nothing reads (D10). */
const refusedQuery = ({ app }: AppWorld, { unknownQuery }: Exchange): Problem | undefined =>
  unknownQuery.length > 0 && effectiveSettings(app.settings).unknownFields === "refuse"
    ? { code: "invalid_fields", fields: unknownNames(unknownQuery, []) }
    : undefined;

/** @returns the handlers of sessions. */
export const createSessionHandlers = (deps: Deps) => {
  const { store, tokens, env } = deps;
  const readWire = createWireReader(store);
  const limits = createLimits(env.monotonic);
  store.shares.counts("limits", (appId) => {
    const app = store.world.app(appId);
    return app === undefined ? 0 : limits.bytesOf(app);
  });
  const signSession = createSessionSigner(deps);

  /** A new session, with the status from the app's wire settings (D21). */
  const succeed = async (
    { app }: AppWorld,
    status: 200 | 201,
    session: SessionRecord,
    { env, exchange }: SessionCall,
  ) => {
    exchange.noteCreated(session);
    const token = await signSession(app.appId, session);
    if (token.length > MOST_TOKEN)
      exchange.warn(`The token has ${token.length} characters; many servers reject headers of more than 8 kB.`);
    const body = sessionAnswer(app, session, token, env.now(app.appId));
    return status === 201 ? made(body) : ok(body);
  };

  /** The app of the body; applies its request rate limit. */
  const open = ({ body, exchange }: SessionCall) => {
    const read = readWire(body);
    exchange.names(read.named);
    if ("problem" in read) return read;
    exchange.appId = read.app.app.appId;
    const refused = refusedQuery(read.app, exchange) ?? limits.request(read.app);
    return refused === undefined ? read : { problem: refused };
  };

  /** The active session of a token in an extension call (D30). */
  const openToken = async ({ world, env, exchange, req }: Call<"readSession" | "endSession">) => {
    const token = bearerToken(req) ?? "";
    const read = await tokens.read(token);
    const claims = "claims" in read ? read.claims : undefined;
    const app = claims && world.app(claims.appId);
    const isOn = app === undefined ? world.apps.some(extended) : extended(app);
    if (!isOn) return problem("method_not_allowed", ALLOW);
    if (claims === undefined || app === undefined) return problem("invalid_token");
    exchange.appId = claims.appId;
    exchange.userId = claims.sub;
    const refused = refusedQuery(app, exchange);
    if (refused !== undefined) return { problem: refused };
    const active = activeSession(world, claims, env);
    return "refusal" in active ? problem("invalid_token") : { ...active, token };
  };

  return {
    startSession: async (call) => {
      const wire = open(call);
      if ("problem" in wire) return wire;
      const { app, request } = wire;
      const outcome = store.transact(
        (world) => startSession(world, app, request, call.env, (to) => limits.passcode(app, to)),
        call.cause,
      );
      call.exchange.note(outcome.notes);
      if (!outcome.ok) return outcome;
      if ("passcode" in outcome.value) {
        call.exchange.noteCreated(outcome.value.passcode);
        tellSent(deps, app.app, outcome.value.passcode);
        return { status: 202, body: null };
      }
      return await succeed(app, effectiveSettings(app.app.settings).wire.signUpStatus, outcome.value.session, call);
    },
    authenticate: async (call) => {
      const wire = open(call);
      if ("problem" in wire) return wire;
      const { app, request } = wire;
      const rule = (world: World) => authenticate(world, app, request, call.env);
      const outcome = store.transact(rule, call.cause);
      call.exchange.note(outcome.notes);
      if (!outcome.ok) return { problem: refusedBy(app, outcome.problem, request.names.passcode) };
      return await succeed(app, effectiveSettings(app.app.settings).wire.authenticateStatus, outcome.value, call);
    },
    readSession: async (call) => {
      const opened = await openToken(call);
      if ("problem" in opened) return opened;
      const { app, session, token } = opened;
      return ok(sessionAnswer(app.app, session, token, call.env.now(app.app.appId)));
    },
    endSession: async (call) => {
      const opened = await openToken(call);
      if ("problem" in opened) return opened;
      const outcome = store.transact(
        (world) => revokeSessions(world, [[opened.app, [opened.session]]], call.env),
        call.cause,
      );
      return outcome.ok ? { status: 204, body: null } : outcome;
    },
  } satisfies Partial<Handlers<"auth">>;
};
