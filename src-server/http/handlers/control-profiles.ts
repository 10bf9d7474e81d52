/** The control API: profiles. */

import type { JsonObject } from "#contract/scalars.ts";
import { invalid } from "#contract/service/problems.ts";
import {
  addProfile,
  changeProfile,
  deleteProfiles,
  profileItem,
  profileOfContact,
  provideProfile,
} from "#domain/profiles.ts";
import type { Cause } from "#domain/store.ts";
import { type AppWorld, type Env, shownApps, type World } from "#domain/world.ts";
import type { Deps } from "../deps.ts";
import type { Handlers } from "../handler.ts";
import { searchProfiles } from "../lookups/search-profiles.ts";
import { appOfBody, done, made, ok, recordNamed, settled, wrongFields } from "../lookups/select.ts";

/** @returns the only app that has this user, if none is named. @throws Refusal if several have. */
const appOfContact = (world: World, appId: unknown, fields: JsonObject): AppWorld | undefined => {
  if (appId !== undefined) return undefined;
  const [only, ...others] = shownApps(world).filter((app) => profileOfContact(app, fields) !== undefined);
  if (only === undefined || others.length === 0) return only;
  const ids = [only, ...others].map(({ app }) => app.appId).join(", ");
  throw wrongFields({ appId: [`can't be blank: the user exists in several apps (${ids})`] });
};

/** @returns the handlers of profiles. */
export const createControlProfileHandlers = (deps: Pick<Deps, "store" | "env" | "checks" | "maxima">) => {
  const { store } = deps;
  const remove = (of: Parameters<typeof deleteProfiles>[1], env: Env, cause: Cause): number =>
    settled(store.transact((w) => deleteProfiles(w, of, env), cause));
  return {
    searchProfiles: ({ world, query }) => searchProfiles(world, query, deps),
    addProfile: ({ cause, world, body: { appId, ...fields }, env }) => {
      const app = appOfBody(world, { appId });
      return made(profileItem(app.app.appId, settled(store.transact((w) => addProfile(w, app, fields, env), cause))));
    },
    provideProfile: ({ cause, world, body: { appId, ...fields }, env }) => {
      const app = appOfContact(world, appId, fields) ?? appOfBody(world, { appId });
      return ok(profileItem(app.app.appId, settled(store.transact((w) => provideProfile(w, app, fields, env), cause))));
    },
    readProfile: ({ world, params, query }) => {
      const { app, record } = recordNamed(world, "profiles", params["userId"], query.appId);
      return ok(profileItem(app.app.appId, record));
    },
    changeProfile: ({ cause, world, params, query, body, env }) => {
      const { app, record } = recordNamed(world, "profiles", params["userId"], query.appId);
      return ok(
        profileItem(app.app.appId, settled(store.transact((w) => changeProfile(w, app, record, body, env), cause))),
      );
    },
    removeProfile: ({ cause, world, params, query, env }) => {
      const { app, record } = recordNamed(world, "profiles", params["userId"], query.appId);
      remove([[app, [record.userId]]], env, cause);
      return done;
    },
    removeProfiles: ({ cause, world, body: { apps, userIds, ...named }, env }) => {
      if ((apps === undefined) === (userIds === undefined))
        return invalid({ userIds: ["must be given, or `apps`, not both"] });
      const of = (apps ?? [{ ...named, userIds: userIds ?? [] }]).map(
        (one) => [appOfBody(world, one), one.userIds] as const,
      );
      return ok({ deleted: remove(of, env, cause) });
    },
  } satisfies Partial<Handlers<"console">>;
};
