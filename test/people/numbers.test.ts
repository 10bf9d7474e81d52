/** Numbers of every country in the forms that files have: each is right, or refused, or said; none is another one. */
import { getCountries, getCountryCallingCode, getExampleNumber } from "libphonenumber-js/max";
import examples from "libphonenumber-js/mobile/examples";
import { describe, expect, test } from "vitest";
import { readPhone } from "#people/phone-reader.ts";
import { Countries, homeOf, PhoneRules } from "#people/phone-rules.ts";
import type { PeopleOptions } from "#people/read-people.ts";
import { readPeople } from "./read.ts";

const NUMBERS = getCountries().flatMap((region) => {
  const number = getExampleNumber(region, examples);
  return number === undefined ? [] : [{ region, number }];
});
type Number = (typeof NUMBERS)[number]["number"];
const FORMS: Readonly<Record<string, (number: Number) => string>> = {
  "with a plus, spaced": (number) => number.formatInternational(),
  "with 00": ({ number }) => `00${number.slice(1)}`,
  "as a formula": ({ number }) => `="${number}"`,
  "without the plus": ({ number }) => number.slice(1),
  "without the plus, spaced": (number) => number.formatInternational().slice(1),
  "without the plus, a float": ({ number }) => `${number.slice(1)}.0`,
  national: (number) => number.formatNational(),
  "national, digits alone": (number) => number.formatNational().replaceAll(/\D/g, ""),
  "national, without the zero": ({ nationalNumber }) => nationalNumber,
};
const HOMES = ["none", "own", "DE", "US", "GB"] as const;

/** `another` was asked for: a number of the country that was named; `said`: a plus sign was added, which the plan says. */
const outcome = (text: string, { number }: Number, country: string | undefined): string => {
  const home = country === undefined ? undefined : homeOf(country);
  const rules = new PhoneRules(home, []);
  const read = readPhone(text, { rules, homes: [], row: [] });
  if ("wrong" in read) return read.wrong.startsWith("can be two") ? "ambiguous" : "refused";
  if (read.value === number) return "right";
  if (read.lacksPlus === true) return "said";
  const code = country === undefined ? "?" : getCountryCallingCode(country as "US");
  return String(read.value).startsWith(`+${code}`) ? "another" : "wrong";
};

test("become the same number, are refused, or are said to be another", () => {
  const table = Object.entries(FORMS).map(([name, form]) => [
    name,
    ...HOMES.map((home) => {
      const counts: Record<string, number> = {};
      for (const { region, number } of NUMBERS) {
        const country = home === "own" ? region : home === "none" ? undefined : home;
        const result = outcome(form(number), number, country);
        counts[result] = (counts[result] ?? 0) + 1;
      }
      return `${home}: ${Object.entries(counts)
        .sort()
        .map(([result, count]) => `${result} ${count}`)
        .join(", ")}`;
    }),
  ]);
  expect(table).toMatchInlineSnapshot(`
    [
      [
        "with a plus, spaced",
        "none: right 245",
        "own: right 245",
        "DE: right 245",
        "US: right 245",
        "GB: right 245",
      ],
      [
        "with 00",
        "none: right 245",
        "own: right 245",
        "DE: right 245",
        "US: right 245",
        "GB: right 245",
      ],
      [
        "as a formula",
        "none: right 245",
        "own: right 245",
        "DE: right 245",
        "US: right 245",
        "GB: right 245",
      ],
      [
        "without the plus",
        "none: refused 10, right 235",
        "own: right 245",
        "DE: ambiguous 212, right 33",
        "US: ambiguous 10, right 235",
        "GB: ambiguous 12, right 233",
      ],
      [
        "without the plus, spaced",
        "none: refused 10, right 235",
        "own: right 245",
        "DE: ambiguous 212, right 33",
        "US: ambiguous 10, right 235",
        "GB: ambiguous 12, right 233",
      ],
      [
        "without the plus, a float",
        "none: refused 10, right 235",
        "own: right 245",
        "DE: ambiguous 212, right 33",
        "US: ambiguous 10, right 235",
        "GB: ambiguous 12, right 233",
      ],
      [
        "national",
        "none: refused 245",
        "own: right 245",
        "DE: another 242, refused 2, right 1",
        "US: another 73, refused 145, right 25, said 2",
        "GB: another 173, refused 68, right 4",
      ],
      [
        "national, digits alone",
        "none: refused 243, said 2",
        "own: ambiguous 6, right 239",
        "DE: ambiguous 4, another 236, refused 2, right 1, said 2",
        "US: ambiguous 4, another 72, refused 145, right 21, said 3",
        "GB: ambiguous 4, another 168, refused 67, right 4, said 2",
      ],
      [
        "national, without the zero",
        "none: refused 242, said 3",
        "own: ambiguous 7, right 238",
        "DE: ambiguous 5, another 236, refused 2, said 2",
        "US: ambiguous 4, another 23, refused 193, right 21, said 4",
        "GB: ambiguous 4, another 155, refused 79, right 4, said 3",
      ],
    ]
  `);
  expect(JSON.stringify(table)).not.toContain("wrong");
});

