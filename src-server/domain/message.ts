/**
 * The message with a passcode: fills in the template and validates the autofill lines.
 *
 * Android's SMS Retriever reads at most 140 bytes with a code and the 11-character hash of the app; older versions
 * expect the hash at the end and `<#>` at the start. A domain-bound code (Apple, WebOTP; WICG sms-one-time-codes) is a
 * last line `@host #code`, optionally followed by ` %embedded-host`; the rest is ignored.
 */
import { HOST_NAME } from "#contract/scalars.ts";
import { type EffectiveSettings, effectiveSettings } from "#contract/service/effective-settings.ts";
import { utf8Bytes } from "#contract/service/metadata.ts";
import type { AppRecord } from "#contract/service/records.ts";
import { CHANNELS, type Channel } from "#contract/service/strategies.ts";
import { nearestName } from "#contract/validation.ts";
import { inOneMinute } from "#contract/words/languages.ts";

type MessageApp = Pick<AppRecord, "name" | "settings">;

/** Maximum length for the SMS Retriever in UTF-8 bytes. */
const RETRIEVER_BYTES = 140;
const PLACEHOLDERS = /\{(code|app|minutes|androidHash|domain)\}/g;
const HASH = /^[A-Za-z0-9+/]{11}$/;
const BOUND = /^@(?<host>\S+) #(?<code>\S+)(?: %(?<embedded>\S+))?(?:\s.*)?$/;

/** Maximum length of a message, filled in, in characters. */
const MOST_CHARACTERS = 4_096;

/** @returns the message before it is cut; placeholders without a value stay as they are. */
const wholeText = (app: MessageApp, channel: Channel, code: string, given?: string): string => {
  const { message, passcode } = effectiveSettings(app.settings);
  const { text, autofill } = CHANNELS[channel];
  const minutes = String(Math.ceil(passcode.ttlSeconds / 60));
  const isDefault = app.settings.message?.[text] === undefined;
  const template = isDefault && minutes === "1" ? inOneMinute(message[text]) : message[text];
  const lines = autofill ? { androidHash: given ?? message.androidHash, domain: message.domain } : {};
  const values: Readonly<Record<string, string | null>> = { code, app: app.name, minutes, ...lines };
  return template.replace(PLACEHOLDERS, (whole, name: string) => values[name] ?? whole);
};

/**
 * @param code as issued. @param given the hash of an Android app instead of the one that is set.
 * @returns the message to the user. Only some channels have autofill lines.
 */
export const messageText = (...of: Parameters<typeof wholeText>): string =>
  // Templates from before there was a maximum are cut; the next change of the settings refuses them.
  wholeText(...of).slice(0, MOST_CHARACTERS);

/** @returns a code as long as those of the app. */
const sampleCode = ({ settings }: MessageApp): string => {
  const { fixed, length } = effectiveSettings(settings).passcode;
  return fixed ?? "0".repeat(length);
};

type Message = EffectiveSettings["message"];

/** Stands for the hash of each device, while a message is checked. */
export const ANY_HASH = "AAAAAAAAAAA";

