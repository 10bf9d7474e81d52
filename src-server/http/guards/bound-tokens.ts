/**
 * The join token, which creates leased apps and nothing else, and the tokens bound to these apps. They are derived from it,
 * so that they survive a restart.
 */
import { createHmac } from "node:crypto";
import { problem } from "#contract/service/problems.ts";
import type { AppRecord } from "#contract/service/records.ts";
import type { Store } from "#domain/store.ts";
import type { RequestLog } from "../traffic/request-log.ts";
import { holderOf, reachesFurther } from "./confinement.ts";
import { isSame } from "./same-secret.ts";
import type { TokenHolder } from "./token-holder.ts";

/** The longest lease of a joined app, in seconds: a day after its last request. */
const DAY = 86_400;

/** @returns the token of a joined app; a later app with the same id has another one. */
const tokenOf = (joinToken: string, { appId, joined }: AppRecord): string => {
  const mac = createHmac("sha256", joinToken).update(`${appId} ${joined}`);
  return `${appId}.${mac.digest("base64url")}`;
};

/** @returns who has a token; undefined if it is neither the join token nor that of an app which is still there. */
export type Admit = (token: string) => TokenHolder | undefined;

/** @returns whom a server with this join token admits. */
export const admitWith = (
  joinToken: string,
  { store, log }: { readonly store: Pick<Store, "world">; readonly log: RequestLog },
): Admit => {
  const joiner: TokenHolder = {
    appId: undefined,
    url: ({ bound }, { url }) => (bound === "new" ? { url } : problem("not_your_app")),
    body: (_, body) => {
      if (body["hidden"] !== undefined) return problem("not_your_app", { instruction: "Only the owner hides apps." });
      const { ttlSeconds } = body;
      const refused = reachesFurther(body) ?? (ttlSeconds === undefined ? problem("lease_required") : undefined);
      if (refused !== undefined) return refused;
      return { body: typeof ttlSeconds === "number" ? { ...body, ttlSeconds: Math.min(ttlSeconds, DAY) } : body };
    },
    world: (world) => world,
    made: (app) => {
      // An earlier app may have had this id: its requests must not be visible to the new token.
      log.forget(app.appId);
      return { accessToken: tokenOf(joinToken, app) };
    },
  };
  return (given) => {
    if (isSame(given, joinToken)) return joiner;
    const app = store.world.app(given.slice(0, given.lastIndexOf(".")))?.app;
    if (app?.joined === undefined || !isSame(given, tokenOf(joinToken, app))) return undefined;
    return holderOf(app.appId, (row) => log.row(row)?.appId ?? null);
  };
};
