/** `seed` sends plain files without parsing them: the server must get what a parse would have given, or nothing. */
import { describe, expect, test } from "vitest";
import { rowsOfCsv, rowsOfNdjson } from "#people/profile-rows.ts";
import { csvText, ndjsonText, worldText } from "#server/commands/seed-text.ts";

const APP = { appId: "shop" };
const bytes = (text: string): Buffer => Buffer.from(text, "utf8");
const read = (text: Uint8Array | undefined): unknown =>
  text === undefined ? undefined : JSON.parse(Buffer.from(text).toString("utf8"));
const worldOf = (rows: Awaited<ReturnType<typeof rowsOfCsv>>): unknown => ({
  version: 1,
  apps: [{ ...APP, profiles: rows.errors.length === 0 ? rows.rows.map(({ profile }) => profile) : rows.errors }],
});

describe("a world", () => {
  test.each([
    ['{"version":1,"apps":[{"appId":"a","name":"}\\"{"}]}'],
    [' \r\n\t{"apps":[[],{"a":"\\\\"}]}\n\n'],
    ['{ "apps": [\n  1\n] }'],
  ])("%j is sent as it is", (text) => {
    expect(worldText(bytes(text))?.toString()).toBe(bytes(text).toString());
  });

  test.each([
    ['{"apps":[]},"state":{"apps":[{"appId":"x"}]}'],
    ['{"apps":[]} {}'],
    ['{"apps":[]}}'],
    ['{"apps":["}'],
    ['{"apps":[]'],
    ["[]"],
    ["// a comment\n{}"],
    ["\uFEFF{}"],
    [""],
  ])("%j is left to the parser", (text) => {
    expect(worldText(bytes(text))).toBeUndefined();
  });
});

describe("NDJSON", () => {
  test.each([
    ['{"phone":"+1","metadata":{"a":[{"b":"}\\n{"}]}}\n\n \t\r\n{"email":"ä@example.com"}\r\n{"name":""}'],
    ['{"phone":"+1"}'],
    ["\n\n"],
    [""],
  ])("%j gives the rows of the parser", (text) => {
    expect(read(ndjsonText(bytes(text), APP))).toEqual(worldOf(rowsOfNdjson(text, false)));
  });

  test.each([
    ['{"phone":"+1"} {"phone":"+2"}'],
    ['{"phone":"+1"},{"phone":"+2"}'],
    ['{"phone":"+1"}\n,{"phone":"+2"}'],
    ['{\n"phone":"+1"}'],
    ['{"phone":"+1"}\n[]'],
    ['{"phone":"+1"}\n{"phone"'],
    ['{"metadata.vip":true}'],
    ['\uFEFF{"phone":"+1"}'],
  ])("%j is left to the parser", (text) => {
    expect(ndjsonText(bytes(text), APP)).toBeUndefined();
  });
});

describe("CSV", () => {
  test.each([
    ["phone,name,metadata.plan,metadata.seats\n+1,Ada,pro,3\n\n+2,,,\n+3,Grace,free,\n"],
    ["\uFEFFPhone; Name ;metadata.Plan\r\n+1;a,b;ä\r\n+2;;x"],
    ["phone\tname\n+1\tAda, of course"],
    ["metadata.a,phone\nx,\n,+1\n"],
    ["phone\n"],
  ])("%j gives the rows of the parser", async (text) => {
    const rows = await rowsOfCsv(text.replace("\uFEFF", ""), false);
    expect(read(csvText(bytes(text), APP))).toEqual(worldOf(rows));
  });

  test.each([
    ['phone,name\n+1,"Ada, of course"\n'],
    ["phone,name\n+1,a\\b\n"],
    ["phone,name\n+1,a\tb\n"],
    ["phone,name\r+1,Ada\r"],
    ["phone,name\n+1\n"],
    ["phone,phone\n+1,+2\n"],
    ["phone,emial\n+1,x\n"],
    ["phone,metadata\n+1,{}\n"],
    ["phone,metadata.a.b\n+1,x\n"],
    ["phone,metadata.__proto__\n+1,x\n"],
    [""],
  ])("%j is left to the parser", (text) => {
    expect(csvText(bytes(text), APP)).toBeUndefined();
  });

  test("other encodings are left to the parser", () => {
    expect(csvText(Buffer.from("name\nJos\xe9\n", "latin1"), APP)).toBeUndefined();
  });

  test("long files are joined from pieces", () => {
    const lines = Array.from({ length: 5_000 }, (_, i) => `+1${i},User ${i}`);
    const world = read(csvText(bytes(`phone,name\n${lines.join("\n")}\n`), APP));
    const profiles = lines.map((line) => ({ phone: line.split(",")[0], name: line.split(",")[1] }));
    expect(world).toEqual({ version: 1, apps: [{ ...APP, profiles }] });
  });
});
