/** The apps of the client: isolated environments with a secret, settings and users of their own. */
import type * as R from "./records.ts";
import { type RewindableApp, rewindable } from "./timeline.ts";
import { segment, type Transport } from "./transport.ts";

/** Settings by path, such as `passcode.length`; `null` resets one to its default. */
export type SettingsByPath = Readonly<
  Record<string, string | number | boolean | null | readonly string[] | Readonly<Record<string, unknown>>>
>;

/** @returns the calls that make, read, change and delete apps. */
export const createApps = (transport: Transport) => {
  const { ask, tell, tokens } = transport;
  return {
    /**
     * Creates an app: an isolated environment in about a millisecond. Absent fields are generated. A join token
     * requires `ttlSeconds`; the client then uses the app's own token for all calls that name it.
     */
    create: async (body: R.AppInput = {}): Promise<RewindableApp<R.NewApp>> =>
      rewindable(transport, tokens.keep(await ask<R.NewApp>("POST", "apps", { body }))),
    get: async (appId: string): Promise<RewindableApp> =>
      rewindable(transport, await ask("GET", `apps/${segment(appId)}`)),
    list: (): Promise<R.List<R.App>> => ask("GET", "apps"),
    /** Updates an app; settings are merged, and can be given by path. */
    update: (
      appId: string,
      body: Omit<R.AppPatch, "settings"> & { settings?: R.Settings | SettingsByPath },
    ): Promise<R.App> => ask("PATCH", `apps/${segment(appId)}`, { body }),
    /** Deletes an app and all its data. */
    delete: async (appId: string): Promise<void> => {
      await tell("DELETE", `apps/${segment(appId)}`);
      tokens.forget(appId);
    },
    /** Generates a new app secret. */
    renewSecret: (appId: string): Promise<R.App> => ask("POST", `apps/${segment(appId)}/secret`),
  };
};
