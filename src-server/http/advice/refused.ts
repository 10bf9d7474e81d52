/** Advice for fixing a refused request, as specific as possible: our own rules, then the instruction of the answer. */
import type { Advice } from "#contract/advice.ts";
import type { AppItem } from "#contract/apps.ts";
import { textAttribute } from "#contract/attributes.ts";
import { effectiveSettings } from "#contract/effective-settings.ts";
import { frozen } from "#contract/frozen.ts";
import { parsedJson } from "#contract/parsed-json.ts";
import type { PasscodeItem } from "#contract/passcodes.ts";
import { isPhone, phoneValue } from "#contract/phone-words.ts";
import { fieldFaults, header, instructionOf } from "#contract/refusals.ts";
import type { RequestItem } from "#contract/requests.ts";
import { USERNAMES, usernameField } from "#contract/strategies.ts";
import { isObject, outerFields, userFields, type Wire } from "#contract/wire-body.ts";
import { lengthWords, many } from "#contract/words.ts";
import { unseenIn } from "./unseen.ts";
import { codeAdvice, emailAdvice } from "./values.ts";

const sinceWords = (row: RequestItem, instant: string): string => {
  const ms = Date.parse(row.at) - Date.parse(instant);
  if (ms < 0) return "";
  return ms < 500 ? " just before this request" : ` ${lengthWords(ms / 1_000)} before this request`;
};

const isSwap = (a: string, b: string): boolean => {
  const off = [...a].flatMap((char, at) => (char === b[at] ? [] : [at]));
  const [first = -1, second = -1] = off;
  return a.length === b.length && off.length === 2 && a[first] === b[second] && a[second] === b[first];
};

const mismatch = (typed: string, code: string): string => {
  const words = `Received ${typed === "" ? "an empty code" : typed}, expected ${code}.`;
  if (typed.length !== code.length) return `${words} Codes of this app have ${code.length} digits.`;
  return isSwap(typed, code) ? `${words} Two digits are swapped.` : words;
};

/** What is known of an app. */
type KnownApp = Pick<AppItem, "appId" | "name" | "strategy" | "settings">;
/** What is known of a code. */
type KnownPasscode = Pick<PasscodeItem, "userId" | "code" | "createdAt" | "expiresAt" | "tried">;

/** The context of a row. */
export interface Surroundings {
  readonly apps: readonly KnownApp[];
  /** Newest first; codes of other users are ignored. */
  readonly passcodes: readonly KnownPasscode[];
}

interface Facts extends Surroundings {
  readonly row: RequestItem;
  readonly body: unknown;
  readonly faults: Readonly<Record<string, readonly string[]>>;
  readonly app: KnownApp | undefined;
  readonly wire: Wire;
}

/** Advice, or its text alone. */
type Rule = (facts: Facts) => Advice | string | undefined;

const fieldPlace = (envelope: string | null, field: string): string =>
  envelope === null ? `“${field}”` : `“${envelope}.${field}”`;

/** The position of a known app id in the body, at the top level or one below. */
const idIn = (body: unknown, apps: readonly KnownApp[]) => {
  const places: (readonly [envelope: string | null, fields: unknown])[] = [[null, body]];
  if (isObject(body)) places.push(...Object.entries(body));
  for (const [envelope, fields] of places)
    for (const [field, value] of isObject(fields) ? Object.entries(fields) : []) {
      const app = apps.find((one) => one.appId === value);
      if (app !== undefined) return { envelope, field, app };
    }
  return undefined;
};

const misplacedId: Rule = ({ row, body, apps, faults }) => {
  if (row.reason !== "unknown_app" && !Object.hasOwn(faults, "appId")) return undefined;
  const found = idIn(body, apps);
  if (found === undefined) return undefined;
  const { wire } = effectiveSettings(found.app.settings);
  if (wire.envelope === found.envelope && wire.appIdField === found.field) return undefined;
  const nested =
    found.envelope !== null && wire.envelope === null ? ` The body must not be nested under “${found.envelope}”.` : "";
  return `The id “${found.app.appId}” was sent as ${fieldPlace(found.envelope, found.field)}; the app expects it as ${fieldPlace(wire.envelope, wire.appIdField)}.${nested} Send it there, or change the app’s “wire” setting.`;
};

