/** Hostile requests: bodies that break parsers, paths and queries that break routers. */
import fc from "fast-check";
import type { JsonObject, JsonValue } from "#contract/scalars.ts";
import type { Sent } from "#test/hosts/send.ts";
import type { Described } from "./operations.ts";
import { ID } from "./seed.ts";
import { bytesOf, pathParams, type Shot, shotOf, validBody } from "./shots.ts";

/** A body with its expected result where the operation reads one. */
interface Hostile {
  readonly label: string;
  readonly body?: Buffer;
  readonly headers?: Sent["headers"];
  readonly status?: number;
}

const JSON_TYPE = { "Content-Type": "application/json" };
/** The body limit of the process, plus one byte. */
const OVERSIZE = 1_048_577;

const isObject = (value: JsonValue): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const raw = (text: string | Buffer): Buffer => (typeof text === "string" ? Buffer.from(text) : text);
const known = (label: string, text: string | Buffer, status?: number): Hostile => ({
  label,
  body: raw(text),
  headers: JSON_TYPE,
  ...(status === undefined ? {} : { status }),
});

const nested = (depth: number, open: string, close: string): string =>
  `{"metadata":${open.repeat(depth)}1${close.repeat(depth)}}`;

const UNREADABLE: readonly Hostile[] = [
  ...[40, 1_000, 100_000].flatMap((depth) => [
    known(`arrays ${depth} deep`, nested(depth, "[", "]"), 400),
    known(`objects ${depth} deep`, nested(depth, '{"a":', "}"), 400),
    known(`${depth} opening brackets`, "[".repeat(depth), 400),
  ]),
  ...["[]", "1", '"x"', "null", "true", "[{}]", "-0"].map((text) => known("no object", text, 400)),
  ...[
    "{",
    '{"a":}',
    '{"a":1,}',
    "{'a':1}",
    '{"a":NaN}',
    "{a:1}",
    "{}{}",
    "// x\n{}",
    " ",
    "\0",
    '{"a":"\n"}',
    '{"a":01}',
  ].map((text) => known("no JSON", text, 400)),
  known("invalid UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), 400),
  known("UTF-8 of half a surrogate pair", Buffer.from('{"name":"\xed\xa0\x80"}', "latin1"), 400),
  known("overlong UTF-8", Buffer.from('{"name":"\xc0\x80"}', "latin1"), 400),
  known("UTF-16", Buffer.from("\ufeff{}", "utf16le"), 400),
  known("two byte order marks", "\ufeff\ufeff{}", 400),
];

const TYPES = [
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/jsonx",
  "application/json; charset=utf-16",
  "application/json; charset=latin1",
  "application/json, text/plain",
  "",
  "json",
  ";",
];
const ENCODINGS = ["gzip", "br", "deflate", "zstd", "identity, gzip", "x"];

/** Bodies with only the headers wrong. */
const wrongKind = (body: Buffer): Hostile[] => [
  ...TYPES.map((type) => ({ label: `type ${type}`, body, headers: { "Content-Type": type }, status: 415 })),
  { label: "no type", body, status: 415 },
  ...ENCODINGS.map((encoding) => ({
    label: `encoding ${encoding}`,
    body,
    headers: { ...JSON_TYPE, "Content-Encoding": encoding },
    status: 415,
  })),
];

const POISON: readonly string[] = [
  '"__proto__":{"polluted":1}',
  '"constructor":{"prototype":{"polluted":1}}',
  '"prototype":{"polluted":1}',
  '"hasOwnProperty":1,"toString":null,"then":1,"toJSON":1',
  '"metadata":{"constructor":{"prototype":{"polluted":1}}}',
  '"settings":{"__proto__":{"polluted":1},"constructor.prototype":{"polluted":1},"__proto__.polluted":1}',
  '"user":{"__proto__":{"phone":"+12025550100"}}',
  '"state":{"version":1,"apps":[{"__proto__":{"appId":"x"}}]}',
  '"appId":"__proto__"',
  '"appId":"constructor"',
  '"userId":"__proto__","userIds":["__proto__"]',
  '"name":"a","name":"b","appId":"fuzz-app","appId":"fuzz-mail"',
  '"metadata":{"a":12345678901234567890,"b":-0,"c":1e-400}',
  '"passcode":12345678901234567890',
  '"passcode":1e999',
  '"seconds":1e999,"offsetSeconds":-1e999,"ttlSeconds":1e999',
  '"seconds":9007199254740993,"offsetSeconds":1e308',
];

/** What D5 rejects in metadata, and D5 and D6 in a name. */
const REFUSED_IN_PROFILES: readonly string[] = [
  '"metadata":{"__proto__":1}',
  '"metadata":{"a":[{"b":{"__proto__":{"polluted":1}}}]}',
  '"metadata":{"a":1e999}',
  '"metadata":{"a":[-1e999]}',
  '"metadata":{"a":"\\u0000"}',
  '"metadata":{"a\\u0000":1}',
  '"metadata":{"a":["\\ud800"]}',
  '"metadata":{"\\udc00":1}',
  '"metadata":{"a":[[[[[[[[[1]]]]]]]]]}',
  '"metadata":[]',
  '"name":"\\u0000"',
  '"name":"a\\ud83d"',
];
const PROFILE_OPERATIONS: ReadonlySet<string> = new Set([
  "createProfile",
  "updateProfile",
  "addProfile",
  "changeProfile",
]);

const TEXTS = [
  "\0",
  "\ud800",
  "\udfff\ud800",
  "\u202e\u0007\u001b[31m",
  "💥".repeat(300),
  "x".repeat(100_000),
  "\r\nX: y",
  "<b>",
];

/** @returns a JSON object's text with more at its end, duplicate keys included. */
const withMore = (base: JsonValue, more: string): string => {
  const text = JSON.stringify(isObject(base) ? base : {});
  return text === "{}" ? `{${more}}` : `${text.slice(0, -1)},${more}}`;
};

/** @returns the body with one of its strings replaced. */
const withText = (base: JsonValue, at: number, text: string): JsonValue => {
  let seen = 0;
  const total = JSON.stringify(base).match(/"/g)?.length ?? 1;
  const walk = (value: JsonValue): JsonValue => {
    if (typeof value === "string") return seen++ === at % total ? text : value;
    if (Array.isArray(value)) return value.map(walk);
    return isObject(value) ? Object.fromEntries(Object.entries(value).map(([k, v]) => [k, walk(v)])) : value;
  };
  return walk(base);
};

const cut = (body: Buffer, at: number): Buffer => body.subarray(0, at % Math.max(1, body.length));

const hostileBody = (operation: Described): fc.Arbitrary<Hostile> => {
  const base = validBody(operation);
  const hasLargerLimit = operation.id === "writeState";
  const kinds: fc.Arbitrary<Hostile>[] = [
    fc.constantFrom(...UNREADABLE),
    base.chain((value) => fc.constantFrom(...wrongKind(bytesOf(value)))),
    fc.tuple(base, fc.constantFrom(...POISON)).map(([value, more]) => known(more, withMore(value, more))),
    fc
      .tuple(base, fc.nat(12), fc.constantFrom(...TEXTS))
      .map(([value, at, text]) => known("odd text", JSON.stringify(withText(value, at, text)))),
    base.map((value) => known("byte order mark", `\ufeff${JSON.stringify(value)}`)),
    base.map((value) => ({
      label: "in chunks",
      body: bytesOf(value),
      headers: { ...JSON_TYPE, "Transfer-Encoding": "chunked" },
    })),
    // A body cut at 0 is no body.
    fc.tuple(base, fc.nat(2_000)).map(([value, at]) => known("cut off", cut(bytesOf(value), at))),
    fc.uint8Array({ minLength: 1, maxLength: 200 }).map((bytes) => known("noise", Buffer.from(bytes))),
    fc.json().map((text) => known("any JSON", text)),
  ];
  if (!hasLargerLimit)
    kinds.push(fc.constantFrom(" ", "[", "x").map((c) => known("oversize", `{"name":"${c.repeat(OVERSIZE)}"}`, 413)));
  if (PROFILE_OPERATIONS.has(operation.id))
    kinds.push(fc.constantFrom(...REFUSED_IN_PROFILES).map((more) => known(more, `{"appId":"fuzz-app",${more}}`, 422)));
  return fc.oneof(...kinds);
};

/** Requests with hostile bodies to existing records. */
export const hostileBodyShot = (operation: Described): fc.Arbitrary<Shot> =>
  fc.tuple(pathParams(operation, true), hostileBody(operation)).map(([params, { label, status, ...more }]) =>
    shotOf(
      operation,
      { params, ...more },
      // An operation without a body ignores it.
      { kind: "hostile", label, ...(status === undefined || operation.body === undefined ? {} : { status }) },
    ),
  );

const SEGMENTS = [
  "%00",
  "%0d%0aX:y",
  "..%2f..%2fetc%2fpasswd",
  "%2e%2e",
  "__proto__",
  "constructor",
  "%F0%9F%92%A5",
  "%EF%BF%BF",
  "'%22%3Cscript%3E",
  "{id}",
  "*",
  "%20",
  "a".repeat(8_000),
  `${ID.ann}%00`,
  `${ID.ann}%20`,
  `{${ID.ann}}`,
  ID.ann.replaceAll("-", ""),
];
const UNDECODABLE = ["%", "%zz", "%E0%A4%A", "%ff", "%C0%80", `${ID.ann}%`];

const QUERIES = [
  "&&&=&=",
  "page=%",
  "page=%E0%A4%A",
  "page[]=1&page[a]=2",
  "__proto__=1&constructor=2&__proto__[polluted]=1",
  "page=1%00",
  "appId=__proto__",
  "appId=%00",
  "appId=constructor&userId=x",
  "q=%00&sort=__proto__",
  `q=${"x".repeat(8_000)}`,
  Array.from({ length: 1_000 }, (_, i) => `p${i}=1`).join("&"),
  "?",
  "a=1?b=2",
  "volatile=2&dryRun=2",
  "after=-1&to=%ff",
  "status=__proto__",
];

/** Requests with hostile paths and queries. */
export const hostileTargetShot = (operation: Described): fc.Arbitrary<Shot> => {
  const names = operation.parameters.filter((one) => one.in === "path").map(({ name }) => name);
  const queryNames = operation.parameters.filter((one) => one.in === "query").map(({ name }) => name);
  const body = operation.body === undefined ? {} : { body: Buffer.from("{}"), headers: JSON_TYPE };
  const with_ = (params: Record<string, string>, query: string, label: string, status?: number): Shot =>
    shotOf(
      operation,
      { params, query, ...body },
      { kind: "hostile", label, ...(status === undefined ? {} : { status }) },
    );
  const shots = [
    fc
      .tuple(pathParams(operation), fc.constantFrom(...QUERIES))
      .map(([params, query]) => with_(params, query, "query")),
  ];
  if (names.length > 0)
    shots.push(
      fc.constantFrom(...SEGMENTS).map((id) => with_(Object.fromEntries(names.map((n) => [n, id])), "", "path")),
      fc
        .constantFrom(...UNDECODABLE)
        .map((id) => with_(Object.fromEntries(names.map((n) => [n, id])), "", "undecodable path", 400)),
    );
  if (queryNames.length > 0)
    shots.push(
      fc
        .tuple(pathParams(operation, true), fc.constantFrom(...queryNames))
        .map(([params, name]) => with_(params, `${name}=1&${name}=1`, `${name} twice`, 422)),
    );
  return fc.oneof(...shots);
};
