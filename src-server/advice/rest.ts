/** What is wrong with a request that no slip explains: place, value as sent, and rule; nothing is guessed. */
import { header, instructionOf } from "#contract/control/refusals.ts";
import type { Advice, RequestItem } from "#contract/control/requests.ts";
import { isEmulated, type Operation, routes } from "#contract/control/routes.ts";
import { isJsonObject, type JsonValue } from "#contract/scalars.ts";
import { TEXTS } from "#contract/service/attributes.ts";
import { effectiveSettings } from "#contract/service/effective-settings.ts";
import { problems } from "#contract/service/problems.ts";
import { USERNAME_FIELDS, USERNAMES, usernameField } from "#contract/service/strategies.ts";
import { placeholderWithin } from "#contract/words/placeholders.ts";
import { nameOf } from "#domain/profile-rules.ts";
import type { AppWorld } from "#domain/world.ts";
import { nodesOf, type Path, pathWords, valueAtPath } from "./attempt.ts";
import { passcodePath } from "./passcode-slips.ts";
import type { Tried } from "./slip.ts";
import { shownValue, type TextFlaw } from "./texts.ts";
import { fieldPath } from "./user-slips.ts";
import { VALUE_KINDS } from "./value-kinds.ts";

const BLANK = "can't be blank";

