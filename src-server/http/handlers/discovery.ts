/** What verifiers of session tokens read: the public keys and the discovery documents (D29). */
import type { PublicJwk } from "#contract/service/tokens.ts";
import { sessionState } from "#domain/sessions.ts";
import { algorithmsInUse, discovery } from "#domain/tokens.ts";
import type { AppWorld, Env } from "#domain/world.ts";
import type { Deps } from "../deps.ts";
import type { Call, Handlers } from "../handler.ts";
import { notFound, ok } from "../lookups/select.ts";
import { signerOf } from "../session-signer.ts";

type KeyCall = Pick<Call<"readJwks" | "readAppJwks">, "world" | "params" | "exchange">;
type DiscoveryCall = Pick<Call<"readOpenIdConfiguration" | "readAppOpenIdConfiguration">, "env" | "req"> & KeyCall;

/** @returns the app of the path; undefined if the path names none. @throws Refusal if the app is unknown. */
const appOfPath = ({ world, params, exchange }: KeyCall): AppWorld | undefined => {
  const appId = params["appId"];
  if (appId === undefined) return undefined;
  const app = world.app(appId);
  // Do not list the other apps: on the network their names are private.
  if (app === undefined) throw notFound("app", appId);
  exchange.appId = appId;
  return app;
};

/** @param others keys of algorithms not in use now. @returns those whose tokens of these apps can still be valid. */
const stillValid = (apps: readonly AppWorld[], others: readonly PublicJwk[], env: Env): readonly PublicJwk[] => {
  const left = new Set(others.map(({ kid }) => kid));
  for (const { app, sessions } of left.size === 0 ? [] : apps) {
    const now = env.now(app.appId);
    for (const session of sessions) {
      const kid = signerOf(session);
      if ((kid !== undefined && !left.has(kid)) || sessionState(session, now) !== "active") continue;
      // The signer is known only since the start: it may be any.
      if (kid === undefined) return others;
      left.delete(kid);
      if (left.size === 0) return others;
    }
  }
  return others.filter(({ kid }) => !left.has(kid));
};

/** @returns the handlers of the keys and of discovery, of all apps and below `/apps/:appId`. */
export const createDiscoveryHandlers = ({ tokens }: Pick<Deps, "tokens">) => {
  const readJwks = async (call: KeyCall) => {
    appOfPath(call);
    return ok({ keys: [...(await tokens.keys(algorithmsInUse(call.world, tokens.defaultAlgorithm)))] });
  };

  /** Names the URL asked if that is the `token.issuer` of an app, else the auth URL. */
  const readDiscovery = async (call: DiscoveryCall) => {
    const { world, env, req, exchange } = call;
    const app = appOfPath(call);
    const host = (req.headers.host ?? "").toLowerCase();
    // A TLS proxy asks by http.
    const origin = host === new URL(env.urls.auth).host ? env.urls.auth : `${exchange.scheme}://${host}`;
    const asked = app === undefined ? origin : `${origin}/apps/${app.app.appId}`;
    const apps = (app === undefined ? world.apps : [app]).filter((one) => one.app.settings.token?.issuer === asked);
    const isOwn = asked !== env.urls.auth && apps.length > 0;
    const all = algorithmsInUse(world, tokens.defaultAlgorithm);
    const keys = await tokens.keys(all);
    const signing = isOwn ? algorithmsInUse({ apps }, tokens.defaultAlgorithm) : all;
    const others = keys.filter(({ alg }) => !signing.has(alg));
    const signers = isOwn ? stillValid(apps, others, env) : others;
    return ok(discovery(isOwn ? asked : env.urls.auth, [...signing, ...signers.map(({ alg }) => alg)]));
  };

  return {
    readJwks,
    readAppJwks: readJwks,
    readOpenIdConfiguration: readDiscovery,
    readAppOpenIdConfiguration: readDiscovery,
    readAuthorizationServer: readDiscovery,
    readAppAuthorizationServer: readDiscovery,
    readAuthorizationServerOfApp: readDiscovery,
  } satisfies Partial<Handlers<"auth">>;
};
