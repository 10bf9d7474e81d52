/** What phones and emails are named, how they are written instead, and how one is told from the other (D7, D8). */
import { email } from "#contract/scalars.ts";
import type { UsernameField } from "#contract/service/strategies.ts";
import { codeLength, isPhone, phoneValue } from "#contract/words/phone-words.ts";
import type { AppWorld } from "#domain/world.ts";
import { emailFlaw, type TextFlaw, trimmedOf, unquoted, unseenIn, uriDecoded, withDigits, wordsIn } from "./texts.ts";

type Form = readonly [code: string, words: string, value: string];

interface ValueKind {
  /** In lower case, without separators. */
  readonly names: ReadonlySet<string>;
  readonly isValid: (text: string) => boolean;
  /** @returns the value without what does not belong to it. */
  readonly clean: (text: string) => string;
  /** @returns what a text may have been meant as; the rules decide. */
  readonly forms: (app: AppWorld, text: string) => Iterable<Form>;
  /** What a value of the other kind is; undefined: it is none. */
  readonly other: (text: string) => string | undefined;
  /** What else can be said of a value that no form repairs. */
  readonly flaw: (text: string) => (TextFlaw & { readonly isLenient?: true }) | undefined;
}

/** How a text came to be, and the text without it. */
type Wrapping = readonly [code: string, words: string, unwrap: (text: string) => string];

const withoutExtension = (text: string): string => {
  const at = text.search(/[;,x#]|ext/i);
  return at >= 0 && /^(?:[;,x#]|ext)\.?(?:ext=)?[ ]?\d{1,6}$/i.test(text.slice(at)) ? text.slice(0, at).trim() : text;
};

/** @returns the number within a text that has one, as in `User(phone=+12025550100)`; else the text. */
const numberWithin = (text: string): string => {
  const [, before = "", number, after = ""] = /^([^+\d]{1,60})(\+\d{6,15})([^+\d]{1,60})$/.exec(text) ?? [];
  return number === undefined || before.trim() === "" || after.trim() === "" ? text : number;
};

const WRAPPINGS: readonly Wrapping[] = [
  [
    "optional",
    "is a Swift optional that was turned into text",
    (text) => text.replace(/^Optional\("?(.*?)"?\)$/s, "$1"),
  ],
  [
    "percent_encoded",
    "is percent-encoded, which a JSON body must not be",
    (text) => (text.includes("%") ? uriDecoded(text) : text),
  ],
  ["quoted", "has quotation marks within the value", (text) => unquoted(text)],
  ["repeated_plus", "has more than one plus sign", (text) => text.replace(/^\++(?=\+)/, "")],
  [
    "prefix",
    "has a prefix before the number",
    (text) => text.trim().replace(/^(?:whatsapp|sms|phone|callto|mobile|p|t):\s*/i, ""),
  ],
  [
    "prefix",
    "has a prefix before the address",
    (text) => text.trim().replace(/^(?:mailto|email|e-mail|smtp):\s*/i, ""),
  ],
  ["extension", "has an extension after the number", withoutExtension],
  ["more_around", "has more around the number", numberWithin],
];

const phoneForms: ValueKind["forms"] = function* (app, text) {
  const unseen = unseenIn(text);
  const value = phoneValue(text);
  if (value !== text && isPhone(value)) {
    const is00 = text.trim().startsWith("00");
    yield [
      unseen?.code ?? (is00 ? "begins_with_00" : "more_than_digits"),
      unseen?.words ?? (is00 ? "begins with 00 instead of a plus sign" : "contains more than a plus sign and digits"),
      value,
    ];
  }
  const digital = withDigits(text);
  if (digital !== undefined)
    yield ["letter_for_digit", `has the letter “${digital.letter}” where a digit belongs`, phoneValue(digital.text)];
  for (const [code, words, unwrap] of WRAPPINGS) {
    const inner = phoneValue(unwrap(text));
    if (unwrap(text) !== text && isPhone(inner)) yield [code, words, inner];
  }
  const after = value.slice(1);
  const country = `+${after.slice(0, codeLength(after))}`;
  const rest = value.slice(country.length);
  if (rest.startsWith(country) && isPhone(rest))
    yield ["repeated_country", `has the country code ${country} twice`, rest];
  // In national form: only the app's own users can say which country.
  const digits = value.replace(/^\+/, "").replace(/\D/g, "").replace(/^0+/, "");
  if (digits.length < 6 || digits.length > 14 || isPhone(text) || !/^[\d\s()./-]+$/.test(value)) return;
  const ends = app.profiles.length > MOST_PROFILES ? [] : app.profiles.filter(({ phone }) => phone?.endsWith(digits));
  const [only, second] = ends;
  // As in a file without a country: digits that can begin with the code of one.
  if (only === undefined && isPhone(`+${value}`) && value.length > LONGEST_NATIONAL)
    yield ["national_phone", "has no plus sign before what may be its country code", `+${value}`];
  if (only?.phone && second === undefined)
    yield [
      "national_phone",
      `has no plus sign and country code; a user of the app has the number ${only.phone}`,
      only.phone,
    ];
};

/** Digits of a number that may well be a national one. */
const LONGEST_NATIONAL = 10;
const MOST_PROFILES = 5_000;

const emailForms: ValueKind["forms"] = function* (_app, text) {
  const flaw = emailFlaw(text);
  if (flaw !== undefined && flaw.instead !== "") yield [flaw.code, flaw.words, flaw.instead];
  for (const [code, words, unwrap] of WRAPPINGS) {
    const inner = unwrap(text);
    if (inner !== text) yield [code, words, cleanEmail(inner)];
  }
  yield ["odd_dots", "has a dot or comma at its end", trimmedOf(text.trim(), "", ".,;>")];
  yield ["odd_comma", "has a comma instead of a dot", text.replaceAll(",", ".")];
};

const cleanEmail = (text: string): string => text.trim().replace(/^mailto:/i, "");

const several = (text: string): TextFlaw | undefined => {
  const count = text.split(/[,;|]|\s(?=\+)/).filter((part) => part.trim() !== "").length;
  return count > 1 ? { code: "several", words: `It has ${count} values; it must be one.` } : undefined;
};

const unseenFlaw = (text: string): TextFlaw | undefined => {
  const unseen = unseenIn(text);
  return unseen && { code: unseen.code, words: `It ${unseen.words}.` };
};

/** By field. */
export const VALUE_KINDS: Readonly<Record<UsernameField, ValueKind>> = {
  phone: {
    names: wordsIn(`
      phone phonenumber phoneno mobile mobilenumber mobilephone mobileno cell cellphone tel telephone msisdn
      number userphone contactnumber sms
    `),
    isValid: (text) => isPhone(phoneValue(text)),
    clean: phoneValue,
    forms: phoneForms,
    other: (text) => (text.includes("@") ? "That is an email address" : undefined),
    flaw: (text) =>
      several(text) ??
      unseenFlaw(text) ??
      (/^\d[\d\s().-]*$/.test(text)
        ? { code: "national_phone", words: "It has no plus sign and country code." }
        : undefined),
  },
  email: {
    names: wordsIn("email emailaddress mail useremail emailid mailaddress emails"),
    isValid: (text) => email.safeParse(cleanEmail(text)).success,
    clean: cleanEmail,
    forms: emailForms,
    other: (text) => (/^\+?[\d\s().-]{7,}$/.test(text) ? "That is a phone number" : undefined),
    flaw: (text) => {
      const flaw = emailFlaw(text);
      return flaw && { code: flaw.code, words: `It ${flaw.words}.`, isLenient: true as const };
    },
  },
};
