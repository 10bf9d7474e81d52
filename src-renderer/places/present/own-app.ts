/**
 * The app of Present: a separate one, with the users and the brand of another. It is leased, so none is left behind, and
 * if lost created again under the same id, so that real phones keep working.
 */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { App, World } from "#client/index.ts";
import { usernameField } from "#contract/service/strategies.ts";
import { emulator, explain, isGone } from "../../api/emulator.ts";
import { appQuery } from "../../api/queries.ts";
import { usernameToTry } from "../../ui/wire-shape.ts";

/** The lease in seconds. It is in no list but its own. */
const ASIDE = { ttlSeconds: 600, hidden: true } as const;
/** Interval of renewals in milliseconds: hidden pages have timers once a minute. */
const RENEW_MS = 45_000;
/** How many users are copied: a reset stays fast in an app of any size. */
const MOST_USERS = 100;

/** The app, and the state to which a reset returns. */
export interface OwnApp {
  readonly app: App;
  readonly world: World;
  /** Of its users, in order. */
  readonly usernames: readonly string[];
}

/** Removes settings that would disturb a show: real devices, limits, a seed (same codes everywhere), a shared key. */
const settingsOf = (app: App | undefined): App["settings"] => {
  const { delivery: _d, deterministic: _s, limits: _l, token: _t, ...settings } = app?.settings ?? {};
  return settings;
};

/** @param sourceId the app with the users and the brand; null: the first one. @throws StagedoorError */
const createOwnApp = async (sourceId: string | null): Promise<OwnApp> => {
  const source =
    sourceId === null
      ? (await emulator.apps.list()).items.find(({ lease }) => lease === undefined)
      : await emulator.apps.get(sourceId);
  const { appId = "", name = "Stagedoor", strategy = "phone" } = source ?? {};
  const { items } = source ? await emulator.profiles.list({ appId, limit: MOST_USERS }) : { items: [] };
  const field = usernameField({ strategy });
  const copied = items.filter((one) => one[field] !== null);
  const profiles = copied.map(({ userId: _, appId: _2, createdAt: _3, updatedAt: _4, ...rest }) => rest);
  const app = await emulator.apps.create({ name, strategy, settings: settingsOf(source), ...ASIDE });
  await emulator.state.import({ apps: [{ appId: app.appId, profiles }] });
  const world = await emulator.state.export({ appId: app.appId });
  const usernames = profiles.flatMap((one) => one[field] ?? []);
  // Without users, someone signs up.
  return { app, world, usernames: usernames.length > 0 ? usernames : [usernameToTry(app, undefined)] };
};

/** Resets data, clock and faults of the app alone. */
export const resetOwnApp = async ({ app: { appId }, world }: OwnApp): Promise<void> => {
  await emulator.faults.clear({ appId });
  await Promise.all([emulator.state.import(world, { mode: "replace", appId }), emulator.clock.reset({ appId })]);
};

/** Renews the lease. @returns whether the app was lost and created again. */
const renewOwnApp = async ({ app, world }: OwnApp): Promise<boolean> => {
  const { appId, name, strategy, settings, secret } = app;
  try {
    await emulator.apps.update(appId, {});
    return false;
  } catch (error) {
    if (!isGone(error)) throw error;
  }
  await emulator.apps.create({ appId, name, strategy, settings, secret, ...ASIDE });
  // Not replaced: a real phone may have signed up in between.
  await emulator.state.import(world, { mode: "merge", appId });
  return true;
};

/**
 * The app of this page, created once the server is there; renewed, and created again if lost.
 * @param sourceId @see createOwnApp @param onMadeAgain called after the server had lost it.
 */
export const useOwnApp = (sourceId: string | null, isOpen: boolean, onMadeAgain: () => void) => {
  const [own, setOwn] = useState<OwnApp | null>(null);
  const [error, setError] = useState<string | null>(null);
  const isThere = useQuery({ ...appQuery(own?.app.appId ?? ""), enabled: own !== null }).data !== null;

  useEffect(() => {
    if (isOpen && own === null) createOwnApp(sourceId).then(setOwn, (reason: unknown) => setError(explain(reason)));
  }, [isOpen, own, sourceId]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: an app that was deleted is made again at once
  useEffect(() => {
    if (!isOpen || own === null) return;
    const renew = (): void =>
      void renewOwnApp(own).then(
        (isNew) => isNew && onMadeAgain(),
        // An unreachable server is reported elsewhere, and retried when it is back.
        () => undefined,
      );
    renew();
    const timer = setInterval(renew, RENEW_MS);
    return () => clearInterval(timer);
  }, [isOpen, own, onMadeAgain, isThere]);

  return { own, error };
};
