/** Follows the leases of apps (CONTRACT 13). */
import { BOUNDS } from "#contract/bounds.ts";
import type { Setup } from "#http/kits.ts";
import { Leases } from "./leases.ts";

/** @see the file */
export const setup: Setup<"leases"> = ({ store, env, hooks, signal }) => {
  const leases = new Leases(store, env.monotonic, env.realNow);
  hooks.creating.push(({ ttlSeconds }) =>
    ttlSeconds !== undefined && leases.count >= BOUNDS.leases.most ? { code: "too_many_leases" } : undefined,
  );
  hooks.described.push((record) => leases.of(record));
  hooks.scoped.push((appId, pending) => leases.scoped(appId, pending));
  hooks.closed.push(({ appId }) => appId !== null && leases.renew(appId));
  hooks.listens.push((appId) => leases.hold(appId));
  signal.addEventListener("abort", () => leases.stop());
  return {};
};
