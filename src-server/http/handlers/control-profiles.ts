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
import { type AppWorld, shownApps, type World } from "#domain/world.ts";
import type { Deps } from "../deps.ts";
import type { Handlers } from "../handler.ts";
import { searchProfiles } from "../lookups/search-profiles.ts";
import { appOfBody, done, made, ok, recordNamed, wrongFields } from "../lookups/select.ts";

/** @returns the only app that has this user, if none is named. @throws Refusal if several have. */
const appOfContact = (world: World, appId: unknown, fields: JsonObject): AppWorld | undefined => {
  if (appId !== undefined) return undefined;
  const [only, ...others] = shownApps(world).filter((app) => profileOfContact(app, fields) !== undefined);
  if (only === undefined || others.length === 0) return only;
  const ids = [only, ...others].map(({ app }) => app.appId).join(", ");
  throw wrongFields({ appId: [`can't be blank: the user exists in several apps (${ids})`] });
};

/** @returns the handlers of profiles. */
export const createControlProfileHandlers = (deps: Pick<Deps, "env" | "checks" | "maxima">) =>
  ({
    searchProfiles: ({ world, query }) => searchProfiles(world, query, deps),
    addProfile: ({ change, world, body: { appId, ...fields }, env }) => {
      const app = appOfBody(world, { appId });
      const added = change((w) => addProfile(w, app, fields, env));
      return made(profileItem(app.app.appId, added));
    },
    provideProfile: ({ change, world, body: { appId, ...fields }, env }) => {
      const app = appOfContact(world, appId, fields) ?? appOfBody(world, { appId });
      const provided = change((w) => provideProfile(w, app, fields, env));
      return ok(profileItem(app.app.appId, provided));
    },
    readProfile: ({ world, params, query }) => {
      const { app, record } = recordNamed(world, "profiles", params["userId"], query.appId);
      return ok(profileItem(app.app.appId, record));
    },
    changeProfile: ({ change, world, params, query, body, env }) => {
      const { app, record } = recordNamed(world, "profiles", params["userId"], query.appId);
      const changed = change((w) => changeProfile(w, app, record, body, env));
      return ok(profileItem(app.app.appId, changed));
    },
    removeProfile: ({ change, world, params, query, env }) => {
      const { app, record } = recordNamed(world, "profiles", params["userId"], query.appId);
      change((w) => deleteProfiles(w, [[app, [record.userId]]], env));
      return done;
    },
    removeProfiles: ({ change, world, body: { apps, userIds, ...named }, env }) => {
      if ((apps === undefined) === (userIds === undefined))
        return invalid({ userIds: ["must be given, or `apps`, not both"] });
      const all = apps ?? [{ ...named, userIds: userIds ?? [] }];
      const of = all.map((one) => [appOfBody(world, one), one.userIds] as const);
      return ok({ deleted: change((w) => deleteProfiles(w, of, env)) });
    },
  }) satisfies Partial<Handlers<"console">>;
