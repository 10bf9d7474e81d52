/** Numbers of all countries: loaded only where a number is not in E.164 form, or a country is named. */
import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
  Metadata,
  parsePhoneNumberFromString as parsed,
} from "libphonenumber-js/max";
import { codeLength, isPhone } from "#contract/words/phone-words.ts";
import { plainName } from "./values.ts";

/** Where a number in national form is of: a country, or all that share a calling code. */
export type Home = CountryCode | { readonly defaultCallingCode: string };

/** How bare digits can be meant: they are two numbers if both are valid. */
export type Reading = "international" | "national";

/** Digits as a number; or the two that they can be; undefined: they are none. */
export type NumberRead = { readonly value: string } | { readonly either: readonly [string, string] } | undefined;

/** By calling code, how many digits can follow it: most digits are no number without a closer look. */
const LENGTHS: ReadonlyMap<string, ReadonlySet<number>> = getCountries().reduce((all, country) => {
  const metadata = new Metadata();
  metadata.selectNumberingPlan(country);
  const code = getCountryCallingCode(country);
  return all.set(code, new Set([...(all.get(code) ?? []), ...(metadata.numberingPlan?.possibleLengths() ?? [])]));
}, new Map<string, ReadonlySet<number>>());

const found = (text: string, home?: Home) => {
  const of = typeof home === "string" ? { defaultCountry: home } : home;
  // The text is digits alone: no number need be looked for in it.
  const number = parsed(text, { ...of, extract: false });
  return number !== undefined && isPhone(number.number) ? number : undefined;
};

const wholeOf = (digits: string): string | undefined => {
  const code = digits.slice(0, codeLength(digits));
  if (LENGTHS.get(code)?.has(digits.length - code.length) !== true) return undefined;
  const number = found(`+${digits}`);
  // A zero after the country code is dropped by the library: then it is another number.
  return number?.number === `+${digits}` && number.isValid() ? number.number : undefined;
};

/** By country; the library searches for each. */
const CODES: ReadonlyMap<string, string> = new Map(
  getCountries().map((country) => [country, getCountryCallingCode(country)]),
);
const callingCodeOf = (home: Home): string =>
  typeof home === "string" ? (CODES.get(home) ?? "") : home.defaultCallingCode;

/** @returns the home that a code such as `DE` or `49` stands for; undefined: there is none. */
export const homeOf = (code: string): Home | undefined => {
  const country = code.toUpperCase();
  if (isSupportedCountry(country)) return country;
  return LENGTHS.has(code) ? { defaultCallingCode: code } : undefined;
};

/** How digits are written, and how their column is meant where they are two numbers. */
export interface Written {
  /** Absent: as the rules have it. */
  readonly home?: Home | undefined;
  readonly way?: Reading | undefined;
  /** The digits before the first separator. Absent: there is none. */
  readonly group?: string | undefined;
}

/** Whether the first group is an area code, and not the country code with which an international number begins. */
const isGrouped = (digits: string, { group }: Written): boolean =>
  group !== undefined && group !== digits.slice(0, codeLength(digits));

/** @returns ten digits as a North American number, which is perhaps meant, even where they are one of Denmark, too. */
const american = (digits: string, home: Home | undefined): string | undefined => {
  if (digits.length !== 10 || (home !== undefined && callingCodeOf(home) === "1")) return undefined;
  const number = found(digits, { defaultCallingCode: "1" });
  return number?.isValid() === true ? number.number : undefined;
};

/** Reads numbers that are not in E.164 form. */
export class PhoneRules {
  /** Where national numbers are of; undefined: not known. */
  readonly home: Home | undefined;
  /** The countries of the numbers that are whole, the most frequent first. */
  readonly others: readonly CountryCode[];
  readonly countries = new Countries();
  readonly #national = new Map<string, string | null>();
  readonly #dropsZero = new Map<string, boolean>();

  /** @param whole numbers in E.164 form that stand next to those that are read. */
  constructor(home: Home | undefined, whole: readonly string[]) {
    this.home = home;
    this.others = this.countriesOf(whole);
  }

  /** @param numbers in E.164 form. @returns their countries, the most frequent first. */
  countriesOf(numbers: readonly string[]): readonly CountryCode[] {
    const counts = new Map<CountryCode, number>();
    for (const number of numbers) {
      const country = parsed(number)?.country;
      if (country !== undefined) counts.set(country, (counts.get(country) ?? 0) + 1);
    }
    return [...counts].sort(([, a], [, b]) => b - a).map(([country]) => country);
  }

  /** @returns bare digits as an international number; undefined: they are none. */
  international(digits: string): string | undefined {
    return wholeOf(digits);
  }

  /** @returns digits as a national number; undefined: they are none. */
  national(digits: string, home = this.home): string | undefined {
    if (home === undefined) return undefined;
    const key = callingCodeOf(home) + digits;
    const known = this.#national.get(key);
    if (known !== undefined) return known ?? undefined;
    const number = found(digits, home);
    const valid = number?.isValid() === true ? number.number : undefined;
    this.#national.set(key, valid ?? null);
    return valid;
  }

  /** @param digits a number without a plus sign. */
  read(digits: string, written: Written = {}): NumberRead {
    const { home = this.home } = written;
    if (digits.length < 4 || digits.length > 17) return undefined;
    if (home !== undefined) return this.#readAt(home, digits, written);
    const whole = digits.startsWith("0") ? undefined : wholeOf(digits);
    return whole === undefined || isGrouped(digits, written) ? undefined : this.#readHomeless(whole);
  }

