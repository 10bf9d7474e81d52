/** A body that is no JSON is answered with line, column and kind. */
import { describe, expect, test } from "vitest";
import { harness, raw, SESSION } from "./support.ts";

const { server, control } = harness();
const post = (body: string | Buffer, listener: "admin" | "auth" = "auth") =>
  raw(server().urls[listener] + (listener === "auth" ? SESSION : "/v1/profiles"), {
    headers: ["Content-Type", "application/json", "Authorization", "Bearer sk_local_demo"],
    body,
  });
const said = async (body: string | Buffer, listener?: "admin" | "auth"): Promise<string> => {
  const { status, text } = await post(body, listener);
  expect(status).toBe(400);
  return JSON.parse(text).instruction;
};

const FLAWS: readonly (readonly [body: string, place: string, kind: string])[] = [
  ['{"appId":"a",}', "line 1, column 13", "a trailing comma stands before “}”"],
  ['{"a":[1,\n2,\n]}', "line 2, column 2", "a trailing comma stands before “]”"],
  ['{\n  "a": 1, // the app\n  "b": 2}', "line 2, column 11", "JSON has no comments"],
  ['{\n  # the app\n "b":2}', "line 2, column 3", "JSON has no comments"],
  ['/* c */{"a":1}', "line 1, column 1", "JSON has no comments"],
  ["{'a':1}", "line 1, column 2", "“'” is not a JSON quotation mark"],
  ["{“a”: 1}", "line 1, column 2", "is not a JSON quotation mark"],
  ["{appId: 1}", "line 1, column 2", "the name “appId” must be in double quotes"],
  ['{"a": demo}', "line 1, column 7", "the text “demo” must be in double quotes"],
  ["'{\"a\":1}'", "line 1, column 1", "in single quotes, as cmd.exe"],
  ['{\\"a\\":1}', "line 1, column 2", "a backslash stands before a quotation mark"],
  ['{"a":NaN}', "line 1, column 6", "JSON has no NaN"],
  ['{"a":-Infinity}', "line 1, column 6", "JSON has no Infinity"],
  ['{"a":undefined}', "line 1, column 6", "JSON has no undefined"],
  ['{"a":None}', "line 1, column 6", "JSON writes null, not None"],
  ['{"a":True}', "line 1, column 6", "JSON writes true in lower case"],
  ['{"a":{"b":1}', "line 1, column 13", "the text ends here, inside an object"],
  ['{"a":"x', "line 1, column 6", "has no closing quote"],
  ['{"a":', "line 1, column 6", "the text ends here"],
  ['{"a":"x\ny"}', "line 1, column 8", "a line break stands inside a string"],
  ['{"a":"\\d"}', "line 1, column 7", "“\\d” is not a JSON escape"],
  ['{"a":"\\u12"}', "line 1, column 7", "four hexadecimal digits"],
  ['{"a":1}{"b":2}', "line 1, column 8", "the JSON ends before"],
  ['{"a" 1}', "line 1, column 6", "a colon is missing"],
  ['{"a":1 "b":2}', "line 1, column 8", "a comma or “}” is missing"],
  ["[1 2]", "line 1, column 4", "a comma or “]” is missing"],
  ['{"a":}', "line 1, column 6", "a value is missing before “}”"],
  ['{"a":+12025550100}', "line 1, column 6", "“+12025550100” is not a JSON number"],
  ['{"a":007}', "line 1, column 6", "“007” is not a JSON number"],
  ['{"a":{{phone}}}', "line 1, column 6", "“{{phone}}” is a placeholder that was not filled in"],
  ['{"a":$PHONE}', "line 1, column 6", "“$PHONE” is a placeholder"],
  ["appId=demo-app&user%5Bphone%5D=%2B1202", "line 1, column 1", "a form (name=value&…)"],
  ['--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1', "line 1, column 1", "multipart form data"],
  ["<a>1</a>", "line 1, column 1", "XML or HTML"],
  ["[object Object]", "line 1, column 1", "use JSON.stringify"],
  [" \n ", "line 1, column 1", "the body is blank"],
];

describe("a malformed body: line, column and kind, in the response and in the advice", () => {
  test.each(FLAWS)("%j", async (body, place, kind) => {
    const instruction = await said(body);
    expect(instruction).toContain(`${place}: `);
    expect(instruction).toContain(kind);
    expect(await said(body, "admin")).toBe(instruction);
    const [row] = (await control("GET", "/requests?listener=auth&limit=1")).json.items;
    expect(row.advice[0].text).toContain(`${place}: `);
  });

  test("JSON within a string, and other values than an object", async () => {
    expect(await said(JSON.stringify('{"a":1}'))).toContain("JSON within a string");
    expect(await said('"a"')).toContain("a JSON string");
    expect(await said("[1]")).toContain("a JSON array");
    expect(await said("5")).toContain("the number 5");
  });

  test("what is not UTF-8: where, and as what it was written", async () => {
    expect(await said(Buffer.from('{"a":1,\n"n":"Renée"}', "latin1"))).toMatch(
      /line 2, column 9: the byte 0xe9, as in Lat/,
    );
    expect(await said(Buffer.from('{"a":1}', "utf16le"))).toContain("UTF-16");
    // A replacement character that was sent as one is no flaw.
    expect(await said(Buffer.concat([Buffer.from('{"a":"\ufffd"'), Buffer.from([0xff])]))).toContain("0xff");
  });

  test("a flaw at the end of a megabyte", async () => {
    expect(await said(`{"a":"${"x".repeat(1_000_000)}",}`)).toContain("line 1, column 1000008: a trailing comma");
  });
});
