/** Numbers of all countries: loaded only where a number has no plus sign, or a country is named. */
import { getCountries, isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js/min";
import { isPhone } from "#contract/words/phone-words.ts";
import { AREA_CODES, OTHER_AREA_CODES } from "./area-codes.ts";

/** Reads numbers that are not in E.164 form. */
export interface PhoneRules {
  /** @param text a number in national form, or whole but for its plus. @returns it in E.164 form; undefined: unknown. */
  read(text: string): string | undefined;
}

const validIn = (...how: Parameters<typeof parsePhoneNumberFromString>): string | undefined => {
  const found = parsePhoneNumberFromString(...how);
  return found?.isValid() === true && isPhone(found.number) ? found.number : undefined;
};

/** @returns a number of a country that has a possible length: those for fiction are in no range that is given out. */
const possibleIn = (...how: Parameters<typeof parsePhoneNumberFromString>): string | undefined => {
  const found = parsePhoneNumberFromString(...how);
  return found?.isPossible() === true && isPhone(found.number) ? found.number : undefined;
};

/** Ten digits that are a North American number are that, even where they also could be one of Denmark with its code. */
const isAmerican = (digits: string): boolean => {
  const area = digits.slice(0, 3);
  return digits.length === 10 && (AREA_CODES.has(area) || OTHER_AREA_CODES.has(area)) && /^.{3}[2-9]/.test(digits);
};

/** @param country such as `US`; undefined: none is named. @returns undefined if there is no such country. */
export const phoneRules = (country: string | undefined): PhoneRules | undefined => {
  const code = country?.toUpperCase();
  if (code !== undefined && !isSupportedCountry(code)) return undefined;
  return {
    read: (text) => {
      const national = code === undefined ? undefined : (validIn(text, code) ?? possibleIn(text, code));
      if (national !== undefined) return national;
      const digits = text.replaceAll(/\D/g, "");
      return isAmerican(digits) ? undefined : validIn(text.startsWith("+") ? text : `+${digits}`);
    },
  };
};

/** @returns the codes of all countries whose numbers are known. */
export const phoneCountries = (): readonly string[] => getCountries();
