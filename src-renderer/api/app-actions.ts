/**
 * What the console does to apps, as plain calls; the events that follow bring the cache up to date.
 */
import { routes } from "#contract/routes.ts";
import type { JsonObject } from "#contract/scalars.ts";
import { ask, tell } from "./client.ts";
import type { App, Profile } from "./records.ts";

/** Makes an app; the server checks what was typed. */
export const createApp = (input: JsonObject): Promise<App> => ask(routes.createApp, { body: input });

/** Changes an app; the server checks the values, and takes `null` as "back to the default". */
export const updateApp = (appId: string, change: JsonObject): Promise<App> =>
  ask(routes.updateApp, { params: { appId }, body: change });

/** Gives an app a new secret. */
export const renewSecret = (appId: string): Promise<App> => ask(routes.renewSecret, { params: { appId } });

/** Deletes an app with all that belongs to it. */
export const deleteApp = (appId: string): Promise<void> => tell(routes.deleteApp, { params: { appId } });

/** Sets the code that is issued to a user and always works, or clears it (null). */
export const setTestPasscode = (appId: string, userId: string, testPasscode: string | null): Promise<Profile> =>
  ask(routes.changeProfile, { params: { userId }, query: { appId }, body: { testPasscode } });
