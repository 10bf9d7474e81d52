/** The join token, which creates leased apps, and the tokens bound to them: derived, so that they survive a restart. */
import { createHmac } from "node:crypto";
import { problem } from "#contract/service/problems.ts";
import type { AppRecord } from "#contract/service/records.ts";
import type { Store } from "#domain/store.ts";
import type { Leases } from "../leases.ts";
import type { RequestLog } from "../traffic/request-log.ts";
import { isSame } from "./same-secret.ts";
import { holderOf, reachesFurther, type TokenHolder } from "./token-holder.ts";

/** The longest lease of a joined app, in seconds: a day after its last request. */
const DAY = 86_400;

/** @returns the token of a joined app; a later app with the same id has another one. */
const tokenOf = (joinToken: string, { appId, joined }: AppRecord): string => {
  const mac = createHmac("sha256", joinToken).update(`${appId} ${joined}`);
  return `${appId}.${mac.digest("base64url")}`;
};

/** @returns who has a token; `ended`: it was that of an app which ended for another one; undefined: it is no token. */
export type Admit = (token: string) => TokenHolder | "ended" | undefined;

/** @returns whom a server with this join token admits. */
export const admitWith = (
  joinToken: string,
  { store, log, leases }: { readonly store: Pick<Store, "world">; readonly log: RequestLog; readonly leases: Leases },
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
    accessTo: (app) => {
      // An earlier app may have had this id: its requests must not be visible to the new token.
      log.forget(app.appId);
      return { accessToken: tokenOf(joinToken, app) };
    },
  };
  return (given) => {
    if (isSame(given, joinToken)) return joiner;
    const appId = given.slice(0, given.lastIndexOf("."));
    const isOf = (app: AppRecord | undefined) => app?.joined !== undefined && isSame(given, tokenOf(joinToken, app));
    if (isOf(store.world.app(appId)?.app)) return holderOf(appId, (row) => log.row(row)?.appId ?? null);
    return isOf(leases.endedApp(appId)) ? "ended" : undefined;
  };
};