/** @returns where the body has what an error names. */
const pathOf = (refused: Tried, app: AppWorld, field: string): Path => {
  const { envelope, userField } = effectiveSettings(app.app.settings).wire;
  const outer = envelope === null ? [] : [envelope];
  const name = field.split(/[.[]/)[0] ?? field;
  if (refused.attempt.listener === "admin") return [name];
  if (field === userField) return [...outer, userField];
  const code = passcodePath(app);
  if (field === code.at(-1)) return code;
  if (TEXTS.some((one) => one === name)) return fieldPath(refused, app, name);
  return nodesOf(refused.attempt.body).find(([path]) => path.at(-1) === field)?.[0] ?? [field];
};

const missingWords = ({ attempt, verdict }: Tried, app: AppWorld, field: string, place: string): string => {
  const { name, strategy, settings } = app.app;
  const { userField } = effectiveSettings(settings).wire;
  const own = usernameField(app.app);
  if (attempt.listener === "admin") return `“${place}” is missing: the app’s profile.required asks for it.`;
  if (field === userField) return `“${place}” is missing: it must be an object with the user’s ${strategy}.`;
  if (field !== own)
    return `“${place}” is missing${verdict.stage === "passcode" ? ": a PUT must have the code that was sent" : ""}.`;
  const user = valueAtPath(attempt.body, pathOf({ attempt } as Tried, app, own).slice(0, -1));
  const other = USERNAMES[own].others.find((one) => isJsonObject(user) && typeof user[one] === "string");
  const also = other === undefined ? "" : ` The ${other} is not enough.`;
  return `“${place}” is missing: the app “${name}” signs in by ${strategy}.${also}`;
};

const likeWords = (app: AppWorld, field: string, value: JsonValue): TextFlaw | undefined => {
  if (typeof value !== "string") return undefined;
  const placeholder = placeholderWithin(value);
  if (placeholder !== undefined)
    return { code: "placeholder", words: `“${placeholder}” stands for a value that was not filled in.` };
  const kind = USERNAME_FIELDS.find((one) => one === field);
  if (kind === undefined) return undefined;
  const other = VALUE_KINDS[kind].other(value);
  if (other !== undefined)
    return { code: "other_kind", words: `${other}; the app “${app.app.name}” signs in by ${app.app.strategy}.` };
  const flaw = VALUE_KINDS[kind].flaw(value);
  const isStrict = effectiveSettings(app.app.settings).validation !== "lenient";
  const lenient =
    flaw?.isLenient && isStrict ? " With the app’s “validation” set to “lenient”, it would have been accepted." : "";
  return flaw && { code: flaw.code, words: `${flaw.words}${lenient}` };
};

const holderWords = (app: AppWorld, value: JsonValue): string => {
  const holder = typeof value === "string" ? app.profileByUsername(value) : undefined;
  return holder === undefined ? "" : ` ${nameOf(holder)} has it (${holder.userId}).`;
};

/** @returns what is wrong with the fields of a request, one by one. */
export const fieldAdvice = (refused: Tried): Advice[] => {
  const { verdict, attempt, trial } = refused;
  const { app, fields } = verdict;
  if (app === undefined) return [];
  const { list } = effectiveSettings(app.app.settings);
  return Object.entries(fields).map(([field, messages]): Advice => {
    const rule = messages.join(", and it ");
    const asked = attempt.query.get(field);
    if (verdict.operation === "listProfiles") {
      const bound = /\bor (less|more)$/.exec(rule)?.[1];
      const setting =
        field === list.limitParameter && bound === "less"
          ? " (setting list.maxLimit)"
          : field === list.pageParameter && bound === "more"
            ? " (setting list.firstPage)"
            : "";
      return {
        code: "bad_parameter",
        text: `“${field}” in the query is “${(asked ?? "").slice(0, 60)}”: it ${rule}${setting}.`,
        at: `query.${field}`,
      };
    }
    const path = pathOf(refused, app, field);
    const place = pathWords(path);
    const at = `body.${place}`;
    const value = valueAtPath(attempt.body, path);
    if (attempt.isUnread) return { code: "invalid_field", text: `“${place}” ${rule}.`, at };
    if (value === undefined) return { code: "missing_field", text: missingWords(refused, app, field, place), at };
    const is = `“${place}” is ${shownValue(trial.world, value)}: it ${rule}.`;
    const like = likeWords(app, field, value);
    if (messages.includes("has already been taken"))
      return { code: "taken", text: `${is}${holderWords(app, value)}`, at };
    if (messages.includes(BLANK) && like === undefined) return { code: "missing_field", text: is, at };
    return like === undefined
      ? { code: "invalid_field", text: is, at }
      : { code: like.code, text: `${is} ${like.words}`, at };
  });
};

const MOST_PATH = 100;
const sentPath = ({ path }: RequestItem): string => path.replace(/\?.*$/s, "").slice(0, MOST_PATH);
const sent = (item: RequestItem, name: string, most: number): string | undefined =>
  header(item.request.headers, name)?.slice(0, most);

const pathsOf = (listener: RequestItem["listener"]): string =>
  [
    ...new Set(
      Object.values<Operation>(routes)
        .filter((row) => row.listener === listener && isEmulated(row) && row.path.startsWith("/v1/"))
        .map(({ path }) => path),
    ),
  ].join(" and ");

const FORM = /^(?:application\/x-www-form-urlencoded|multipart\/)/i;

const WORDS: Readonly<Record<string, (item: RequestItem) => string | undefined>> = {
  not_json: (item) => {
    const type = sent(item, "content-type", 100);
    if (type === undefined) return "The request has no Content-Type. It must be application/json.";
    return FORM.test(type)
      ? `The Content-Type is “${type}”: the body is a form. Send JSON, with the Content-Type application/json.`
      : `The Content-Type is “${type}”. It must be application/json, in UTF-8.`;
  },
  encoded_body: (item) =>
    `The Content-Encoding is “${sent(item, "content-encoding", 60) ?? ""}”. Send the body without compression.`,
  unknown_path: (item) =>
    // Another instruction says what was meant.
    instructionOf(item) === problems.unknown_path.instruction
      ? `Nothing is at ${item.method} ${sentPath(item)}. This is ${item.listener}, with ${pathsOf(item.listener)}.`
      : undefined,
  method_not_allowed: (item) =>
    `${sentPath(item)} does not take ${item.method}. It takes ${header(item.response.headers, "allow") ?? "other methods"}.`,
  misdirected_host: (item) =>
    `The Host header is “${sent(item, "host", 100) ?? ""}”. Use an IP address or localhost, or add the name with --allow-host.`,
  unknown_expectation: (item) =>
    `The Expect header is “${sent(item, "expect", 60) ?? ""}”. Send none, or 100-continue.`,
  body_too_large: (item) =>
    `The body has ${sent(item, "content-length", 20) ?? "too many"} bytes, more than the limit. Send a smaller body.`,
};

/** @returns what is wrong, for the reasons that the head explains. */
export const headWords = (reason: string, item: RequestItem): string | undefined =>
  Object.hasOwn(WORDS, reason) ? WORDS[reason]?.(item) : undefined;
