/** Creating, updating and deleting apps. */
import { foldUsername, isJsonObject, isoInstant, type JsonObject } from "#contract/scalars.ts";
import { type AppInput, type AppItem, appInput, appPatch } from "#contract/service/apps.ts";
import { placeholderErrors } from "#contract/service/claim-placeholders.ts";
import { utf8Bytes } from "#contract/service/metadata.ts";
import { invalid, type Problem } from "#contract/service/problems.ts";
import { type AppRecord, countsOf, type ProfileRecord } from "#contract/service/records.ts";
import { mergeSettings } from "#contract/service/settings.ts";
import { type Strategy, usernameField } from "#contract/service/strategies.ts";
import { HS256_SECRET_BYTES, SHORT_SECRET } from "#contract/service/token-claims.ts";
import { type FieldErrors, fieldErrors, namesIn } from "#contract/validation.ts";
import { timeOfNewApp } from "./clock.ts";
import { Changes, type Decision } from "./decision.ts";
import { messageErrors } from "./message.ts";
import { lockedOut, settingClashes } from "./setting-clashes.ts";
import type { AppWorld, Env, World } from "./world.ts";

const known = namesIn(appInput);

/** Merges the current settings into the request, so that the result is validated as a whole. */
const withSettings = (raw: JsonObject, before: JsonObject): JsonObject =>
  isJsonObject(raw["settings"]) ? { ...raw, settings: mergeSettings(before, raw["settings"]) } : raw;

const uniqueErrors = (world: World, input: AppInput, self?: string): FieldErrors | undefined => {
  const errors: FieldErrors = {};
  if (input.appId !== undefined && world.app(input.appId) !== undefined) errors["appId"] = ["has already been taken"];
  const holder = input.secret === undefined ? undefined : world.appBySecret(input.secret);
  if (holder !== undefined && holder.app.appId !== self) errors["secret"] = ["has already been taken"];
  return Object.keys(errors).length > 0 ? errors : undefined;
};

/** @param sent what the request sets. @returns errors in the text message, in claims and in a secret that signs. */
export const appErrors = (
  app: Pick<AppRecord, "name" | "secret" | "settings">,
  sent: { readonly name?: unknown; readonly settings?: unknown } = app,
): FieldErrors => {
  const errors: FieldErrors = {};
  if (sent.settings !== undefined)
    Object.assign(errors, placeholderErrors(app.settings.token?.claims, ["settings", "token", "claims"]));
  if (sent.name !== undefined || sent.settings !== undefined)
    for (const [text, found] of Object.entries(messageErrors(app))) errors[`settings.message.${text}`] = [...found];
  if (app.settings.token?.algorithm === "HS256" && utf8Bytes(app.secret) < HS256_SECRET_BYTES)
    errors["settings.token.algorithm"] = [SHORT_SECRET];
  return errors;
};

/** Creates an app; `appId` and `secret` are generated when absent. @param joined whether the join token creates it. */
export const createApp = (world: World, raw: JsonObject, env: Env, joined: boolean): Decision<AppRecord> => {
  const parsed = appInput.safeParse(withSettings(raw, {}), { reportInput: true });
  if (!parsed.success) return invalid(fieldErrors(parsed.error, { known }));
  const taken = uniqueErrors(world, parsed.data);
  if (taken !== undefined) return invalid(taken);
  const { appId = `app-${env.uuid().slice(0, 8)}`, secret = env.secret(), strategy = "phone" } = parsed.data;
  const { name = appId, settings = {}, ttlSeconds, hidden } = parsed.data;
  const made = { appId, name, secret, settings };
  const malformed = { ...appErrors(made), ...settingClashes(made, undefined) };
  if (Object.keys(malformed).length > 0) return invalid(malformed);
  const changes = new Changes(world);
  return changes.decided(
    changes.putApp({
      appId,
      seq: changes.seq,
      name,
      secret,
      strategy,
      settings,
      createdAt: isoInstant(timeOfNewApp(world, settings, env)),
      ...(ttlSeconds === undefined ? {} : { ttlSeconds }),
      ...(joined ? { joined: changes.seq } : {}),
      ...(hidden === undefined ? {} : { hidden }),
    }),
  );
};