const phones = async (rows: readonly string[], options: PeopleOptions = {}, header = "name,phone") => {
  const read = await readPeople(`${header}\n${rows.map((row, i) => `User ${i},${row}`).join("\n")}\n`, options);
  if ("kind" in read) throw new Error(read.kind === "none" ? read.why : read.kind);
  return read.faults.total > 0
    ? read.faults.first.map(({ line, reason }) => `${line}: ${reason}`)
    : read.profiles.map(({ phone }) => phone);
};
const DE = { country: "DE" };

describe("a country", () => {
  test.each([
    [["491701234567"], DE, ["+491701234567"]],
    [["12025550185", "0170 1234567"], DE, ["+12025550185", "+491701234567"]],
    [["4930123456"], { country: "US" }, ["+4930123456"]],
    // A column that a spreadsheet robbed of its zeros, and one that it robbed of its plus signs.
    [["15123456789", "1701234567"], DE, ["+4915123456789", "+491701234567"]],
    [["15123456789", "12025550185"], DE, ["+15123456789", "+12025550185"]],
    [["15123456789"], DE, ["2: can be two numbers: +15123456789 or +4915123456789"]],
    [["+491711234567", "15123456789"], {}, ["3: can be two numbers: +15123456789 or +4915123456789"]],
    [["202 555 01"], { country: "US" }, ["2: is no number of US"]],
  ])("reads national numbers: %j", async (rows, options, result) => {
    expect(await phones(rows, options)).toEqual(result);
  });

  test.each([
    ["44,7911123456", "+447911123456"],
    ["+44,7911123456", "+447911123456"],
    ["0044,07911 123456", "+447911123456"],
    ["UK,07911 123456", "+447911123456"],
    ["GBR,07911 123456", "+447911123456"],
    ["Deutschland,0170 1234567", "+491701234567"],
    ["Германия,0170 1234567", "+491701234567"],
    ["Atlantis,0170 1234567", "2: has no country code"],
    ["DE,+447911123456", "+447911123456"],
  ])("of the row goes first: %s", async (row, result) => {
    expect(await phones([row], { country: "US" }, "name,country_code,phone")).toEqual([result]);
  });

  test("is that of the other rows in the remedy, and never the one that was given", async () => {
    const remedies = async (csv: string, options: PeopleOptions = {}) => {
      const read = await readPeople(csv, options);
      return "kind" in read ? read.kind : read.remedies;
    };
    const csv = "name,phone\nAda,+491711234567\nBo,0170 1234567\n";
    expect(await remedies(csv)).toEqual([expect.stringContaining("Add --country DE")]);
    expect(await remedies("name,phone\nBo,202 555 01\n", { country: "US" })).toEqual([]);
  });
});

test.each([
  ["4930123456.0", "+4930123456"],
  ["+12025550100.00", "+12025550100"],
  ["4930123456.5", "is a number with a fraction"],
  ["1.2025550100E+10", "+12025550100"],
  ["1.20255E+10", "is a number that a spreadsheet has rounded; format the column as text and save it again"],
  ["2024-01-05", "is a date"],
  ["01.02.2024", "is a date"],
  ["01.23.45.67.89", "has no country code"],
])("a spreadsheet's %s is %s", async (text, result) => {
  expect((await phones([text]))[0]?.replace(/^2: /, "")).toBe(result);
});

test("extensions are cut and counted; rows that differ in one alone are refused with both lines", async () => {
  const read = async (csv: string) => await readPeople(csv, {});
  expect(await read("name,phone\nAda,+1 202 555 0100 x12\nBo,tel:+1-202-555-0101;ext=9\n")).toMatchObject({
    profiles: [{ phone: "+12025550100", metadata: { extension: "12" } }, { phone: "+12025550101" }],
    notices: [expect.stringContaining("extension")],
  });
  expect(await read("name,phone\nAda,+1 202 555 0100 x1\nAda,+1 202 555 0100 x2\n")).toMatchObject({
    faults: { first: [{ line: 3, reason: expect.stringContaining("is already in line 2") }] },
  });
});

test("countries are found by codes and by their names in many languages", () => {
  const countries = new Countries();
  for (const text of ["de", "DEU", "Germany", "Allemagne", "Alemania", "ドイツ", "德国", "ألمانيا", "जर्मनी", "Almanya"])
    expect([text, countries.find(text)]).toEqual([text, "DE"]);
});
