/** Slips around the app id of a session request: its value, its name, its place (D20, D21, D27). */

import type { AppLike } from "#contract/control/app-like.ts";
import { isJsonObject, type JsonObject } from "#contract/scalars.ts";
import { appId } from "#contract/service/apps.ts";
import { effectiveSettings } from "#contract/service/effective-settings.ts";
import type { AppRecord } from "#contract/service/records.ts";
import { strategyOf } from "#contract/service/strategies.ts";
import type { Wire } from "#contract/service/wire-body.ts";
import { noApp } from "#contract/words/not-found.ts";
import { placeholderIn } from "#contract/words/placeholders.ts";
import { type AppWorld, shownApps } from "#domain/world.ts";
import { nodesOf, type Path, pathWords, withoutValue } from "./attempt.ts";
import { isNear, lettersOf, type SlipFinder, type Tried, valueSlip, withBody } from "./slip.ts";
import { isToken, maskedText, shownValue, trimmedOf, wordsIn } from "./texts.ts";

const ID_NAMES = wordsIn(`
  appid app application applicationid appkey client clientid tenant tenantid project projectid environmentid
  xappid
`);

const wireOf = ({ app }: AppWorld): Wire => effectiveSettings(app.settings).wire;
const idPath = ({ envelope, appIdField }: Wire): Path => [...(envelope === null ? [] : [envelope]), appIdField];
const same = (a: Path, b: Path): boolean => a.join("\0") === b.join("\0");

/** @returns the body with the app's id where the app reads it: what stood next to the id comes along. */
const reshaped = (
  body: JsonObject,
  found: Path,
  { envelope, appIdField, userField }: Wire,
  appId: string,
): JsonObject => {
  const [outer, field = ""] = found.length === 2 ? found : [null, found[0]];
  const around = outer == null ? body : body[outer];
  // An id within the user leaves the user where it is.
  const isUser = outer != null && (outer === userField || Object.keys(body).length > 1);
  const rest = isUser || !isJsonObject(around) ? withoutValue(body, found) : withoutValue(around, [field]);
  const inside = envelope !== null && isUser && isJsonObject(rest[envelope]) ? rest[envelope] : rest;
  const made = { [appIdField]: appId, ...inside };
  return envelope === null ? made : { [envelope]: made };
};

/** How a text can mean an app: the surest first. */
const LIKENESSES: readonly (readonly [how: string, isLike: (sent: string, bare: string, app: AppRecord) => boolean])[] =
  [
    ["has blanks around it", (sent, _bare, { appId }) => sent.trim() === appId],
    ["has marks around it", (_sent, bare, { appId }) => bare === appId],
    ["differs by upper and lower case", (_sent, bare, { appId }) => bare.toLowerCase() === appId.toLowerCase()],
    ["is the app’s secret, not its id", (_sent, bare, { secret }) => bare === secret],
    ["is the app’s name, not its id", (_sent, bare, { name }) => bare.toLowerCase() === name.toLowerCase()],
    ["differs by its separators", (_sent, bare, { appId }) => plain(bare) === plain(appId)],
    [
      "differs by one character, or two that are swapped",
      (_sent, bare, { appId }) => bare.length > 3 && isNear(bare.toLowerCase(), appId.toLowerCase()),
    ],
  ];
/** Those that one sees without being told. */
const NEAR: readonly string[] = LIKENESSES.map(([how]) => how).filter((how) => how.startsWith("differs"));
const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

const likeliest = (
  sent: string,
  apps: readonly AppWorld[],
): { readonly how: string; readonly like: readonly AppWorld[] } => {
  const bare = trimmedOf(sent.trim(), "\"'<{", "\"'>}");
  for (const [how, isLike] of LIKENESSES) {
    const like = apps.filter(({ app }) => isLike(sent, bare, app));
    if (like.length > 0) return { how, like };
  }
  return { how: "", like: [] };
};

/** An id that some app has, at another place than where that app reads it. */
const misplaced: SlipFinder = function* ({ attempt, trial, headers }) {
  const { body } = attempt;
  if (!isJsonObject(body)) return;
  for (const [path, value] of nodesOf(body)) {
    const app = typeof value === "string" && path.length <= 2 ? trial.world.app(value) : undefined;
    if (app === undefined || typeof value !== "string" || app.app.hidden) continue;
    const wire = wireOf(app);
    const to = idPath(wire);
    if (same(path, to)) continue;
    const nested =
      path.length === 2 && wire.envelope === null && path[0] !== wire.userField
        ? ` The body must not be nested under “${path[0]}”.`
        : "";
    yield {
      code: "misplaced_id",
      words: `The app id “${value}” was sent as “${pathWords(path)}”; the app reads it as “${pathWords(to)}”.${nested}`,
      meant: withBody(attempt, reshaped(body, path, wire, value)),
      place: "body",
    };
  }
  const around: (readonly [place: string, words: string, value: string])[] = [...attempt.query].map(([name, value]) => [
    `query.${name}`,
    `in the query, as “${name}”`,
    value,
  ]);
  for (const [name, value] of Object.entries(headers))
    if (typeof value === "string") around.push([`header.${name}`, `in the header ${name}`, value]);
  for (const [, words, value] of around) {
    const app = trial.world.app(value.trim());
    if (app === undefined || app.app.hidden) continue;
    const wire = wireOf(app);
    const { envelope, appIdField } = wire;
    const inside = envelope === null || !isJsonObject(body[envelope]) ? body : body[envelope];
    const made = { [appIdField]: app.app.appId, ...inside };
    yield {
      code: "misplaced_id",
      words: `The app id “${app.app.appId}” was sent ${words}; the app reads it from the body, as “${pathWords(idPath(wire))}”.`,
      meant: withBody(attempt, envelope === null ? made : { [envelope]: made }),
      place: "body",
    };
  }
};