const LOOK_LIKE_ID = frozen(["clientId", "client_id", "app_id", "applicationId", "application_id", "appID"]);
const renamedId: Rule = ({ body, faults, apps }) => {
  if (!Object.hasOwn(faults, "appId") || idIn(body, apps) !== undefined || !isObject(body)) return undefined;
  const found = LOOK_LIKE_ID.find((name) => Object.hasOwn(body, name));
  if (found !== undefined) return `The body has “${found}”. Send the app’s id as “appId”.`;
  const [only, ...others] = Object.entries(body);
  return only !== undefined && others.length === 0 && isObject(only[1])
    ? `The body is nested under “${only[0]}”. Send its fields at the top level, or set the app’s wire.envelope.`
    : undefined;
};

const userBeside: Rule = ({ body, faults, wire }) => {
  const { userField } = wire;
  if (userField === null || !Object.hasOwn(faults, userField)) return undefined;
  const beside = Object.keys(outerFields(wire, body)).filter((name) => textAttribute(name) !== undefined);
  return beside.length === 0
    ? undefined
    : `“${beside.join("”, “")}” must be inside “${userField}”, not next to the app’s id. Or set the app’s wire.userField to null.`;
};

const otherStrategy: Rule = ({ row, app, body, faults, wire }) => {
  if (row.listener !== "auth" || app === undefined) return undefined;
  const field = usernameField(app);
  if (!faults[field]?.includes("can't be blank")) return undefined;
  const sent = userFields(wire, body);
  const other = USERNAMES[field].others.find((one) => typeof sent[one] === "string");
  return (
    other && `“${app.name}” signs in by ${app.strategy}. Send the ${app.strategy} too: the ${other} is not enough.`
  );
};

const sentIn = ({ row, body, wire }: Facts, field: string): string | undefined => {
  const fields = row.listener === "auth" ? userFields(wire, body) : isObject(body) ? body : {};
  const typed = fields[field];
  return typeof typed === "string" && typed !== "" ? typed : undefined;
};

const oddPhone: Rule = (facts) => {
  const typed = Object.hasOwn(facts.faults, "phone") ? sentIn(facts, "phone") : undefined;
  if (typed === undefined) return undefined;
  const value = phoneValue(typed);
  const unseen = unseenIn(typed);
  if (isPhone(value)) {
    if (value === typed) return undefined;
    const begins00 = typed.trim().startsWith("00");
    const words = unseen?.words ?? (begins00 ? "begins with 00" : "contains more than digits");
    const code = unseen?.code ?? (begins00 ? "begins_with_00" : "more_than_digits");
    return { code, text: `“${typed}” ${words}. Send ${value}.`, send: value };
  }
  if (value.startsWith("+")) return unseen && { code: unseen.code, text: `“${typed}” ${unseen.words}.` };
  const such = /^\d{10}$/.test(value) ? `: in the USA, +1${value}` : "";
  const also = unseen === undefined ? "" : `${unseen.words}, and `;
  const text = `“${typed}” ${also}is in national format. Send a plus sign, the country code and the number${such}.`;
  return { code: "national_phone", text };
};

const oddEmail: Rule = (facts) => {
  const typed = Object.hasOwn(facts.faults, "email") ? sentIn(facts, "email") : undefined;
  return typed === undefined ? undefined : emailAdvice(typed, facts.app);
};

/** Codes issued to the user before the request, newest first. */
const sentBefore = ({ row, passcodes }: Facts, typed: string): readonly KnownPasscode[] => {
  // With a moved clock, the times of codes and of requests differ: then compare typed codes.
  const before = passcodes.filter(({ createdAt, tried }) => createdAt <= row.at || tried.includes(typed));
  return before.length === 0 ? passcodes : before;
};

const sentHeader = ({ row }: Facts, name: string): string | undefined => header(row.request.headers, name);
const typedIn = ({ row }: Facts): string => row.login?.typed ?? "";

