/** The control API: the keys that sign tokens. */
import type { SessionRecord } from "#contract/service/records.ts";
import type { SigningKeyFacts, SigningKeyItem } from "#contract/service/signing-keys.ts";
import { sessionState } from "#domain/sessions.ts";
import { algorithmsInUse } from "#domain/tokens.ts";
import type { Env, World } from "#domain/world.ts";
import type { Setup } from "#features/kernel.ts";
import { done, notFound, ok, Refusal } from "#http/lookups/select.ts";
import { signerOf } from "#http/session-signer.ts";

/** @returns the key that signed the first token of a session; estimated, if that was before this start. */
const firstSigner = (
  keys: readonly SigningKeyFacts[],
  session: SessionRecord,
  algorithm: string,
): string | undefined => {
  const signs = (key: SigningKeyFacts): boolean => key.algorithm === algorithm && key.seq < session.seq;
  return signerOf(session) ?? keys.findLast(signs)?.kid;
};

/** @returns the keys with the number of active sessions whose token each signed. */
const counted = (
  keys: readonly SigningKeyFacts[],
  world: World,
  env: Env,
  byDefault: string,
): readonly SigningKeyItem[] => {
  const tokens = new Map<string, number>();
  for (const { app, sessions } of world.apps) {
    const now = env.now(app.appId);
    const algorithm = app.settings.token?.algorithm ?? byDefault;
    for (const session of sessions) {
      const kid = sessionState(session, now) === "active" ? firstSigner(keys, session, algorithm) : undefined;
      if (kid !== undefined) tokens.set(kid, (tokens.get(kid) ?? 0) + 1);
    }
  }
  return keys.map(({ seq: _, ...key }) => ({ ...key, tokens: tokens.get(key.kid) ?? 0 }));
};

export const setup: Setup<"keys"> = ({ store, tokens, bus }) => {
  const list = async (world: World, env: Env): Promise<SigningKeyItem[]> => {
    const keys = await tokens.signingKeys(algorithmsInUse(store.world, tokens.defaultAlgorithm));
    return [...counted(keys, world, env, tokens.defaultAlgorithm)];
  };
  const mustNotBeOwn = (): void => {
    if (tokens.hasOwnKey) throw new Refusal({ code: "own_key" });
  };
  return {
    listSigningKeys: async ({ world, env }) => {
      const items = await list(world, env);
      return ok({ items, total: items.length });
    },
    rotateSigningKey: async ({ world, env, body: { algorithm = tokens.defaultAlgorithm } }) => {
      mustNotBeOwn();
      const kid = await tokens.rotate(algorithm);
      const items = await list(world, env);
      bus.publish({ type: "signing-key.put", appId: null, item: items.find((key) => key.kid === kid) });
      return ok({ items, total: items.length });
    },
    retireSigningKey: async ({ world, env, params: { kid: named = "" } }) => {
      mustNotBeOwn();
      const previous =
        named === "previous" ? (await list(world, env)).findLast(({ state }) => state === "previous") : undefined;
      const kid = previous?.kid ?? named;
      const refused = await tokens.retire(kid);
      if (refused === "unknown") throw notFound("signing key", kid);
      if (refused === "current") throw new Refusal({ code: "current_key" });
      bus.publish({ type: "signing-key.remove", appId: null, item: { kid } });
      return done;
    },
  };
};
