/** Exports of other tools go in as they are: names, addresses, numbers; never a secret. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findTable, type PeopleOptions, peopleOf, type Work } from "#people/read-people.ts";
import { type DecodeAs, textOfFile } from "#people/text-of-file.ts";
import { readPeople } from "./read.ts";

const FOLDER = join(import.meta.dirname, "exports");
const decodeAs: DecodeAs = (bytes, encoding, isStrict) => {
  try {
    return new TextDecoder(encoding, { fatal: isStrict, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
};
const textIn = (file: string) => textOfFile(readFileSync(join(FOLDER, file)), decodeAs);

const people = async (text: string, options: PeopleOptions = {}) => {
  const read = await readPeople(text, options);
  if ("kind" in read) throw new Error(read.kind === "none" ? read.why : read.kind);
  return read;
};

describe("an export", () => {
  test.each(readdirSync(FOLDER))("%s", async (file) => {
    const { text } = textIn(file);
    const { profiles, faults, username } = await people(text);
    expect(faults).toEqual({ total: 0, first: [], more: [] });
    expect(username).toBe("phone");
    expect(profiles.slice(0, 2)).toMatchObject([
      { name: "Ida Rhodes", email: "ida@example.com", phone: "+12025550121" },
      { name: "Alan Kay", email: "alan@example.com", phone: "+12025550122" },
    ]);
    expect(JSON.stringify(profiles)).not.toMatch(/XSECRETX/);
  });

  test("shows no secret in its plan either, and does not let one be chosen", async () => {
    const { text } = textIn("clerk.csv");
    const { columns } = await people(text);
    expect(JSON.stringify(columns)).not.toMatch(/XSECRETX/);
    const left = columns.filter(({ isSecret }) => isSecret).map(({ name, target, example }) => [name, target, example]);
    expect(left).toEqual(["totp_secret", "password_digest", "password_hasher"].map((name) => [name, "", null]));
    expect(await readPeople(text, { map: { password_digest: "metadata.hash" } })).toMatchObject({
      why: expect.stringContaining("looks like a secret"),
    });
  });

  test("keeps ids that are UUIDs, and any other as metadata.externalId; numbers and booleans of JSON as such", async () => {
    const [scim] = (await people(textIn("scim.json").text)).profiles;
    expect(scim).toMatchObject({
      userId: "2819c223-7f76-453a-919d-41386190464a",
      metadata: { externalId: "701984" },
      createdAt: "2010-01-23T04:56:22.000Z",
    });
    const [hasura] = (await people(textIn("hasura.json").text)).profiles;
    expect(hasura).toMatchObject({ metadata: { externalId: 1, isAdmin: true } });
    expect(hasura).not.toHaveProperty("userId");
    const [auth0] = (await people(textIn("auth0.ndjson").text)).profiles;
    expect(auth0?.metadata).toMatchObject({ externalId: "auth0|65f0a0", user_metadata: { favorite_color: "blue" } });
    const [dropped] = (await people(textIn("auth0.ndjson").text, { rest: "drop" })).profiles;
    expect(dropped?.metadata).toEqual({ externalId: "auth0|65f0a0" });
  });

  test("in Windows-1252 says so", () => {
    const { text, notice } = textIn("latin-1.csv");
    expect([text.includes("José Núñez"), notice]).toEqual([true, expect.stringContaining("Windows-1252")]);
    expect(textIn("excel.csv").notice).toBeUndefined();
  });
});

describe("an encoding", () => {
  const bytes = (...parts: readonly (string | number)[]) =>
    Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.from([part]))));

  test("of UTF-8 but for some bytes is refused with their lines", () => {
    for (const bom of ["\ufeff", ""]) {
      const { text, why } = textOfFile(
        bytes(`${bom}name,email\nZoë,z@example.com\nJos`, 0xe9, ",j@example.com\n"),
        decodeAs,
      );
      expect([text, why]).toEqual(["", expect.stringContaining("not in line 3 (byte 0xE9). Save it as UTF-8")]);
    }
  });

  test("of Windows has its quotes on every Node, and others are read by name", () => {
    expect(textOfFile(bytes("O", 0x92, "Brien"), decodeAs).text).toBe("O’Brien");
    expect(textOfFile(bytes(0xb3, "ukasz"), decodeAs, "1250").text).toBe("łukasz");
    expect(textOfFile(bytes(0xc0, 0xed, 0xed, 0xe0), decodeAs, "cp1251").text).toBe("Анна");
    expect(textOfFile(bytes(0x8e, 0x52, 0x93, 0x63), decodeAs, "Shift_JIS").text).toBe("山田");
    expect(textOfFile(bytes(0xd5, 0xc5), decodeAs, "GBK").text).toBe("张");
  });
});

test("jq's objects one after the other are rows", async () => {
  const text = '{\n  "name": "Ida",\n  "email": "ida@example.com"\n}\n{\n  "name": "Al",\n  "email": "x"\n}\n';
  const { profiles, faults } = await people(text);
  expect([profiles.length, faults.first]).toMatchObject([1, [{ line: 5, field: "email" }]]);
});

test.each([
  ["Phone (mobile)", "+12025550121", "phone"],
  ["Telefon – privat", "+12025550121", "phone"],
  ["Teléfono móvil", "+12025550121", "phone"],
  ["Мобильный телефон", "+12025550121", "phone"],
  ["Телефон", "+12025550121", "phone"],
  ["رقم الهاتف", "+12025550121", "phone"],
  ["फ़ोन", "+12025550121", "phone"],
  ["手机号码", "+12025550121", "phone"],
  ["携帯電話", "+12025550121", "phone"],
  ["휴대전화", "+12025550121", "phone"],
  ["Cep telefonu", "+12025550121", "phone"],
  ["Nomor HP", "+12025550121", "phone"],
  ["Số điện thoại", "+12025550121", "phone"],
  ["Kontakt", "+12025550121", "phone"],
  ["Электронная почта", "ida@example.com", "email"],
  ["Kontakt", "ida@example.com", "email"],
  ["Username", "+12025550121", "phone"],
  ["login", "ida@example.com", "email"],
])("a column %j with %s is %s", async (header, value, field) => {
  expect((await people(`name,${header}\nIda,${value}\n`)).profiles).toMatchObject([{ name: "Ida", [field]: value }]);
});

test("a login goes by each value, and the plan says how many of each", async () => {
  const csv = "name,Username\nA,a@example.com\nB,+12025550121\nC,cee\n";
  const { profiles, notices } = await people(csv);
  expect(profiles).toMatchObject([
    { email: "a@example.com" },
    { phone: "+12025550121" },
    { metadata: { Username: "cee" } },
  ]);
  expect(notices).toContain('"Username": 1 email, 1 phone, 1 other value, kept as metadata.');
});

test("rows without a phone and an email are refused with the names of their columns", async () => {
  const why = expect.stringContaining("has no row with a phone or an email (columns: name, plan)");
  expect(await readPeople("name,plan\nIda,pro\n", {})).toEqual({ kind: "none", why });
});

describe("columns", () => {
  const CSV = "Full name,Plan,Note,Mail\nIda,pro,x,ida@example.com\n";

  test("are overridden by --map, compared without case and punctuation", async () => {
    const map = { "full-NAME": "metadata.title", plan: "metadata.Plan.name", note: "" };
    expect((await people(CSV, { map })).profiles).toEqual([
      { email: "ida@example.com", metadata: { title: "Ida", Plan: { name: "pro" } } },
    ]);
    const wrong = async (how: PeopleOptions) => await readPeople(CSV, how);
    expect(await wrong({ map: { Plam: "phone" } })).toMatchObject({ why: expect.stringContaining('"Plan"?') });
    expect(await wrong({ country: "XX" })).toMatchObject({ why: expect.stringContaining('"XX" is not a country') });
  });

  test("testPasscode and scenario are fields; metadata.x is a key, metadata a JSON object", async () => {
    const csv = 'Phone,TestPasscode,scenario,metadata.Plan,metadata\n+12025550121,123456,locked,pro,"{""n"":1}"\n';
    expect((await people(csv)).profiles).toEqual([
      { phone: "+12025550121", testPasscode: "123456", scenario: "locked", metadata: { Plan: "pro", n: 1 } },
    ]);
    const line = '{"phone":"+12025550121","scenario":{"effect":{"status":503}}}';
    expect((await people(line)).profiles).toMatchObject([{ scenario: { effect: { status: 503 } } }]);
    expect((await people("name,metadata\nIda,x\n")).faults.first).toMatchObject([
      { line: 2, field: "metadata", value: "x", reason: "must be a JSON object" },
    ]);
  });

  test("of one field: the best name with a value, row by row; the others are kept", async () => {
    const csv =
      "email,mobile,phone,work email\na@example.com,+12025550121,,w@example.com\n,+12025550122,+12025550123,b@example.com\n";
    expect((await people(csv)).profiles).toEqual([
      { email: "a@example.com", phone: "+12025550121", metadata: { "work email": "w@example.com" } },
      { email: "b@example.com", phone: "+12025550123", metadata: { mobile: "+12025550122" } },
    ]);
  });

  test("more than metadata can hold are cut to what it can, and counted", async () => {
    const names = Array.from({ length: 60 }, (_, i) => `c${i}`);
    const { profiles, notices } = await people(`email,${names}\nida@example.com,${names}\n`);
    expect(Object.keys(profiles[0]?.metadata ?? {})).toEqual(names.slice(0, 50));
    expect(notices).toContainEqual(expect.stringContaining("Metadata of 1 row is cut to 50 keys"));
    const long = await people(`email,bio,plan\nida@example.com,${"x".repeat(20_000)},pro\n`);
    expect(long.profiles[0]?.metadata).toEqual({ plan: "pro" });
  });
});

describe("a text", () => {
  test.each([
    [
      "mixed line ends, a quote with CRLF, rows of separators, short rows",
      'name,email\r\n"Ida\r\nR",ida@example.com\n,\n\r\nAl\rBo,bo@example.com',
      ["Ida\nR", "Al", "Bo"],
    ],
    ["commas in the cells of a table with semicolons", "name;plan;email\nIda;a,b,c,d,e,f;ida@example.com\n", ["Ida"]],
    [
      "a quote within a cell",
      'name\temail\n"Bo" the Cat\tbo@example.com\n"Al\tal@example.com\n',
      ['"Bo" the Cat', '"Al'],
    ],
    ["a title before the header", "Users of today\nname,email\nIda,ida@example.com\n", ["Ida"]],
    ["a column without a name", "name,,email\nIda,x,ida@example.com\n", ["Ida"]],
    ["nothing in words", "name,email\nIda,NULL\nAl,\\N\nBo,bo@example.com\n", ["Ida", "Al", "Bo"]],
    ["JSON with comments", '[\n// one\n{"name": "Ida", "email": "ida@example.com"},\n]', ["Ida"]],
    [
      "of several lists the one that can be users",
      '{"roles":[{"name":"x"}],"items":[{"name":"Ida","email":"ida@example.com"},{"name":"Al"}]}',
      ["Ida", "Al"],
    ],
  ])("with %s", async (_what, text, names) => {
    expect((await people(text)).profiles.map(({ name }) => name)).toEqual(names);
  });

  test.each([
    ["", /is empty/],
    [
      "Dear Ada, all is well.\nYours",
      /is not a file that Stagedoor reads: fixtures, a list of users as JSON or NDJSON, or CSV/,
    ],
    ["<html></html>", /is not a file that Stagedoor reads/],
    ["PK\u0003\u0004…", /workbook/],
    ["sku,price\n1,2\n", /no column that is a name, phone or email \(columns: sku, price\)/],
    ['{"a": [1, 2]}', /is not a file that Stagedoor reads/],
    ['[{"name": "Ida"}', /not valid JSON: line 1/],
  ])("%j is none", async (text, why) => {
    expect(await readPeople(text, {})).toEqual({ kind: "none", why: expect.stringMatching(why) });
  });

  test("is a world only where it has apps", async () => {
    for (const text of ['{"apps":[]}', '// x\n{"version":1,"apps":[],}', '{"extends":"./a.json"}'])
      expect(await findTable(text)).toEqual({ kind: "fixtures" });
  });
});

describe("times", () => {
  test.each([
    ["2024-03-01T10:00:00Z", "2024-03-01T10:00:00.000Z"],
    ["2024-03-01T10:00:00.123456789+05:30", "2024-03-01T04:30:00.123Z"],
    ["2024-03-01 10:00:00.12+00", "2024-03-01T10:00:00.120Z"],
    ["2024-03-01T10:00:00.000+0100", "2024-03-01T09:00:00.000Z"],
    ["2024/03/01 10:00", "2024-03-01T10:00:00.000Z"],
    ["1709287200", "2024-03-01T10:00:00.000Z"],
    ["1709287200.123", "2024-03-01T10:00:00.123Z"],
    ["1709287200123", "2024-03-01T10:00:00.123Z"],
    ["20240301100000.0Z", "2024-03-01T10:00:00.000Z"],
    ["Fri, 01 Mar 2024 10:00:00 GMT", "2024-03-01T10:00:00.000Z"],
    ["-30d", "-30d"],
  ])("%s is %s", async (text, instant) => {
    const [profile] = (await people(`email,createdAt\nida@example.com,"${text}"\n`)).profiles;
    expect(profile?.createdAt).toBe(instant);
  });

  test("that cannot be read are kept as text; those of our own fields are refused", async () => {
    const { profiles, notices } = await people("email,created\nida@example.com,Mar 1\n");
    expect(profiles).toMatchObject([{ metadata: { created: "Mar 1" } }]);
    expect(notices).toContainEqual(expect.stringContaining('1 time in "created" could not be read'));
    for (const text of ["2024-02-31", "yesterday"])
      expect((await people(`email,createdAt\nida@example.com,${text}\n`)).faults.first).toMatchObject([
        { field: "createdAt", value: text },
      ]);
  });
});

describe("phones", () => {
  const read = async (text: string, options: PeopleOptions = {}) => {
    const { profiles, faults } = await people(`name,phone\nIda,"${text}"\n`, { username: "phone", ...options });
    return profiles[0]?.phone ?? faults.first[0]?.reason;
  };

  test.each([
    ["+49 (0)171 1234567", "+491711234567"],
    ["12025550121", "+12025550121"],
    ["34 612 345 678", "+34612345678"],
    ["49 (0)171 1234567", "+491711234567"],
    ["4520123456", "+4520123456"],
    ["+12025550121 ::: +12025550122", "+12025550121"],
    ["+1 202 555 0121 ext. 5", "+12025550121"],
  ])("%s is whole", async (text, phone) => {
    expect(await read(text)).toBe(phone);
  });

  test("in national form need a country; the same digits are another number in another", async () => {
    expect(await read("(202) 555-0121")).toMatch(/no country code/);
    // Ten digits of the USA are not taken for a number of Egypt, Denmark or Singapore.
    expect(await read("4785550121")).toMatch(/no country code/);
    expect(await read("(202) 555-0121", { country: "us" })).toBe("+12025550121");
    expect(await read("0171 1234567", { country: "DE" })).toBe("+491711234567");
    expect(await read("34612345678", { country: "US" })).toBe("+34612345678");
    expect(await read("+34612345678", { country: "US" })).toBe("+34612345678");
    expect(await read("1.20256E+10")).toMatch(/a spreadsheet has rounded/);
    for (const text of ["call me", "+12025550121x", "+12025550121 (Ida)"]) expect(await read(text)).toMatch(/E\.164/);
  });

  test("without a country are refused where nobody has an email either", async () => {
    const csv = "name,phone\nIda,(202) 555-0121\nAl,+12025550122\n";
    const { username, profiles, faults, notices } = await people(csv);
    expect([username, profiles, notices]).toEqual(["phone", [{ name: "Al", phone: "+12025550122" }], []]);
    expect(faults.first).toMatchObject([{ line: 2, field: "phone", value: "(202) 555-0121" }]);
  });

  test("without a country are refused where users sign in by email, too", async () => {
    const csv = "name,email,phone\nIda,ida@example.com,(202) 555-0121\nAl,al@example.com,+12025550122\n";
    const { profiles, faults, lacksCountry } = await people(csv, { username: "email" });
    expect([profiles.length, faults.total, lacksCountry]).toEqual([1, 1, true]);
    expect((await people(csv, { username: "email", country: "US" })).profiles).toHaveLength(2);
  });

  test.each([
    ["name,email,phone\nA,a@example.com,12\nB,b@example.com,x\nC,c@example.com,\n", "phone"],
    ["name,email,phone\nA,a@example.com,+12025550121\nB,b@example.com,\n", "email"],
  ])("decide how users of the file alone sign in, if most rows have something there: %j", async (csv, field) => {
    expect((await people(csv)).username).toBe(field);
  });
});

describe("errors", () => {
  test("are few: of each kind the first five with value and line, and how many more there are", async () => {
    const rows = Array.from({ length: 100_000 }, (_, i) => `User ${i},no address ${i}`);
    const { faults, profiles } = await people(`name,email\n${rows.join("\n")}\n`);
    expect([profiles.length, faults.total, faults.first.length]).toEqual([0, 100_000, 5]);
    expect(faults.first[4]).toEqual({
      line: 6,
      field: "email",
      value: "no address 4",
      reason: "must be an email address",
    });
    expect(faults.more).toEqual([{ field: "email", reason: "must be an email address", count: 99_995 }]);
  });

  test("name lines as an editor does, also in a JSON list", async () => {
    const list = '{"n": 1, "users": [\n {"name": "Ida"},\n {"name": "Al",\n  "email": "x y"}]}';
    expect((await people(list)).faults.first).toMatchObject([{ line: 3, field: "email", value: "x y" }]);
    const csv = `name,email\n"two\nlines",x\n"${"y".repeat(100)}",${"z".repeat(100)}\na,b,c\n`;
    expect((await people(csv)).faults.first).toMatchObject([
      { line: 2, value: "x" },
      { line: 4, value: `${"z".repeat(60)}…` },
      { line: 5, field: "", reason: "has 3 columns, but the header has 2" },
    ]);
  });

  test("count users without the app's username, and name the same one twice", async () => {
    const { notices, faults } = await people("name,phone\nIda,+12025550121\nAl,\nBo,+12025550121\n", {
      username: "phone",
    });
    expect(notices).toEqual(["1 of 3 users has no phone, by which users of this app sign in."]);
    expect(faults.first).toMatchObject([
      { line: 4, field: "phone", reason: "is already in line 2, with another name" },
    ]);
  });

  test("are none for what a lenient app takes", async () => {
    const { table, linesOf } = (await findTable("name,phone\nIda,12\n")) as never;
    const read = await peopleOf({ kind: "table", table, linesOf }, { username: "phone", isLenient: true });
    expect(read).toMatchObject({ profiles: [{ phone: "12" }], faults: { total: 0 } });
  });
});

test("a large file is read in steps, between which others are served", async () => {
  const rows = Array.from({ length: 9_999 }, (_, i) => `User ${i},+1303${2_000_000 + i}`);
  const text = `name,phone\n${rows.join("\n")}\nLast,(303) 555-0100\n`;
  let pauses = 0;
  const work: Work = async (steps) => {
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) pauses += 1;
    return step.value;
  };
  const found = await findTable(text, work);
  // 64 rows at a time: of the text, and of the table.
  expect(pauses).toBe(2 * 156);
  if (found.kind !== "table") throw new Error(found.kind);
  await peopleOf(found, { country: "US" }, work);
  const withCountry = pauses;
  await peopleOf(found, {}, work);
  // All numbers are looked at first: with a country for how they are meant, without one for whether it is needed.
  expect([withCountry, pauses - withCountry]).toEqual([6 * 156, 4 * 156]);
});

describe("somebody twice in a file", () => {
  const TWICE =
    "Name,Phone,Plan\nAda,+12025550163,pro\nGrace,+12025550164,free\nAda,+12025550163,pro\nGrace M.,+12025550164,pro\n";

  test("is one where the rows say the same; rows that differ are refused with both lines and what differs", async () => {
    const { profiles, faults, notices } = await people(TWICE);
    expect(profiles).toHaveLength(2);
    expect(notices).toEqual(["1 duplicate row (same user, same values) was left out."]);
    expect(faults.first).toEqual([
      {
        line: 5,
        field: "phone",
        value: "+12025550164",
        reason: "is already in line 3, with another name, metadata.Plan",
      },
    ]);
  });

  test.each([
    ["first", "Grace"],
    ["last", "Grace M."],
  ] as const)("%s decides for one of them", async (duplicates, name) => {
    const { profiles, faults, notices } = await people(TWICE, { duplicates });
    expect([profiles.map((profile) => profile.name), faults.total]).toEqual([["Ada", name], 0]);
    expect(notices).toContain(`1 row left out: of rows that differ about one user, the ${duplicates} is taken.`);
  });
});
