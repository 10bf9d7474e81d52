/** Advice for fixing a rejected request: cures that are proven, or what is wrong, where, and by which rule. */

import { appLike } from "#contract/control/app-like.ts";
import { header, instructionOf } from "#contract/control/refusals.ts";
import type { Advice, RequestItem } from "#contract/control/requests.ts";
import { readUuid } from "#contract/scalars.ts";
import { isAppId } from "#contract/service/app-id.ts";
import { effectiveSettings } from "#contract/service/effective-settings.ts";
import { usernameField } from "#contract/service/strategies.ts";
import { recipientText } from "#contract/words/phone-words.ts";
import { placeholderIn } from "#contract/words/placeholders.ts";
import { lengthWords, many } from "#contract/words/words.ts";
import { type AppWorld, shownApps } from "#domain/world.ts";
import type { Exchange } from "#http/traffic/exchange.ts";
import { fullRow } from "#http/traffic/request-log.ts";
import { appWords, createCommand } from "./app-slips.ts";
import { attemptOf, bodyText, type Path } from "./attempt.ts";
import { bodySlips } from "./body-slips.ts";
import { adviceOfCure, cureOf } from "./cure.ts";
import type { Fates } from "./history.ts";
import { mismatchWords, passcodePath } from "./passcode-slips.ts";
import { fieldAdvice, headWords } from "./rest.ts";
import { type Slip, type Tried, withBodyValue } from "./slip.ts";
import { isToken, maskedText, shownText, uriDecoded } from "./texts.ts";
import type { Trial } from "./trial.ts";
import { fieldPath } from "./user-slips.ts";

/** So much advice on a row that was refused: the one that cures first. */
export const MOST_ADVICE = 3;

interface Facts extends Tried {
  readonly row: Exchange;
  readonly item: RequestItem;
  readonly fates: Fates;
}

type Rule = (facts: Facts) => string | Advice | readonly Advice[] | undefined;

const sinceWords = ({ item }: Facts, instant: string): string => {
  const ms = Date.parse(item.at) - Date.parse(instant);
  if (ms < 0) return "";
  return ms < 500 ? " just before this request" : ` ${lengthWords(ms / 1_000)} before this request`;
};

const typedIn = ({ row }: Facts): string => row.login?.typed ?? "";
const appOf = ({ row, trial }: Facts): AppWorld | undefined => trial.world.app(row.appId ?? "");

/** @returns the user's codes, newest first; of a moved clock those typed before. */
const codesOf = (facts: Facts) => {
  const { row, item } = facts;
  const all = (row.userId === null ? [] : (appOf(facts)?.of("passcodes", row.userId) ?? [])).toReversed();
  const before = all.filter(({ createdAt, tried }) => createdAt <= item.at || tried.includes(typedIn(facts)));
  return before.length === 0 ? all : before;
};

const otherUserWords = (facts: Facts): string => {
  const typed = typedIn(facts);
  const found = appOf(facts)?.passcodes.findLast(
    ({ code, userId, state }) => code === typed && state === "active" && userId !== facts.row.userId,
  );
  return found === undefined ? "" : ` ${typed} was sent to ${recipientText(found.to)}.`;
};

const secretWords = (facts: Facts): string => {
  const { trial, fates, attempt } = facts;
  const sent = facts.row.requestHeaders.authorization ?? "";
  if (sent === "")
    return `The request has no Authorization header. Send “Authorization: Bearer ” and the secret of ${appsWords(trial)}.`;
  const secret = attempt.secret ?? sent.replace(/^bearer\s*/i, "");
  const placeholder = placeholderIn(secret);
  if (placeholder !== undefined || secret.trim() === "")
    return `The Authorization header has ${secret.trim() === "" ? "no secret" : `“${placeholder}”`} after “Bearer”: a value was not filled in.`;
  if (attempt.secret === undefined)
    return `The Authorization header is ${/\s/.test(secret) ? "not one secret" : `${maskedText(sent)}`}: it must be “Bearer”, a space and the secret, once.`;
  const app = trial.world.app(secret);
  if (app !== undefined && app.app.hidden === undefined)
    return `The Authorization header has “${secret}”, which is an app’s id, not its secret. Copy the secret from Setup › Apps or \`stagedoor apps\`.`;
  if (isToken(secret))
    return "The Authorization header has a session token (a JWT). Admin takes the app’s secret: copy it from Setup › Apps or `stagedoor apps`.";
  if (facts.row.reason === "missing_secret" && trial.world.appBySecret(secret) !== undefined)
    return "The request has more than one Authorization header. Send one.";
  const former = fates.ofSecret(secret);
  return `No app has the secret of the Authorization header, ${maskedText(secret)}.${former === undefined ? "" : ` ${former}`} Copy the secret from Setup › Apps or \`stagedoor apps\`.`;
};

