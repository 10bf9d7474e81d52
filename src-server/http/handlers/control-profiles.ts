/**
 * The control API: profiles (CONTRACT 6).
 */
import { problem } from "#contract/problems.ts";
import { readUuid } from "#contract/scalars.ts";
import { addProfile, changeProfile, deleteProfile, deleteProfiles, profileItem } from "#domain/profiles.ts";
import type { World } from "#domain/world.ts";
import type { Deps } from "../deps.ts";
import type { Handlers } from "../handler.ts";
import { searchProfiles } from "../search-profiles.ts";
import { appOfBody, findRecord } from "../select.ts";

const find = (world: World, params: Readonly<Record<string, string>>, appId: string | undefined) =>
  findRecord(world, "profiles", readUuid(params.userId ?? ""), appId) ?? problem("unknown_profile");

type ProfileOperations =
  | "searchProfiles"
  | "addProfile"
  | "readProfile"
  | "changeProfile"
  | "removeProfile"
  | "removeProfiles";

/** @returns the handlers of profiles. */
export const createControlProfileHandlers = ({ store }: Deps): Pick<Handlers<"console">, ProfileOperations> => ({
  searchProfiles: async ({ world, query }) => ({ status: 200, body: await searchProfiles(world, query) }),
  addProfile: ({ world, body: { appId, ...fields }, env }) => {
    const of = appOfBody(world, appId);
    if ("problem" in of) return of;
    const outcome = store.transact((w) => addProfile(w, of.app, fields, env));
    return outcome.ok ? { status: 201, body: profileItem(of.app.app.appId, outcome.value) } : outcome;
  },
  readProfile: ({ world, params, query }) => {
    const found = find(world, params, query.appId);
    return "problem" in found ? found : { status: 200, body: profileItem(found.app.app.appId, found.record) };
  },
  changeProfile: ({ world, params, query, body, env }) => {
    const found = find(world, params, query.appId);
    if ("problem" in found) return found;
    const outcome = store.transact((w) => changeProfile(w, found.app, found.record.userId, body, env));
    return outcome.ok ? { status: 200, body: profileItem(found.app.app.appId, outcome.value) } : outcome;
  },
  removeProfile: ({ world, params, query, env }) => {
    const found = find(world, params, query.appId);
    if ("problem" in found) return found;
    const outcome = store.transact((w) => deleteProfile(w, found.app, found.record.userId, env));
    return outcome.ok ? { status: 204, body: null } : outcome;
  },
  removeProfiles: ({ world, body, env }) => {
    const of = appOfBody(world, body.appId);
    if ("problem" in of) return of;
    const outcome = store.transact((w) => deleteProfiles(w, of.app, body.userIds, env));
    return outcome.ok ? { status: 200, body: { deleted: outcome.value } } : outcome;
  },
});
