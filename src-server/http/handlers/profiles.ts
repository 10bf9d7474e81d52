/**
 * The administration interface: profiles (SPEC 4.1).
 */

import { readUuid } from "#contract/scalars.ts";
import { createProfile, deleteProfile, profileAnswer, profileUpdateAnswer, updateProfile } from "#domain/profiles.ts";
import type { Deps } from "../deps.ts";
import type { Handlers } from "../handler.ts";
import { pageHeaders } from "../paging.ts";

/** The id of the path; `bind` has checked that the profile is there. */
const userIdOf = (params: Readonly<Record<string, string>>): string => readUuid(params.userId ?? "") ?? "";

/** @returns the handlers of the admin listener. */
export const createProfileHandlers = ({ store, urls }: Deps): Handlers<"admin"> => ({
  createProfile: ({ app, body, env, exchange }) => {
    const outcome = store.transact((world) => createProfile(world, app, body, env));
    exchange.note(outcome.notes);
    if (!outcome.ok) return outcome;
    exchange.userId = outcome.value.userId;
    return { status: 201, body: profileAnswer(outcome.value) };
  },
  listProfiles: ({ app, query: { page, limit }, req }) => {
    // By the name that the client used: 127.0.0.1 would lead a container to itself. The guard has checked it.
    const base = req.headers.host === undefined ? urls().admin : `http://${req.headers.host}`;
    const items = app.profiles.slice((page - 1) * limit, page * limit).map(profileAnswer);
    return {
      status: 200,
      body: items,
      headers: pageHeaders(`${base}/v1/profiles`, page, limit, app.profiles.length),
    };
  },
  retrieveProfile: ({ app, params }) => {
    const profile = app.find("profiles", userIdOf(params));
    return profile === undefined
      ? { problem: { code: "unknown_profile" } }
      : { status: 200, body: profileAnswer(profile) };
  },
  updateProfile: ({ app, params, body, env, exchange }) => {
    const outcome = store.transact((world) => updateProfile(world, app, userIdOf(params), body, env));
    exchange.note(outcome.notes);
    return outcome.ok ? { status: 200, body: profileUpdateAnswer(app, outcome.value, body) } : outcome;
  },
  deleteProfile: ({ app, params, env }) => {
    const outcome = store.transact((world) => deleteProfile(world, app, userIdOf(params), env));
    return outcome.ok ? { status: 204, body: null } : outcome;
  },
});