const nearly: SlipFinder = function* ({ attempt, trial }) {
  const { body } = attempt;
  if (!isJsonObject(body)) return;
  for (const [path, value] of nodesOf(body)) {
    const [name = ""] = path.slice(-1);
    if (typeof value !== "string" || path.length > 2 || !ID_NAMES.has(lettersOf(name))) continue;
    if (trial.world.app(value) !== undefined) continue;
    const { how, like } = likeliest(value, shownApps(trial.world));
    // Which of several was meant, no one knows.
    const [app, ...others] = like;
    if (app !== undefined && others.length === 0) {
      const wire = wireOf(app);
      const { appId, secret } = app.app;
      const shown = value.includes(secret) ? maskedText(value) : `“${value}”`;
      const words = NEAR.includes(how)
        ? `No app ${shown}. Did you mean “${appId}”?`
        : `“${pathWords(path)}” is ${shown}, which ${how}. The app’s id is “${appId}”.`;
      if (same(path, idPath(wire))) yield valueSlip(attempt, "near_app", words, path, appId);
      else
        yield { code: "near_app", words, meant: withBody(attempt, reshaped(body, path, wire, appId)), place: "body" };
    }
  }
};

/** What is wrong with an app id, likeliest first. */
export const APP_SLIPS: readonly SlipFinder[] = [misplaced, nearly];

interface AppWords {
  readonly words: string;
  /** The id, if an app could have it. */
  readonly unknown?: string;
  readonly known: string;
}

const MOST_APPS = 20;

const knownWords = (apps: readonly AppWorld[]): string => {
  const ids = apps.slice(0, MOST_APPS).map(({ app }) => app.appId);
  if (ids.length === 0) return "There are no apps. Create one first.";
  return `Apps: ${ids.join(", ")}${apps.length > MOST_APPS ? ", …" : ""}.`;
};

/** @returns what is wrong with the app id of a body: place and value. */
export const appWords = ({ attempt: { body }, trial: { world } }: Pick<Tried, "attempt" | "trial">): AppWords => {
  const known = knownWords(shownApps(world));
  const named = nodesOf(body).find(([path]) => path.length <= 2 && ID_NAMES.has(lettersOf(path.at(-1) ?? "")));
  if (named === undefined) {
    const [only, ...others] = isJsonObject(body) ? Object.keys(body) : [];
    const within = only !== undefined && others.length === 0 ? ` The body has only “${only.slice(0, 60)}”.` : "";
    return { words: `The app id is missing: it must be in the body, as “appId”.${within}`, known };
  }
  const [path, value] = named;
  const place = `“${pathWords(path)}”`;
  if (typeof value !== "string")
    return { words: `${place} is ${shownValue(world, value)}: it must be the app’s id, a string.`, known };
  if (value.trim() === "") return { words: `${place} is blank: it must be the app’s id.`, known };
  const placeholder = placeholderIn(value);
  if (placeholder !== undefined)
    return { words: `${place} is “${placeholder}”, which is not an id: a value was not filled in.`, known };
  if (world.appBySecret(value) !== undefined) return { words: `${place} is an app’s secret, not its id.`, known };
  const sent = pathWords(path) === "appId" ? "" : ` It was sent as ${place}.`;
  const { like } = likeliest(value, shownApps(world));
  const near =
    like.length < 2
      ? ""
      : ` Like it: ${like
          .slice(0, 3)
          .map(({ app }) => app.appId)
          .join(", ")}.`;
  return {
    words: `${isToken(value) ? `No app has the id ${maskedText(value)}` : noApp(value)}.${sent}${near}`,
    unknown: value,
    known,
  };
};

/** @param requestId of the request, which says what the command alone cannot: the names in its body. */
export const createCommand = ({ appId: id, strategy, settings }: AppLike, requestId: string): string => {
  if (settings !== undefined || !appId.safeParse(id).success) return `stagedoor apps create --like ${requestId}`;
  return `stagedoor apps create ${id}${strategy === strategyOf(undefined) ? "" : ` --strategy ${strategy}`}`;
};