const linesOf = (text: string): string[] => text.split(/\r\n|\r|\n/);
/** Whether a line looks like a domain-bound code. */
const meansDomain = (line: string): boolean => /^@\S*(\s+#|#)/.test(line) || line.includes("{domain}");

const NO_CODE = "must have {code}";

/** If the last line is a domain-bound code, the hash can follow it or end the text before it. @returns the words there. */
const endsOf = (text: string): readonly string[] => {
  const lines = linesOf(text);
  const places = BOUND.test(lines.at(-1) ?? "") ? [text, lines.slice(0, -1).join("\n")] : [text];
  return places.map((part) => part.trimEnd().split(/\s/).at(-1) ?? "");
};

/** @returns what looks like the hash of an Android app at the end of a message; words of small letters do not. */
export const hashIn = (text: string): string | undefined =>
  endsOf(text).find((word) => HASH.test(word) && /[^a-z]/.test(word));

const retrieverErrors = ({ sms, androidHash }: Message, text: string): string[] => {
  const isFilled = sms.includes("{androidHash}");
  if (!isFilled && !sms.startsWith("<#>")) return [];
  if (isFilled && androidHash === null) return ["uses {androidHash}, but message.androidHash is not set"];
  const errors: string[] = [];
  if (!sms.includes("{code}")) errors.push(`${NO_CODE}, which the app reads from the message`);
  const isHash = (word: string): boolean => (isFilled ? word === androidHash : HASH.test(word));
  if (!endsOf(text).some(isHash)) errors.push("must end with the 11-character hash of the Android app: {androidHash}");
  const bytes = utf8Bytes(text);
  if (bytes > RETRIEVER_BYTES)
    errors.push(`is ${bytes} bytes long when filled in; with an Android hash at most ${RETRIEVER_BYTES} are read`);
  return errors;
};

const domainErrors = ({ sms, domain }: Message, text: string, code: string): string[] => {
  if (!linesOf(sms).some(meansDomain)) return [];
  if (sms.includes("{domain}") && domain === null) return ["uses {domain}, but message.domain is not set"];
  const lines = linesOf(text);
  const last = lines.at(-1) ?? "";
  if (!last.startsWith("@") && lines.some((line) => BOUND.test(line)))
    return ["must have the line @{domain} #{code} as its last line"];
  const bound = BOUND.exec(last)?.groups;
  if (bound === undefined)
    return ["must have a last line of the form @{domain} #{code}, with nothing before it and one space between"];
  if (bound["code"] !== code) return ["must have the code after the # of its last line: @{domain} #{code}"];
  const wrong = [bound["host"], bound["embedded"]].filter((host) => host !== undefined && !HOST_NAME.test(host));
  return wrong.map((host) => `names ${host} in its last line, which is not a host name without scheme, port or path`);
};

/** What other tools put for a value, next to what is a placeholder here. */
const PLACEHOLDER_LIKE = /\$?\{{1,2}\s?[\w.-]{0,40}\s?\}{1,2}|%[sd@]|<code>|\[code\]/gi;
const KNOWN: readonly string[] = ["code", "app", "minutes", "androidHash", "domain"];
/** What the code is called elsewhere. */
const CODE_WORDS = /^(?:|s|d|@|otp|passcode|pin|token|verification_?code)$/i;

/** @returns the errors of what is to be replaced in a template of the app. */
const placeholderErrors = (template: string): readonly string[] => {
  const hasOwn = template.includes("{code}");
  const odd = [...new Set(template.match(PLACEHOLDER_LIKE))].filter(
    (text) => !KNOWN.includes(/^\{(\w+)\}$/.exec(text)?.[1] ?? "") && !(hasOwn && text === "{}"),
  );
  const meant = odd.map((text) => {
    const name = text.replaceAll(/[^\w.@-]/g, "");
    const own = KNOWN.find((one) => one.toLowerCase() === name.toLowerCase());
    return own ?? (CODE_WORDS.test(name) ? "code" : nearestName(name, KNOWN));
  });
  const hasCode = hasOwn || meant.includes("code");
  return [
    ...odd.map((text, i) => {
      const names = KNOWN.map((name) => `{${name}}`).join(", ");
      return `has ${text}, which is not replaced; ${meant[i] === undefined ? `placeholders are ${names}` : `did you mean {${meant[i]}}?`}`;
    }),
    ...(hasCode ? [] : [`${NO_CODE}, which becomes the passcode`]),
  ];
};

/** @returns the errors in autofill lines of the app's text message. */
const smsErrors = (app: MessageApp): readonly string[] => {
  const { message, delivery } = effectiveSettings(app.settings);
  const code = sampleCode(app);
  const isPerDevice = message.androidHash === null && message.androidPackage !== null && delivery.android;
  const androidHash = isPerDevice ? ANY_HASH : message.androidHash;
  const text = messageText(app, "sms", code, androidHash ?? undefined);
  return [...retrieverErrors({ ...message, androidHash }, text), ...domainErrors(message, text, code)];
};

/** @returns that a template would be too long when filled in; undefined if it is not. */
const lengthErrors = (app: MessageApp, text: "sms" | "email"): readonly string[] | undefined => {
  const { length } = wholeText(app, text, sampleCode(app));
  if (length <= MOST_CHARACTERS) return undefined;
  return [`is ${length} characters long when filled in; at most ${MOST_CHARACTERS} are allowed`];
};

/** @returns whether a message of an app is cut when it is filled in. Only an earlier version has stored such a template. */
export const isMessageCut = (app: MessageApp): boolean =>
  [lengthErrors(app, "sms"), lengthErrors(app, "email")].some((errors) => errors !== undefined);

/** @returns the errors in the messages of an app, by the name of the text, as sentences that continue its path. */
export const messageErrors = (app: MessageApp): Readonly<Partial<Record<"sms" | "email", readonly string[]>>> => {
  const errors: Partial<Record<"sms" | "email", readonly string[]>> = {};
  const linesOf: Readonly<Record<"sms" | "email", readonly string[]>> = { sms: smsErrors(app), email: [] };
  for (const text of ["sms", "email"] as const) {
    const template = app.settings.message?.[text];
    const ofLines = linesOf[text];
    const isKnown = template === undefined || ofLines.some((error) => error.startsWith(NO_CODE));
    const all = lengthErrors(app, text) ?? [...(isKnown ? [] : placeholderErrors(template)), ...ofLines];
    if (all.length > 0) errors[text] = all;
  }
  return errors;
};
