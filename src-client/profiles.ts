/** The users of an app. */
import type { Created, OfApp } from "./of-app.ts";
import type * as R from "./records.ts";
import { segment, type Transport } from "./transport.ts";

/** @returns the calls. @see Client */
export const createProfiles = ({ ask, tell }: Transport) => ({
  create: <I extends R.ProfileInput>(body: I): Promise<Created<I>> => ask("POST", "profiles", { body }),
  /** @param of the app, if several apps have a profile with this id. */
  get: (userId: string, of?: OfApp): Promise<R.Profile> => ask("GET", `profiles/${segment(userId)}`, { query: of }),
  list: (query?: R.ProfileQuery): Promise<R.List<R.Profile>> => ask("GET", "profiles", { query }),
  update: (userId: string, body: R.ProfilePatch, of?: OfApp): Promise<R.Profile> =>
    ask("PATCH", `profiles/${segment(userId)}`, { body, query: of }),
  delete: (userId: string, of?: OfApp): Promise<void> => tell("DELETE", `profiles/${segment(userId)}`, { query: of }),
  /** Deletes profiles of an app; unknown ids are ignored. @returns how many were deleted. */
  deleteMany: (appId: string, userIds: readonly string[]): Promise<{ deleted: number }> =>
    ask("POST", "profiles/delete", { body: { appId, userIds } }),
  /** Deletes profiles of several apps in one transaction, which can be undone as a whole. @see deleteMany */
  deleteFrom: (
    apps: readonly { readonly appId: string; readonly userIds: readonly string[] }[],
  ): Promise<{ deleted: number }> => ask("POST", "profiles/delete", { body: { apps } }),
});