/** @returns the usernames that several of these profiles would share under this strategy; undefined: none. */
export const collisionIn = (profiles: readonly ProfileRecord[], strategy: Strategy): Problem | undefined => {
  const holders = new Map<string, string[]>();
  const field = usernameField({ strategy });
  for (const { [field]: username, userId } of profiles) {
    if (username === null) continue;
    const list = holders.get(foldUsername(username));
    if (list === undefined) holders.set(foldUsername(username), [userId]);
    else list.push(userId);
  }
  const shared = [...holders].filter(([, list]) => list.length > 1);
  if (shared.length === 0) return undefined;
  const named = shared.slice(0, 20).map(([username, ids]) => `${username} (${ids.join(", ")})`);
  const more = shared.length > 20 ? ` and ${shared.length - 20} more` : "";
  const instruction = `By ${strategy} these usernames would belong to several profiles: ${named.join("; ")}${more}.`;
  return { code: "username_collision", instruction };
};

/** Updates an app; settings are merged, and `null` resets one to its default. */
export const updateApp = (world: World, app: AppWorld, raw: JsonObject): Decision<AppRecord> => {
  const merged = withSettings(raw, app.app.settings as JsonObject);
  const parsed = appPatch.safeParse(merged, { reportInput: true });
  if (!parsed.success) return invalid(fieldErrors(parsed.error, { known }));
  const patch = parsed.data;
  const taken = uniqueErrors(world, patch, app.app.appId);
  if (taken !== undefined) return invalid(taken);
  const next = { ...app.app, ...patch };
  const malformed = appErrors(next, patch);
  if (Object.keys(malformed).length > 0) return invalid(malformed);
  const clashes = settingClashes(next, app.app);
  const locked = lockedOut(app.app, next, app.profiles);
  if (locked !== undefined) clashes["settings.passcode.length"] = [locked];
  if (Object.keys(clashes).length > 0) return invalid(clashes);
  const { strategy = app.app.strategy } = patch;
  const shared = strategy === app.app.strategy ? undefined : collisionIn(app.profiles, strategy);
  if (shared !== undefined) return { problem: shared };
  const changes = new Changes(world);
  return changes.decided(changes.changeApp(app.app, next));
};

/** @returns the app without settings that only versions before had; itself if it has none. */
export const withoutGone = (app: AppRecord): AppRecord => {
  if (!("show" in app.settings)) return app;
  const { show: _, ...settings } = app.settings;
  return { ...app, settings };
};

/** Drops settings that only versions before had. @returns the ids of the apps that had any. */
export const dropGone = (world: World): Decision<readonly string[]> => {
  const changes = new Changes(world);
  const apps = world.apps.map(({ app }) => app).filter((app) => withoutGone(app) !== app);
  for (const app of apps) changes.putApp(withoutGone(app));
  return changes.decided(apps.map(({ appId }) => appId));
};

/** Generates a new secret for an app; the old one stops working. */
export const renewSecret = (world: World, app: AppWorld, env: Env): Decision<AppRecord> => {
  const changes = new Changes(world);
  return changes.decided(changes.putApp({ ...app.app, secret: env.secret() }));
};

/** Deletes an app and all its data. */
export const deleteApp = (world: World, app: AppWorld): Decision<null> => {
  const changes = new Changes(world);
  changes.removeApp(app.app.appId);
  return changes.decided(null);
};

/** @returns what users see of an app's own record. */
export const appFields = ({ appId, name, secret, strategy, settings, createdAt }: AppRecord) => ({
  appId,
  name,
  secret,
  strategy,
  settings,
  createdAt,
});

/** @returns the app in the form of the control API. */
export const appItem = (app: AppWorld, record = app.app): AppItem => {
  const { apps: _, ...counts } = countsOf({ apps: [app] });
  return { ...appFields(record), counts, ...(record.hidden && { hidden: true as const }) };
};
