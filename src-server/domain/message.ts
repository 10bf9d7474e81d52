/**
 * The message that carries a passcode: its template filled in, and the lines for autofill checked for form.
 *
 * Android's SMS Retriever takes a message of at most 140 bytes with a code and the 11-character hash of the app; older
 * versions want the hash at the end, and `<#>` at the beginning. A domain-bound code (Apple, WebOTP; WICG
 * sms-one-time-codes) is a last line `@host #code`, which may go on with ` %embedded-host`; what follows is not read.
 */
import { type EffectiveSettings, effectiveSettings } from "#contract/effective-settings.ts";
import { utf8Bytes } from "#contract/metadata.ts";
import { HOST_NAME } from "#contract/scalars.ts";
import type { Settings } from "#contract/settings.ts";

/** The part of an app that its messages are made of. */
export interface MessageApp {
  readonly name: string;
  readonly settings: Settings;
}

/** The most bytes of UTF-8 that the SMS Retriever reads. */
const RETRIEVER_BYTES = 140;
const HASH = /^[A-Za-z0-9+/]{11}$/;
const BOUND = /^@(?<host>\S+) #(?<code>\S+)(?: %(?<embedded>\S+))?(?:\s.*)?$/;

/** @returns the message, with a placeholder that stands for nothing left as it is. */
const filled = (template: string, values: Readonly<Record<string, string | null>>): string =>
  template.replace(/\{(code|app|minutes|androidHash|domain)\}/g, (whole, name: string) => values[name] ?? whole);

/**
 * @param code as it was issued. @returns what the user gets. The lines for autofill are a matter of text messages only.
 */
export const messageText = (app: MessageApp, channel: "sms" | "email", code: string): string => {
  const { message, passcode } = effectiveSettings(app.settings);
  const values = { code, app: app.name, minutes: String(Math.ceil(passcode.ttlSeconds / 60)) };
  if (channel === "email") return filled(message.email, values);
  return filled(message.sms, { ...values, androidHash: message.androidHash, domain: message.domain });
};

type Message = EffectiveSettings["message"];

const linesOf = (text: string): string[] => text.split(/\r\n|\r|\n/);
/** A line that means to be a domain-bound code. */
const meansDomain = (line: string): boolean => /^@\S*(\s+#|#)/.test(line) || line.includes("{domain}");

const retrieverErrors = ({ sms, androidHash }: Message, text: string, isBound: boolean): string[] => {
  const isFilled = sms.includes("{androidHash}");
  if (!isFilled && !sms.startsWith("<#>")) return [];
  if (isFilled && androidHash === null) return ["uses {androidHash}, but message.androidHash is not set"];
  const errors: string[] = [];
  if (!sms.includes("{code}")) errors.push("must have {code}, which the app reads from the message");
  // Where a domain-bound code has the last line, the hash may follow it or end the text before it.
  const places = isBound ? [text, linesOf(text).slice(0, -1).join("\n")] : [text];
  const ends = places.map((part) => part.trimEnd().split(/\s/).at(-1) ?? "");
  const isHash = (word: string): boolean => (isFilled ? word === androidHash : HASH.test(word));
  if (!ends.some(isHash)) errors.push("must end with the 11-character hash of the Android app: {androidHash}");
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
  return wrong.map((host) => `names ${host} in its last line, which is no host name without scheme, port or path`);
};

/**
 * Checks the text message of an app as it will be: filled in, with a code of the app's length.
 * @returns what is wrong with lines for autofill, each a sentence to follow the name of `message.sms`; none if there are no
 * such lines.
 */
export const smsErrors = (app: MessageApp): readonly string[] => {
  const { message, passcode } = effectiveSettings(app.settings);
  const code = passcode.fixed ?? "0".repeat(passcode.length);
  const text = messageText(app, "sms", code);
  const isBound = BOUND.test(linesOf(text).at(-1) ?? "");
  return [...retrieverErrors(message, text, isBound), ...domainErrors(message, text, code)];
};