/** Hints for one reason. */
const BY_REASON = frozen<Readonly<Record<string, Rule>>>({
  passcode_mismatch: (facts) => {
    const typed = typedIn(facts);
    const [last] = sentBefore(facts, typed);
    return last && (codeAdvice(typed, last.code) ?? mismatch(typed, last.code));
  },
  passcode_replaced: (facts) => {
    const typed = typedIn(facts);
    const sent = sentBefore(facts, typed);
    const at = sent.findIndex(({ code }, index) => index > 0 && code === typed.padStart(code.length, "0"));
    const by = sent[at - 1];
    return (
      by && `The code ${typed} was replaced${sinceWords(facts.row, by.createdAt)}. The newest is ${sent[0]?.code}.`
    );
  },
  passcode_exhausted: ({ app }) => {
    const { maxAttempts } = effectiveSettings(app?.settings ?? {}).passcode;
    return `The code was locked after ${many(maxAttempts, "wrong attempt")}. Request a new one with a POST.`;
  },
  passcode_expired: (facts) => {
    const [last] = sentBefore(facts, typedIn(facts));
    const expired = last && `The code expired${sinceWords(facts.row, last.expiresAt)}.`;
    return expired && `${expired} The app’s passcode.ttlSeconds sets how long codes last.`;
  },
  passcode_used: () => "A code works once. Request a new one with a POST.",
  passcode_not_sent: () => "Request a code with a POST first.",
  unknown_app: ({ body, apps }) => {
    if (idIn(body, apps) !== undefined) return undefined;
    return apps.length === 0
      ? "There are no apps. Create one first."
      : { code: "known_apps", text: `No app has this id. Apps: ${apps.map(({ appId }) => appId).join(", ")}.` };
  },
  unknown_user: () => "No user of this app has that phone or email. Sign up with a POST first.",
  sign_up_closed: () => "The app’s signUp setting is “closed”. Set it to “open”.",
  missing_secret: (facts) =>
    sentHeader(facts, "authorization") === undefined
      ? "The request has no Authorization header."
      : "Send one header with “Bearer”, a space and the secret.",
  unknown_secret: () => "Copy the secret from the Apps screen or `stagedoor apps`. It may have been replaced.",
  not_json: (facts) => {
    const sent = sentHeader(facts, "content-type");
    return sent === undefined ? "The request has no Content-Type." : `The request has Content-Type: ${sent}.`;
  },
  method_not_allowed: ({ row }) => `This path allows ${header(row.response.headers, "allow") ?? "other methods"}.`,
  rate_limited: ({ row }) =>
    `Retry after ${header(row.response.headers, "retry-after") ?? "a few"} s. The app’s “limits” settings set the limit.`,
});

const secretAtAuth: Rule = (facts) =>
  facts.row.listener === "auth" &&
  /^(POST|PUT)$/.test(facts.row.method) &&
  sentHeader(facts, "authorization") !== undefined
    ? "The Authorization header is ignored here. Keep the app secret in your backend, never in a client."
    : undefined;

const RULES = frozen<readonly (readonly [code: string, rule: Rule])[]>([
  ["misplaced_id", misplacedId],
  ["renamed_id", renamedId],
  ["user_beside", userBeside],
  ["other_strategy", otherStrategy],
  ["odd_phone", oddPhone],
  ["odd_email", oddEmail],
]);

/** @returns the advice on a row, most telling first; nothing for successful requests, and where a fault applied. */
export const adviceOnRefusal = (row: RequestItem, { apps, passcodes }: Surroundings): Advice[] => {
  if (row.status < 400 || row.fault !== null) return [];
  const app = apps.find(({ appId }) => appId === row.appId);
  const facts: Facts = {
    apps,
    passcodes: passcodes.filter(({ userId }) => userId === row.userId),
    row,
    app,
    wire: effectiveSettings(app?.settings ?? {}).wire,
    body: parsedJson(row.request.body),
    faults: fieldFaults(row),
  };
  const reason = row.reason ?? "refused";
  const made: (readonly [string, ReturnType<Rule>])[] = [
    ...RULES.map(([code, rule]) => [code, rule(facts)] as const),
    [reason, BY_REASON[reason]?.(facts)],
    [reason, instructionOf(row) || undefined],
    ["secret_ignored", secretAtAuth(facts)],
  ];
  return made.flatMap(([code, one]) =>
    one === undefined ? [] : typeof one === "string" ? [{ code, text: one }] : [one],
  );
};
