/** service.md 2.1.1; D4, D5. */
import { describe, expect, test } from "vitest";
import { expectInvalid, expectRefusal, harness } from "./support.ts";

const { app: newApp, control } = harness();
const post = async (metadata: unknown) => (await newApp()).admin("POST", "/v1/profiles", { metadata });
/** Sends the text as is, for JSON that JSON.stringify would not produce. */
const postText = async (metadata: string) => (await newApp()).admin("POST", "/v1/profiles", `{"metadata":${metadata}}`);

/** @param levels number of nested objects. */
const nested = (levels: number): object => (levels === 1 ? {} : { a: nested(levels - 1) });
const keys = (count: number, from = 0) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${from + i}`, i]));

describe("D4 metadata keys", () => {
  test.each([
    ["favorite_color", "favoriteColor"],
    ["line_1", "line1"],
    ["a_b_c", "aBC"],
    ["a_1_b", "a1B"],
    ["1_a", "1A"],
    ["two_words_and_more", "twoWordsAndMore"],
  ])("service.md 2.1.1, D4: %s → %s", async (sent, shown) => {
    expect((await post({ [sent]: 1 })).json.metadata).toEqual({ [shown]: 1 });
  });

  test.each([
    "API_KEY",
    "_x",
    "x_",
    "kebab-case",
    "PascalCase",
    "camelCase",
    "a__b",
    "Foo_bar",
    "foo_Bar",
    "with space",
    "plain",
    "",
    "ünder_score",
    "_",
    "constructor",
    "toString",
    "hasOwnProperty",
    "a.b",
    "_Proto__",
  ])("D4: keeps %j", async (key) => {
    expect((await post({ [key]: 1 })).json.metadata).toEqual({ [key]: 1 });
  });

  test("D4: convert at every depth, also inside arrays", async () => {
    const sent = { outer_key: { inner_key: [{ deep_key: [[{ very_deep: 1 }]] }, "not_a_key"] } };
    const shown = { outerKey: { innerKey: [{ deepKey: [[{ veryDeep: 1 }]] }, "not_a_key"] } };
    const app = await newApp();
    const made = await app.admin("POST", "/v1/profiles", { metadata: sent });
    expect(made.json.metadata).toEqual(shown);
    expect((await app.admin("GET", `/v1/profiles/${made.json.userId}`)).json.metadata).toEqual(shown);
    expect((await app.admin("GET", "/v1/profiles")).json[0].metadata).toEqual(shown);
  });

  test("D4: are converted on input, so the control API shows the result", async () => {
    const app = await newApp();
    const made = await app.admin("POST", "/v1/profiles", { metadata: { a_b: 1 } });
    const item = await control("GET", `/profiles/${made.json.userId}?appId=${app.appId}`);
    expect(item.json.metadata).toEqual({ aB: 1 });
  });

  test.each([
    ['{"a_b":1,"aB":2}', { aB: 2 }],
    ['{"aB":2,"a_b":1}', { aB: 1 }],
    ['{"x":{"a_b":1,"aB":2}}', { x: { aB: 2 } }],
  ])("D4: when two keys of one request collide the later wins, and the log says so: %s", async (sent, shown) => {
    const app = await newApp();
    const made = await app.admin("POST", "/v1/profiles", `{"metadata":${sent}}`);
    expect(made.status).toBe(201);
    expect(made.json.metadata).toEqual(shown);
    expect((await app.logged(made)).warnings).toEqual([expect.stringContaining("aB")]);
  });

  test("D4: a key that equals a stored one is no collision", async () => {
    const app = await newApp();
    const made = await app.admin("POST", "/v1/profiles", { metadata: { aB: 1 } });
    const changed = await app.admin("PUT", `/v1/profiles/${made.json.userId}`, { metadata: { a_b: 2 } });
    expect(changed.json.metadata).toEqual({ aB: 2 });
    expect((await app.logged(changed)).warnings).toEqual([]);
  });
});

describe("D5 metadata limits", () => {
  test("D5: 50 top-level keys", async () => {
    expect((await post(keys(50))).status).toBe(201);
    expectInvalid(await post(keys(51)), "metadata");
    expect((await post({ one: keys(200) })).status).toBe(201);
  });

  test("D5: 50 keys after merging", async () => {
    const { admin } = await newApp();
    const { userId } = (await admin("POST", "/v1/profiles", { metadata: keys(30) })).json;
    const put = (metadata: object) => admin("PUT", `/v1/profiles/${userId}`, { metadata });
    expectInvalid(await put(keys(21, 30)), "metadata");
    expect((await put(keys(50))).status).toBe(200);
    expect((await put(keys(10))).status).toBe(200);
    expectInvalid(await put({ new: 1 }), "metadata");
  });

  test("D5: 16 KiB as UTF-8 JSON", async () => {
    const of = (bytes: number, letter: string, size: number) => ({ a: letter.repeat((bytes - 8) / size) });
    expect(Buffer.byteLength(JSON.stringify(of(16_384, "x", 1)))).toBe(16_384);
    expect((await post(of(16_384, "x", 1))).status).toBe(201);
    expectInvalid(await post(of(16_385, "x", 1)), "metadata");
    expect((await post(of(16_384, "é", 2))).status).toBe(201);
    expectInvalid(await post(of(16_386, "é", 2)), "metadata");
    expect((await post(of(16_384, "🌸", 4))).status).toBe(201);
    expectInvalid(await post(of(16_388, "🌸", 4)), "metadata");
  });

  test("D5: 16 KiB after merging", async () => {
    const { admin } = await newApp();
    const { userId } = (await admin("POST", "/v1/profiles", { metadata: { a: "x".repeat(10_000) } })).json;
    const put = (metadata: object) => admin("PUT", `/v1/profiles/${userId}`, { metadata });
    expectInvalid(await put({ b: "x".repeat(10_000) }), "metadata");
    expect((await put({ a: "x".repeat(16_000) })).status).toBe(200);
  });

  test("D5: depth 8", async () => {
    expect((await post(nested(8))).status).toBe(201);
    expectInvalid(await post(nested(9)), "metadata");
    expectInvalid(await post({ a: [[[[[[[[[1]]]]]]]]] }), "metadata");
  });

  test.each([
    '{"__proto__":1}',
    '{"__proto__":{"polluted":1}}',
    '{"a":{"__proto__":{"polluted":1}}}',
    '{"a":[[{"b":{"__proto__":null}}]]}',
    '{"\\u005f_proto__":{"polluted":1}}',
  ])("D5: reject __proto__ as a key at any depth: %s", async (metadata) => {
    expectInvalid(await postText(metadata), "metadata");
    expect({}).not.toHaveProperty("polluted");
  });

  test("D5: allow constructor and prototype as keys, and pollute nothing", async () => {
    const made = await postText('{"constructor":{"prototype":{"polluted":1}}}');
    expect(made.status).toBe(201);
    expect(made.json.metadata).toEqual({ constructor: { prototype: { polluted: 1 } } });
    expect({}).not.toHaveProperty("polluted");
  });

  test.each(['{"a":1e999}', '{"a":-1e999}', '{"a":[{"b":1e999}]}'])(
    "D5: reject a number that JSON cannot represent: %s",
    async (metadata) => {
      expectInvalid(await postText(metadata), "metadata");
    },
  );

  test.each([
    '{"a":"x\\u0000y"}',
    '{"a\\u0000":1}',
    '{"a":["\\u0000"]}',
    '{"a":"\\ud800"}',
    '{"a":"\\udc00\\ud800"}',
    '{"\\udfff":1}',
    '{"a":{"b\\ud83d":1}}',
  ])("D5: reject a NUL or a lone surrogate in any key or value: %s", async (metadata) => {
    expectInvalid(await postText(metadata), "metadata");
  });

  test("D5: allow a whole surrogate pair, also escaped", async () => {
    expect((await postText('{"\\ud83c\\udf38":"\\ud83c\\udf38"}')).json.metadata).toEqual({ "🌸": "🌸" });
  });

  test.each(["5", '"x"', "[]", "[{}]", "true"])("reject metadata that is not an object: %s", async (metadata) => {
    expectInvalid(await postText(metadata), "metadata");
  });

  test("D5: the errors say which limits, all at once", async () => {
    const errors = async (text: string) => (await postText(text)).json.metadata;
    expect(await errors(JSON.stringify({ ...keys(60), deep: nested(9), large: "x".repeat(20_000) }))).toEqual([
      "has too many keys (at most 50)",
      "is nested too deep (at most 8 levels)",
      "is too large (at most 16384 bytes as JSON)",
    ]);
    for (const [text, words] of [
      ['{"a":{"__proto__":{}}}', 'the key "__proto__"'],
      ['{"a":1e999}', "a number that JSON cannot hold"],
      ['{"\\u0000":1}', "the NUL character"],
      ['{"a":"\\ud800"}', "half of a surrogate pair"],
    ] as const)
      expect(await errors(text)).toEqual([`must not contain ${words}`]);
  });

  test("D5: change nothing when they reject, and the next harmless write works", async () => {
    const { admin } = await newApp();
    const { userId } = (await admin("POST", "/v1/profiles", { metadata: { a: 1 } })).json;
    expectInvalid(await admin("PUT", `/v1/profiles/${userId}`, '{"metadata":{"b":1,"c":{"__proto__":1}}}'), "metadata");
    expectRefusal(
      await admin("PUT", `/v1/profiles/${userId}`, `{"metadata":${"[".repeat(5000)}`),
      400,
      "body_too_deep",
    );
    expect((await admin("PUT", `/v1/profiles/${userId}`, { metadata: { d: 2 } })).json.metadata).toEqual({
      a: 1,
      d: 2,
    });
  });
});
