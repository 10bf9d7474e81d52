/** Of several lists in a file, the people are taken, and the others named. */
import { expect, test } from "vitest";
import type { PeopleOptions } from "#people/read-people.ts";
import { readPeople } from "./read.ts";

const people = async (text: string, options: PeopleOptions = {}) => {
  const read = await readPeople(text, options);
  if ("kind" in read) throw new Error(read.kind === "none" ? read.why : read.kind);
  return read;
};
const named = async (value: object) => {
  const { form, profiles, notices } = await people(JSON.stringify(value));
  const left = notices.find((text) => text.includes("left out"));
  return [/under "(.*)"/.exec(form)?.[1], profiles.length, ...(left === undefined ? [] : [left])];
};

const ADA = { name: "Ada", phone: "+12025550160" };
const rows = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `thing ${i}` }));

test("the list with a name for people is taken, whatever is longer; the others are named", async () => {
  expect(
    await named({ users: [ADA], groups: [{ name: "staff", members: [7] }, { name: "beta" }], roles: rows(3) }),
  ).toEqual(["users", 1, "Other lists are left out: groups (2), roles (3)."]);
  expect(await named({ realm: "demo", clients: rows(4), users: [ADA], roles: { realm: rows(3) } })).toEqual([
    "users",
    1,
    "Other lists are left out: clients (4), roles.realm (3).",
  ]);
  expect(await named({ users: [{ email: "ada@example.com" }], invitations: [ADA, ADA] })).toEqual([
    "users",
    1,
    expect.any(String),
  ]);
  expect(await named({ accounts: rows(3), contacts: [ADA] })).toEqual(["contacts", 1, expect.any(String)]);
  expect(await named({ organization: { members: [ADA] }, roles: rows(2) })).toEqual([
    "organization.members",
    1,
    expect.any(String),
  ]);
});

test("without such a name: the usual envelope, else the rows with a phone or an email", async () => {
  expect(await named({ data: [ADA], included: [ADA, ADA] })).toEqual(["data", 1, expect.any(String)]);
  expect(await named({ data: rows(3), staff: [ADA] })).toEqual(["staff", 1, expect.any(String)]);
  expect(await named({ roles: rows(9), staff: [{ emailAddress: "ada@example.com" }] })).toEqual([
    "staff",
    1,
    expect.any(String),
  ]);
  expect(await named({ roles: rows(9), items: [ADA] })).toEqual(["items", 1, expect.any(String)]);
  expect(await named({ team: [ADA] })).toEqual(["team", 1]);
});

test("no people are refused, also where they have names", async () => {
  for (const value of [{ roles: rows(3), groups: rows(2) }, { roles: rows(3) }, { a: rows(2), b: rows(3) }]) {
    const why = expect.stringMatching(/has no list of users, only .*(?:roles|b) \(3\)/);
    expect(await readPeople(JSON.stringify(value), {})).toEqual({ kind: "none", why });
  }
});

test("one user with lists of their own is one user", async () => {
  const user = { id: "u-1", phone: "+12025550160", devices: rows(2), loginMethods: [{ phoneNumber: "+12025550160" }] };
  expect((await people(JSON.stringify(user))).profiles).toMatchObject([{ phone: "+12025550160" }]);
});

test("somebody's phones and addresses may be one level down, in an object or a list", async () => {
  const text = JSON.stringify([
    { phone: { number: "+12025550165" }, email: { address: "ada@example.com" }, orders: [{ email: "x@example.com" }] },
    { emails: [], phoneNumbers: [], loginMethods: [{ recipeId: "passwordless", email: "grace@example.com" }] },
  ]);
  expect((await people(text, { username: "email" })).profiles).toMatchObject([
    { phone: "+12025550165", email: "ada@example.com" },
    { email: "grace@example.com" },
  ]);
});

test.each([
  ["version: 1\n# ldapsearch\ndn: uid=ida,dc=x\ncn: Ida\n", "is LDIF, which Stagedoor does not read."],
  [" id | name\n----+------\n  1 | Ida\n(1 row)\n", "is a table as a terminal shows it."],
  ["+----+\n| id |\n+----+\n|  1 |\n", "is a table as a terminal shows it."],
])("what is not read is refused with what is: %j", async (text, why) => {
  const read = await readPeople(text, {});
  expect(read).toEqual({ kind: "none", why: expect.stringContaining(why) });
  expect(read).toEqual({
    kind: "none",
    why: expect.stringContaining("a list of users as JSON or NDJSON, or CSV with"),
  });
});

test.each(["-- PostgreSQL database dump\nCREATE TABLE users (id int);\n", "INSERT INTO `users` VALUES (1,'Ada');\n"])(
  "an SQL dump is refused as what it is: %j",
  async (text) => {
    expect(await readPeople(text, {})).toEqual({ kind: "none", why: expect.stringContaining("is an SQL dump") });
  },
);

test("a country takes every number of possible length, also those for fiction", async () => {
  const read = async (phone: string, country: string) =>
    (await people(`name,phone\nAda,"${phone}"\n`, { username: "phone", country })).profiles[0]?.phone;
  expect(await read("(555) 555-0100", "US")).toBe("+15555550100");
  expect(await read("01632 960123", "GB")).toBe("+441632960123");
  expect(await read("0171 1234503", "DE")).toBe("+491711234503");
  expect(await read("555-0100", "US")).toBeUndefined();
});
