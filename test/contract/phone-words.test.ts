/** Numbers as people and programs write them: never another person's number. */
import { getCountries, getCountryCallingCode, getExampleNumber } from "libphonenumber-js/max";
import metadata from "libphonenumber-js/max/metadata";
import examples from "libphonenumber-js/mobile/examples";
import { describe, expect, test } from "vitest";
import { isPhone, phoneValue, recipientText, recipientValue } from "#contract/words/phone-words.ts";

interface Example {
  readonly country: string;
  readonly e164: string;
  readonly code: string;
  readonly national: string;
  readonly grouped: string;
  readonly uri: string;
  /** What is dialled before the number within the country. */
  readonly trunk: string;
}

const EXAMPLES = getCountries().flatMap((country): Example[] => {
  const found = getExampleNumber(country, examples);
  if (found === undefined) return [];
  return [
    {
      country,
      e164: found.number,
      code: getCountryCallingCode(country),
      national: found.nationalNumber,
      grouped: found.formatInternational(),
      uri: found.getURI(),
      trunk: String(metadata.countries[country]?.[5] ?? "0"),
    },
  ];
});

const digitsFrom = (zero: number, text: string): string =>
  text.replaceAll(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
const ARABIC = 0x660;
const DEVANAGARI = 0x966;
const FULL_WIDTH = 0xff10;

const WAYS: Readonly<Record<string, (example: Example) => string>> = {
  "E.164": ({ e164 }) => e164,
  "in groups": ({ grouped }) => grouped,
  "with hyphens": ({ grouped }) => grouped.replaceAll(" ", "-"),
  "with no-break spaces and a slash": ({ grouped }) => grouped.replace(" ", "\u00a0/\u00a0").replaceAll(" ", "\u202f"),
  "as a URI": ({ uri }) => uri,
  "with 00": ({ grouped }) => `00 ${grouped.slice(1)}`,
  "with a trunk prefix in brackets": ({ code, national, trunk }) =>
    trunk === "0" ? `+${code} (0)${national}` : `+${code} (${trunk}) ${national}`,
  "with 00 and (0)": ({ code, national }) => `00${code} (0) ${national}`,
  "with the code in brackets": ({ code, national }) => `(+${code}) ${national}`,
  "as a spreadsheet's formula": ({ e164 }) => `="${e164}"`,
  "after an apostrophe, with marks of direction": ({ grouped }) => `'\u202a${grouped}\u202c`,
  "in Arabic digits": ({ e164 }) => `\u200f${digitsFrom(ARABIC, e164)}`,
  "in Devanagari digits": ({ grouped }) => digitsFrom(DEVANAGARI, grouped),
  "in full width": ({ e164 }) => `\uff0b${digitsFrom(FULL_WIDTH, e164.slice(1))}`,
};

describe(`example numbers of ${EXAMPLES.length} countries`, () => {
  test.each(Object.entries(WAYS))("%s", (_way, write) => {
    const wrong = EXAMPLES.flatMap((example) => {
      const text = write(example);
      const value = phoneValue(text);
      return value === example.e164 ? [] : [`${example.country}: ${text} → ${value}`];
    });
    expect(wrong).toEqual([]);
  });
});

test.each([
  ["+49 (0)171 1234567", "+491711234567"],
  ["+49 (0171) 1234567", "+491711234567"],
  ["0049-(0)-171/1234567", "+491711234567"],
  ["+44 (0)20 7946 0958", "+442079460958"],
  // In Italy the zero belongs to the number, but not before that of a mobile.
  ["+39 (0)6 6982", "+39066982"],
  ["+39 (06) 6982", "+39066982"],
  ["+39 (0)312 3456789", "+393123456789"],
  ["+378 (0)549 886377", "+3780549886377"],
  ["+225 (0)7 12345678", "+2250712345678"],
  ["+36 (06) 20 123 4567", "+36201234567"],
  ["+370 (8) 612 34567", "+37061234567"],
  ["+1 (202) 555-0100", "+12025550100"],
  ["+1 (000) 555-0100", "+10005550100"],
  ["tel:+1-202-555-0181;ext=5", "+12025550181"],
  ["0171 1234567", "01711234567"],
  ["(202) 555-0100", "2025550100"],
  ["+1 202 555 0100 x5", "+12025550100x5"],
  ["1.2E+10", "12E+10"],
  ["", ""],
  ["00", "00"],
])("%s is %s", (typed, value) => {
  expect(phoneValue(typed)).toBe(value);
});

test("a recipient is looked up as it is stored", () => {
  expect(recipientValue("+1 202 555 0100")).toBe("+12025550100");
  expect(recipientValue("o'brien@example.com")).toBe("o'brien@example.com");
  expect(["+12025550100", "+0123456789", "2025550100"].map(isPhone)).toEqual([true, false, false]);
  expect(recipientText("\u202a+12025550100\u202c")).toBe("+1 202 555 0100");
});