const appsWords = (trial: Trial): string => {
  const [only, ...others] = shownApps(trial.world);
  return only !== undefined && others.length === 0 ? `the app “${only.app.appId}”` : "an app";
};

const profileWords = (facts: Facts): string => {
  const { attempt, trial, fates, verdict } = facts;
  const sent = attempt.path.split("/")[3] ?? "";
  const id = readUuid(sent);
  const app = verdict.app ?? appOf(facts);
  const where = `The id in the path is ${shownText(trial.world, sent)}`;
  const placeholder = placeholderIn(uriDecoded(sent));
  if (placeholder !== undefined) return `${where}: a value was not filled in. The path takes the user’s id.`;
  if (id === undefined)
    return `${where}, which is not a UUID. The path takes the user’s id, as in the response to a create.`;
  const gone = app && fates.ofUser(app, id);
  if (gone !== undefined) return `${where}. ${gone}`;
  const other = shownApps(trial.world).find((one) => one !== app && one.find("profiles", id) !== undefined);
  if (other !== undefined)
    return `${where}: that user is in the app “${other.app.appId}”, but the secret is of “${app?.app.appId}”.`;
  return `${where}: the app “${app?.app.appId}” has no user with this id.`;
};

const unknownUser: Rule = (facts) => {
  const { fates } = facts;
  const app = appOf(facts);
  const to = facts.row.login?.to ?? "";
  if (app === undefined) return undefined;
  const past = fates.ofUsername(app, to);
  const known: Advice | undefined = past && { code: "past_user", text: past.words };
  const path = fieldPath(facts, app, usernameField(app.app));
  const cured = known && past?.now !== undefined ? proven(facts, known, path, past.now) : known;
  const send = cured?.send === undefined ? "" : ` Send ${cured.send}.`;
  const canSignUp = effectiveSettings(app.app.settings).signUp === "open";
  const then = canSignUp ? " A POST signs the user up." : " Sign-up is closed (setting signUp).";
  return [
    ...(cured === undefined ? [] : [{ ...cured, text: `${cured.text}${send}` }]),
    { code: "unknown_user", text: `No user of the app “${app.app.name}” has ${recipientText(to)}.${then}` },
  ];
};

const BY_REASON: Readonly<Record<string, Rule>> = {
  invalid_fields: (facts) => (facts.verdict.stage === "app" ? unknownApp(facts) : fieldAdvice(facts)),
  passcode_mismatch: (facts) => {
    const [last] = codesOf(facts);
    return last && `${mismatchWords(typedIn(facts), last.code)}${otherUserWords(facts)}`;
  },
  passcode_replaced: (facts) => {
    const typed = typedIn(facts);
    const sent = codesOf(facts);
    const at = sent.findIndex(({ code }, index) => index > 0 && code === typed.padStart(code.length, "0"));
    const by = sent[at - 1];
    const newest = sent[0];
    const app = appOf(facts);
    if (app === undefined || by === undefined || newest === undefined) return undefined;
    const text = `The code ${typed} was replaced${sinceWords(facts, by.createdAt)}. The newest is ${newest.code}.`;
    return proven(facts, { code: "passcode_replaced", text }, passcodePath(app), newest.code);
  },
  passcode_exhausted: (facts) => {
    const { maxAttempts } = effectiveSettings(appOf(facts)?.app.settings ?? {}).passcode;
    return `The code was locked after ${many(maxAttempts, "wrong attempt")} (setting passcode.maxAttempts). Request a new one with a POST.`;
  },
  passcode_expired: (facts) => {
    const [last] = codesOf(facts);
    const expired = last && `The code expired${sinceWords(facts, last.expiresAt)}.`;
    return (
      expired && `${expired} The app’s passcode.ttlSeconds sets how long codes last. Request a new one with a POST.`
    );
  },
  passcode_used: () => "A code works once. Request a new one with a POST.",
  passcode_not_sent: (facts) => {
    const { row, fates } = facts;
    const app = appOf(facts);
    const gone = app && row.userId !== null ? fates.ofCodes(app, row.userId) : undefined;
    if (gone !== undefined) return { code: "passcode_forgotten", text: `${gone} Request a new one with a POST.` };
    return `No code was sent to ${recipientText(row.login?.to ?? "this user")}.${otherUserWords(facts)} Request a code with a POST first.`;
  },
  unknown_app: (facts) => unknownApp(facts),
  unknown_user: unknownUser,
  sign_up_closed: ({ row }) =>
    `${recipientText(row.login?.to ?? "The user")} is new, and the app’s signUp setting is “closed”. Set it to “open”, or send an existing user.`,
  missing_secret: secretWords,
  unknown_secret: secretWords,
  unknown_profile: profileWords,
  rate_limited: ({ item }) =>
    `Retry after ${header(item.response.headers, "retry-after") ?? "a few"} s. The app’s “limits” settings set the limit.`,
  other_listener: ({ item }) => instructionOf(item) || undefined,
};

