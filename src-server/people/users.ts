/**
 * Believable users, the same ones from the same seed. Nobody's numbers and addresses: see `numbers.ts`; domains of
 * RFC 2606.
 */
import type { FixtureProfile } from "#contract/state.ts";
import { type Locale, NAMES } from "./names.ts";
import { phoneNumbers } from "./numbers.ts";

/** The locales that there are. */
export const LOCALES: readonly string[] = Object.keys(NAMES);
/** @returns whether the text names a locale. */
export const isLocale = (text: string): text is Locale => Object.hasOwn(NAMES, text);
/** As many as one import takes. */
export const MOST_USERS = 100_000;

const DOMAINS = ["example.com", "example.org", "example.net"] as const;
const PLANS = ["free", "free", "free", "basic", "pro"] as const;

/** Numbers from 0 to less than 1 that look random: mulberry32, begun from a hash (FNV-1a) of the text. */
const numbersFrom = (text: string): (() => number) => {
  let state = 2_166_136_261;
  for (const char of text) state = Math.imul(state ^ (char.codePointAt(0) ?? 0), 16_777_619);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
};

/** The part of an address before the @: the name in plain letters. */
const mailbox = (given: string, family: string): string =>
  `${given}.${family}`
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replaceAll(/[äöü]/g, (umlaut) => `${umlaut.normalize("NFD")[0] ?? ""}e`)
    .normalize("NFD")
    .replaceAll(/[^a-z.]/g, "");

/**
 * @param count how many, from 1 to `MOST_USERS`. @param seed any text: the same makes the same users, and more of them
 * begin with the same ones. @returns profiles with name, phone, email and metadata; no two share a phone or an email.
 */
export const generateUsers = (count: number, seed: string, locale: Locale): readonly FixtureProfile[] => {
  const random = numbersFrom(`${locale} ${seed}`);
  const { given, family, cities, familyFirst, tag } = NAMES[locale];
  const pick = <T>(list: readonly [T, ...T[]]): T => list[Math.floor(random() * list.length)] ?? list[0];
  const phones = phoneNumbers(locale, random());
  const met = new Map<string, number>();
  return Array.from({ length: count }, (_, i) => {
    const [first, firstPlain = first] = pick(given).split("/");
    const [last, lastPlain = last] = pick(family).split("/");
    const box = mailbox(firstPlain ?? "", lastPlain ?? "");
    const before = met.get(box) ?? 0;
    met.set(box, before + 1);
    return {
      name: familyFirst ? `${last} ${first}` : `${first} ${last}`,
      phone: phones(i),
      email: `${box}${before === 0 ? "" : before + 1}@${pick(DOMAINS)}`,
      metadata: { city: pick(cities), locale: tag, plan: pick(PLANS), newsletter: random() < 0.4 },
    };
  });
};
