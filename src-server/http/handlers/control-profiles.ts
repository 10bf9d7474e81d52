/** The control API: profiles (CONTRACT 6). */
import { addProfile, changeProfile, deleteProfiles, profileItem } from "#domain/profiles.ts";
import type { Deps } from "../deps.ts";
import type { Handlers } from "../handler.ts";
import { searchProfiles } from "../search-profiles.ts";
import { appOfBody, done, made, ok, recordNamed, settled } from "../select.ts";

/** @returns the handlers of profiles. */
export const createControlProfileHandlers = ({ store, monotonic }: Deps) =>
  ({
    searchProfiles: async ({ world, query }) => ok(await searchProfiles(world, query, monotonic)),
    addProfile: ({ world, body: { appId, ...fields }, env }) => {
      const app = appOfBody(world, { appId });
      return made(profileItem(app.app.appId, settled(store.transact((w) => addProfile(w, app, fields, env)))));
    },
    readProfile: ({ world, params, query }) => {
      const { app, record } = recordNamed(world, "profiles", params["userId"], query.appId);
      return ok(profileItem(app.app.appId, record));
    },
    changeProfile: ({ world, params, query, body, env }) => {
      const { app, record } = recordNamed(world, "profiles", params["userId"], query.appId);
      return ok(profileItem(app.app.appId, settled(store.transact((w) => changeProfile(w, app, record, body, env)))));
    },
    removeProfile: ({ world, params, query, env }) => {
      const { app, record } = recordNamed(world, "profiles", params["userId"], query.appId);
      settled(store.transact((w) => deleteProfiles(w, app, [record.userId], env)));
      return done;
    },
    removeProfiles: ({ world, body, env }) => {
      const app = appOfBody(world, body);
      return ok({ deleted: settled(store.transact((w) => deleteProfiles(w, app, body.userIds, env))) });
    },
  }) satisfies Partial<Handlers<"console">>;