  #readAt(home: Home, digits: string, written: Written): NumberRead {
    const { way } = written;
    const code = callingCodeOf(home);
    // The column has only this reading: the other one need not be tried.
    const certain = way === "national" && !digits.startsWith(code) ? this.national(digits, home) : undefined;
    if (certain !== undefined) return { value: certain };
    const whole = digits.startsWith("0") ? undefined : wholeOf(digits);
    if (whole === undefined || isGrouped(digits, written)) {
      const value = this.#possible(digits, home) ?? this.national(digits, home);
      return value === undefined ? undefined : { value };
    }
    // Two numbers of one country: its own are written with a zero, which is missing.
    if (way === "international" || (digits.startsWith(code) && this.#hasTrunkZero(whole, home)))
      return { value: whole };
    const other = this.national(digits, home) ?? american(digits, home);
    if (other === undefined || other === whole) return { value: whole };
    return way === "national" ? { value: other } : { either: [whole, other] };
  }

  /** Numbers for fiction are in no range that is given out. A country code is never put before another. */
  #possible(digits: string, home: Home): string | undefined {
    const code = callingCodeOf(home);
    const number = found(digits, home);
    if (number?.isPossible() !== true) return undefined;
    return digits.startsWith(code) && number.number === `+${code}${digits}` ? undefined : number.number;
  }

  #readHomeless(whole: string): NumberRead {
    const digits = whole.slice(1);
    if (american(digits, undefined) !== undefined) return undefined;
    if (this.others.some((country) => whole.startsWith(`+${callingCodeOf(country)}`))) return { value: whole };
    for (const country of this.others) {
      const national = this.national(digits, country);
      if (national !== undefined && national !== whole) return { either: [whole, national] };
    }
    return { value: whole };
  }

  #hasTrunkZero(whole: string, home: Home): boolean {
    const code = callingCodeOf(home);
    const known = this.#dropsZero.get(code);
    if (known !== undefined) return known;
    const drops = parsed(`0${whole.slice(code.length + 1)}`, home)?.number === whole;
    this.#dropsZero.set(code, drops);
    return drops;
  }
}

/** @returns the codes of all countries whose numbers are known. */
export const phoneCountries = (): readonly string[] => getCountries();

/** Codes of three letters that do not begin with those of two, which follow. */
const THREE =
  "ABWAW AGOAO ALAAX ANDAD AREAE ARMAM ATGAG AUTAT BDIBI BENBJ BESBQ BGDBD BHSBS BIHBA BLRBY BLZBZ BRBBB BRNBN CAFCF CHLCL CHNCN CODCD COGCG COKCK COMKM CPVCV CUWCW CYMKY DNKDK ESHEH ESTEE FLKFK FROFO FSMFM GINGN GLPGP GNBGW GNQGQ GRDGD GRLGL GUFGF GUYGY IRLIE IRQIQ ISRIL JAMJM KAZKZ KORKR LBRLR LBYLY MACMO MAFMF MDGMG MDVMV MEXMX MLTMT MNEME MNPMP MOZMZ MTQMQ MYTYT NIUNU PAKPK PLWPW PNGPG POLPL PRKKP PRTPT PRYPY PYFPF SENSN SLBSB SLVSV SPMPM SRBRS SURSR SVKSK SVNSI SWESE SWZSZ SYCSC TCDTD TKMTM TUNTN TURTR TUVTV UKRUA URYUY WLFWF";
/** Names that are none of the usual ones. */
const ALSO =
  "uk=GB england=GB scotland=GB wales=GB greatbritain=GB britain=GB holland=NL unitedstatesofamerica=US america=US korea=KR czechrepublic=CZ turkey=TR uae=AE brasil=BR";
const LANGUAGES =
  "en de fr es pt it nl sv da nb fi is pl cs sk hu ro bg el hr sr sl et lv lt uk be ru sq mk ca ga mt tr ar hi zh ja ko id vi";

/** Finds countries by what rows say; their names in many languages are made when a row first needs them. */
export class Countries {
  readonly #found = new Map<string, Home | undefined>();
  #names: ReadonlyMap<string, string> | undefined;

  /** @param text such as `DE`, `DEU`, `+49`, `0049` or `Germany`. @returns undefined if it is no country. */
  find(text: string): Home | undefined {
    if (!this.#found.has(text)) this.#found.set(text, this.#search(text.trim()));
    return this.#found.get(text);
  }

  #search(text: string): Home | undefined {
    const [, code] = /(?:^(?:00)?|\+\s?)(\d{1,4})\)?$/.exec(text) ?? [];
    if (code !== undefined) return homeOf(code);
    const own = /^[a-z]{2}$/i.test(text) ? homeOf(text) : undefined;
    if (own !== undefined) return own;
    this.#names ??= countryNames();
    return homeOf(this.#names.get(plainName(text)) ?? (/^[a-z]{3}$/i.test(text) ? text.slice(0, 2) : ""));
  }
}

const countryNames = (): ReadonlyMap<string, string> =>
  new Map([
    ...LANGUAGES.split(" ").flatMap((language) => {
      const names = new Intl.DisplayNames(language, { type: "region" });
      return phoneCountries().map((code) => [plainName(names.of(code) ?? code), code] as const);
    }),
    ...THREE.split(" ").map((codes) => [codes.slice(0, 3).toLowerCase(), codes.slice(3)] as const),
    ...ALSO.split(" ").map((both) => [both.slice(0, -3), both.slice(-2)] as const),
  ]);
