/** Forms in which people post their users: each becomes the users that it means. */
import { expect, test } from "vitest";
import type { PeopleOptions } from "#people/read-people.ts";
import { readPeople } from "./read.ts";

const NUMBER = "+12025550143";
const MOODLE = `username,firstname,lastname,phone1,phone2,country
jane,Jane,Doe,07911 123456,,GB
bob,Bob,Smith,,(202) 555-0143,US`;
const WOO = `user_login,user_email,display_name,billing_phone,billing_country
anna,anna@example.com,Anna,030 1234567,DE`;
const RTDB = `{"user_base": {"34": {"name": "Ada", "phone": "${NUMBER}"}, "35": {"name": "Bo", "phone": "+12025550144"}},
  "user_prefs": {"a": {"data": "x"}, "b": {"data": "y"}}}`;

test.each<readonly [string, string, readonly object[]]>([
  ["numbered columns", `name,mobile_phone_1,work_phone\nZoe,"${NUMBER}; (202) 555-0199",\n`, [{ phone: NUMBER }]],
  ["Moodle's phones", MOODLE, [{ phone: "+447911123456" }, { name: "Bob Smith", phone: NUMBER }]],
  ["WooCommerce's billing country", WOO, [{ phone: "+49301234567", email: "anna@example.com" }]],
  ["Shopify's apostrophe", `Email,First Name,Phone\n,Ann,'${NUMBER}\n`, [{ name: "Ann", phone: NUMBER }]],
  ["Firebase's users by id", RTDB, [{ name: "Ada", metadata: { externalId: "34" } }, { name: "Bo" }]],
  ["Firebase's lists with holes", `[null, {"name": "Ada", "phone": "${NUMBER}"}, null]`, [{ phone: NUMBER }]],
])("%s", async (_form, text, profiles) => {
  const read = await readPeople(text, {});
  expect(read).toMatchObject({ profiles, faults: { total: 0 } });
});

test("an error in users by id is at its line; a cure is the country of the rows that were read", async () => {
  const read = async (text: string, options: PeopleOptions = {}) => await readPeople(text, options);
  expect(await read(`{"a": {"phone": "${NUMBER}"},\n "b": {"phone": "12"}}`)).toMatchObject({
    faults: { first: [{ line: 2 }] },
  });
  expect(await read("nom,tel\nA,06 12 34 56 78\nB,33612345679\n")).toMatchObject({
    remedies: [expect.stringContaining("--country FR")],
  });
  expect(await read(`name,username\nA,x\nB,y\nC,${NUMBER}\n-,-\n`)).toMatchObject({
    notices: expect.arrayContaining([
      '"username": 2 other values, kept as metadata, 1 phone.',
      expect.stringMatching(/^1 row without a value/),
    ]),
  });
});
