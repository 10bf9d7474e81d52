import { describe, expect, test } from "vitest";
import * as people from "#people/profile-rows.ts";
import { durationMs } from "#server/commands/options.ts";
import { curlLine, shellWord } from "#server/commands/start-text.ts";

/** @returns the rows of a file, or its errors. */
const found = ({ rows, errors }: people.Rows) => (errors.length > 0 ? { errors } : { rows });
const rowsOfCsv = async (text: string) => found(await people.rowsOfCsv(text));
const rowsOfNdjson = (text: string) => found(people.rowsOfNdjson(text));

describe("CSV", () => {
  test("headers are field names, metadata.x columns are metadata, empty cells are absent", async () => {
    const csv = [
      "name,phone,email,metadata.favorite_color,metadata.home.city,testPasscode",
      '"Lovelace, Ada",+12025550101,ada@example.com,violet,London,123456',
      "",
      ",+12025550102,,,,",
    ].join("\r\n");
    expect(await rowsOfCsv(csv)).toEqual({
      rows: [
        {
          line: 2,
          profile: {
            name: "Lovelace, Ada",
            phone: "+12025550101",
            email: "ada@example.com",
            metadata: { favorite_color: "violet", home: { city: "London" } },
            testPasscode: "123456",
          },
        },
        { line: 4, profile: { phone: "+12025550102" } },
      ],
    });
  });

  test("headers are case-insensitive; metadata keys keep their case", async () => {
    const csv = "Name,PHONE,testpasscode,Metadata.favoriteColor,Metadata.home.City\nAda,+12025550101,1234,red,Rome\n";
    const metadata = { favoriteColor: "red", home: { City: "Rome" } };
    const profile = { name: "Ada", phone: "+12025550101", testPasscode: "1234", metadata };
    expect(await rowsOfCsv(csv)).toEqual({ rows: [{ line: 2, profile }] });
    expect(await rowsOfCsv("Name,name\n")).toEqual({ errors: ['1: column 2, "name", appears twice'] });
  });

  test("semicolons and tabs work as separators, as spreadsheets write them; a metadata column holds JSON", async () => {
    expect(await rowsOfCsv('phone;metadata\n+12025550101;"{""a"":[1,2]}"\n')).toEqual({
      rows: [{ line: 2, profile: { phone: "+12025550101", metadata: { a: [1, 2] } } }],
    });
    expect(await rowsOfCsv("phone\tname\n+12025550101\tAda, of course\n")).toEqual({
      rows: [{ line: 2, profile: { phone: "+12025550101", name: "Ada, of course" } }],
    });
  });

  test("the header alone decides the separator, whatever is in the cells", async () => {
    expect(await rowsOfCsv("phone;name\n+12025550101;a,b,c,d\n")).toEqual({
      rows: [{ line: 2, profile: { phone: "+12025550101", name: "a,b,c,d" } }],
    });
  });

  test("two columns for the same metadata are rejected in either order", async () => {
    const errors = async (header: string, cells: string) => await rowsOfCsv(`phone,${header}\n+1,${cells}\n`);
    const json = '"{""a"":1}"';
    expect(await errors("metadata.a,metadata", `x,${json}`)).toEqual({ errors: ["2: metadata: appears twice"] });
    expect(await errors("metadata,metadata.a", `${json},x`)).toEqual({ errors: ["2: metadata.a: appears twice"] });
  });

  test("every bad row is reported by its first line", async () => {
    const csv = 'phone,name,testPasscode\n+1,"two\nlines",12\n+2\n+3,x,y,z\n+4,fine,1234\n+5,x,abcd\n';
    expect(await rowsOfCsv(csv)).toEqual({
      errors: [
        "2: testPasscode: must be 4 to 10 digits",
        "4: has 1 columns, but the first line has 3",
        "5: has 4 columns, but the first line has 3",
        "7: testPasscode: must be 4 to 10 digits",
      ],
    });
  });

  test("lines are counted as an editor does, also after cells of several lines with CRLF", async () => {
    const csv = 'phone,name\r\n+1,"three\r\n\r\nlines"\r\n+2,fine\r\n+3,"two\r\nlines",x\r\n+4\r\n';
    const lines = (await people.rowsOfCsv(csv)).rows.map(({ line }) => line);
    expect(lines).toEqual([2, 5]);
    expect(await rowsOfCsv(csv)).toEqual({
      errors: ["6: has 3 columns, but the first line has 2", "8: has 1 columns, but the first line has 2"],
    });
  });

  test("unknown, duplicate and missing headers are rejected, with the nearest known name", async () => {
    expect(await rowsOfCsv("phone,emial\n+1,x\n")).toEqual({
      errors: ['1: column 2, "emial", is not known here; did you mean "email"?'],
    });
    expect(await rowsOfCsv("phone,phone\n")).toEqual({ errors: ['1: column 2, "phone", appears twice'] });
    expect(await rowsOfCsv("")).toEqual({ errors: ["1: the first line must contain the column names"] });
    expect(await rowsOfCsv("phone\n")).toEqual({ rows: [] });
    expect(await rowsOfCsv('phone\n"+1\n')).toEqual({ errors: [expect.stringMatching(/^\d+: Quote Not Closed/)] });
    expect(await rowsOfCsv("phone,metadata.a,metadata.a.b\n+1,x,y\n")).toEqual({
      errors: ["2: metadata.a.b: appears twice"],
    });
    expect(await rowsOfCsv("phone,metadata.__proto__.x\n+1,x\n")).toEqual({
      errors: ["2: metadata.__proto__.x: is not a valid metadata key"],
    });
  });
});

describe("NDJSON", () => {
  test("one object per line; values keep their types; empty lines are skipped", () => {
    expect(
      rowsOfNdjson('{"phone":"+1","metadata":{"seats":3}}\n\n{"email":"a@example.com","metadata.vip":true}\r\n'),
    ).toEqual({
      rows: [
        { line: 1, profile: { phone: "+1", metadata: { seats: 3 } } },
        { line: 3, profile: { email: "a@example.com", metadata: { vip: true } } },
      ],
    });
  });

  test("every bad line is reported", () => {
    expect(rowsOfNdjson('{"phone":1}\n[]\n{"phone":\n{"phnoe":"+1"}\n')).toEqual({
      errors: [
        "1: phone: must be a string",
        "2: must be an object",
        "3:10: Expected a value",
        '4: phnoe: is not known here; did you mean "phone"?',
      ],
    });
  });
});

test("times are seconds by default", () => {
  expect(["2", "1.5s", "500ms", "2m", "1h"].map((time) => durationMs(time, "--wait"))).toEqual([
    2_000, 1_500, 500, 120_000, 3_600_000,
  ]);
  expect(() => durationMs("soon", "--wait")).toThrow("--wait must be seconds");
});

test("the curl line survives quotes in a username", () => {
  const app = { appId: "a", name: "A", secret: "s", strategy: "email" as const, firstUsername: "o'brien@example.com" };
  expect(curlLine("http://x", app, "linux")).toContain(`'{"appId":"a","user":{"email":"o'\\''brien@example.com"}}'`);
  expect(curlLine("http://x", app, "win32")).toContain('"{\\"appId\\":\\"a\\"');
});

test.each([
  ["C:\\Program Files\\x\\", '"C:\\Program Files\\x\\\\"'],
  ['a "b" \\"c', '"a \\"b\\" \\\\\\"c"'],
  ["\\\\server\\share", '"\\\\server\\share"'],
  ["", '""'],
])("cmd.exe gets %s as one word", (text, word) => {
  expect(shellWord(text, "win32")).toBe(word);
});
