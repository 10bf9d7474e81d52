/** Creating, updating and deleting apps (CONTRACT 2 and 6). */
import { type AppInput, type AppItem, type AppPatch, appInput, appPatch, type Strategy } from "#contract/apps.ts";
import { utf8Bytes } from "#contract/metadata.ts";
import { invalid, problem } from "#contract/problems.ts";
import { type AppRecord, countsOf } from "#contract/records.ts";
import { foldUsername, isJsonObject, isoInstant, type JsonObject } from "#contract/scalars.ts";
import { mergeSettings } from "#contract/settings.ts";
import { HS256_SECRET_BYTES, SHORT_SECRET } from "#contract/token-claims.ts";
import { type FieldErrors, fieldErrors, namesIn } from "#contract/validation.ts";
import { clockReading } from "./clock.ts";
import { Changes, type Decision } from "./decision.ts";
import { runningTime, seedOf, withSteps } from "./deterministic.ts";
import { type MessageApp, smsErrors } from "./message.ts";
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

/** @returns the errors in the app's text message, by field; undefined if there are none. */
const messageErrors = (app: MessageApp): FieldErrors | undefined => {
  const errors = smsErrors(app);
  return errors.length === 0 ? undefined : { "settings.message.sms": [...errors] };
};

/** @returns what is wrong with an app that signs with its secret (CONTRACT 11), by field; undefined if nothing. */
export const secretErrors = ({ secret, settings }: Pick<AppRecord, "secret" | "settings">): FieldErrors | undefined =>
  settings.token?.algorithm === "HS256" && utf8Bytes(secret) < HS256_SECRET_BYTES
    ? { "settings.token.algorithm": [SHORT_SECRET] }
    : undefined;

/** Creates an app; `appId` and `secret` are generated when absent. @param joined whether the join token creates it. */
export const createApp = (world: World, raw: JsonObject, env: Env, joined: boolean): Decision<AppRecord> => {
  const parsed = appInput.safeParse(withSettings(raw, {}), { reportInput: true });
  if (!parsed.success) return invalid(fieldErrors(parsed.error, { known }));
  const taken = uniqueErrors(world, parsed.data);
  if (taken !== undefined) return invalid(taken);
  const changes = new Changes(world);
  const {
    appId = `app-${env.uuid().slice(0, 8)}`,
    secret = env.secret(),
    strategy = "phone",
    settings = {},
  } = parsed.data;
  const { name = appId, ttlSeconds } = parsed.data;
  const malformed = messageErrors({ name, settings }) ?? secretErrors({ secret, settings });
  if (malformed !== undefined) return invalid(malformed);
  const now = seedOf({ settings }) === undefined ? env.now() : clockReading(world.clock, runningTime({ settings }, 0));
  return changes.decided(
    changes.putApp({
      appId,
      seq: changes.seq,
      name,
      secret,
      strategy,
      settings,
      createdAt: isoInstant(now),
      ...(ttlSeconds === undefined ? {} : { ttlSeconds }),
      ...(joined ? { joined } : {}),
    }),
  );
};

/** @returns the usernames that several profiles would share under this strategy, with the ids of the profiles. */
const collisions = (app: AppWorld, strategy: Strategy): ReadonlyMap<string, readonly string[]> => {
  const holders = new Map<string, string[]>();
  for (const profile of app.profiles) {
    const username = profile[strategy];
    if (username === null) continue;
    const folded = foldUsername(username);
    const list = holders.get(folded);
    if (list === undefined) holders.set(folded, [profile.userId]);
    else list.push(profile.userId);
  }
  return new Map([...holders].filter(([, list]) => list.length > 1));
};

/** Updates an app; settings are merged, and `null` resets one to its default. */
export const updateApp = (world: World, app: AppWorld, raw: JsonObject): Decision<AppRecord> => {
  const merged = withSettings(raw, app.app.settings as JsonObject);
  const parsed = appPatch.safeParse(merged, { reportInput: true });
  if (!parsed.success) return invalid(fieldErrors(parsed.error, { known }));
  const patch: AppPatch = parsed.data;
  const taken = uniqueErrors(world, patch, app.app.appId);
  if (taken !== undefined) return invalid(taken);
  const malformed = messageErrors({ ...app.app, ...patch });
  if ((patch.name !== undefined || patch.settings !== undefined) && malformed !== undefined) return invalid(malformed);
  const short = secretErrors({ ...app.app, ...patch });
  if (short !== undefined) return invalid(short);
  if (patch.strategy !== undefined && patch.strategy !== app.app.strategy) {
    const met = [...collisions(app, patch.strategy)].map(([username, ids]) => `${username} (${ids.join(", ")})`);
    if (met.length > 0) {
      const more = met.length > 20 ? ` and ${met.length - 20} more` : "";
      return problem("username_collision", {
        instruction: `By ${patch.strategy} these usernames would belong to several profiles: ${met.slice(0, 20).join("; ")}${more}.`,
      });
    }
  }
  const changes = new Changes(world);
  return changes.decided(changes.putApp(withSteps(app.app, { ...app.app, ...patch })));
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

/** @returns the app in the form of the control API. */
export const appItem = (app: AppWorld, record = app.app): AppItem => {
  const { appId, name, secret, strategy, settings, createdAt } = record;
  const { apps: _, ...counts } = countsOf({ apps: [app] });
  return { appId, name, secret, strategy, settings, createdAt, counts };
};