/** @returns the advice, with what to send if that is accepted. */
const proven = ({ trial, attempt }: Facts, advice: Advice, path: Path, send: string): Advice =>
  trial.try(withBodyValue(attempt, path, send)).accepted ? { ...advice, send, at: `body.${path.join(".")}` } : advice;

const unknownApp = (facts: Facts): Advice[] => {
  const { words, unknown, known } = appWords(facts);
  const like = unknown === undefined ? undefined : createAdvice(facts);
  return [
    { code: facts.row.reason ?? "unknown_app", text: words },
    ...(like === undefined ? [] : [like]),
    ...(known === "" ? [] : [{ code: "known_apps", text: known }]),
  ];
};

/** @returns how the app of a request is created; undefined: it has no id that an app could have. */
const createAdvice = ({ row, trial, attempt }: Facts): Advice | undefined => {
  const like = row.listener === "auth" ? appLike(attempt.body) : undefined;
  if (
    like === undefined ||
    !isAppId(like.appId) ||
    trial.world.app(like.appId) !== undefined ||
    trial.world.appBySecret(like.appId) !== undefined
  )
    return undefined;
  return { code: "create_app", text: `Create it: \`${createCommand(like, row.id)}\`.` };
};

const isHere = (facts: Facts, slips: readonly Slip[]): boolean =>
  slips.some(({ code }) => code === "near_app") && facts.row.appId === null;

const listed = (code: string, made: ReturnType<Rule>): readonly Advice[] => {
  if (made === undefined) return [];
  if (typeof made === "string") return [{ code, text: made }];
  return "code" in made ? [made] : made;
};

const secretAtAuth = ({ row }: Facts): readonly Advice[] =>
  row.listener === "auth" && /^(POST|PUT)$/.test(row.method) && row.requestHeaders.authorization !== undefined
    ? [
        {
          code: "secret_ignored",
          text: "The Authorization header is ignored here. Keep the app secret in your backend, never in a client.",
        },
      ]
    : [];

const restOf = (facts: Facts): readonly Advice[] => {
  const { code } = facts.verdict;
  if (code === null) return [];
  if (code === "invalid_fields") return facts.verdict.stage === "app" ? unknownApp(facts) : fieldAdvice(facts);
  const words: Readonly<Record<string, string>> = {
    unknown_user: "Then there is no such user yet: sign up with a POST first.",
    passcode_not_sent: "Then no code was sent to this user: request one with a POST first.",
    sign_up_closed: "Then sign-up is closed (setting signUp), and the user is new.",
  };
  const text = words[code];
  return text === undefined ? [] : [{ code, text }];
};

/** @returns the advice on a row, the one that cures first; nothing for successful requests, and where a fault applied. */
export const adviceOnRefusal = (row: Exchange, trial: Trial, fates: Fates): Advice[] => {
  const attempt = attemptOf(row);
  if (row.status < 400 || row.fault !== null || attempt === undefined) return [];
  const item = fullRow(row);
  const reason = row.reason ?? "refused";
  const tried = trial.try(attempt);
  const { operation, fields, appId } = row;
  const verdict =
    tried.stage === "unread"
      ? { ...tried, fields, app: trial.world.app(appId ?? ""), operation: operation ?? undefined }
      : tried;
  const facts: Facts = { row, item, fates, trial, attempt, verdict, headers: row.requestHeaders };
  const instruction = instructionOf(item);
  const text = bodyText(row);
  const cure = cureOf(facts, text === undefined ? [] : [bodySlips(text, instruction)]);
  // The response has the whole URL.
  const cured = adviceOfCure(cure).map((one) =>
    one.code === "path" && one.send !== undefined && instruction.includes(one.send)
      ? { ...one, text: instruction }
      : one,
  );
  const end: Facts = { ...facts, ...cure.end };
  const create = isHere(facts, cure.slips) ? createAdvice(facts) : undefined;
  const made: Advice[] =
    cured.length > 0
      ? [...cured, ...(create === undefined ? [] : [create]), ...(cure.end.verdict.accepted ? [] : restOf(end))]
      : [...listed(reason, BY_REASON[reason]?.(facts) ?? headWords(reason, item))];
  if (made.length === 0 && instruction !== "") made.push({ code: reason, text: instruction });
  return [...made, ...secretAtAuth(facts)].slice(0, MOST_ADVICE);
};
