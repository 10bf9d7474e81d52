/**
 * Values that a JSON Schema allows, as arbitraries. Known names (`appId`, `phone`) mostly get existing values, so that
 * requests pass the look-up.
 */
import fc from "fast-check";
import type { JsonObject, JsonValue } from "#contract/scalars.ts";
import { resolve } from "./operations.ts";
import { EMAIL, ID, idsOf, PHONES, REQUEST, TEST_PASSCODE, TOKEN } from "./seed.ts";
import { schemaFault } from "./validators.ts";

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const USERS = [ID.ann, ID.bob, ID.cy, ID.mail, ID.missing];
const POOLS: Readonly<Record<string, readonly JsonValue[]>> = {
  appId: ["fuzz-app", "fuzz-app", "fuzz-app", "fuzz-mail", "no-such-app"],
  userId: USERS,
  phone: [...PHONES, "+12025550299", null],
  email: [EMAIL, "bob@example.com", "new@example.com", null],
  to: [...PHONES, EMAIL],
  passcode: [TEST_PASSCODE, Number(TEST_PASSCODE), "000000"],
  token: [TOKEN, "no.token.atall"],
  after: [idsOf(ID.ann).passcode, "1", "999999"],
};

/** Ids of existing records, by resource. */
export const PATH_IDS: Readonly<Record<string, readonly string[]>> = {
  passcodes: [idsOf(ID.ann).passcode, idsOf(ID.mail).passcode],
  sessions: [idsOf(ID.ann).session, idsOf(ID.mail).session],
  connections: [idsOf(ID.ann).connection, idsOf(ID.mail).connection],
  requests: [REQUEST],
};

const SNAKE = fc.stringMatching(/^[a-z]{1,4}(_[a-z0-9]{1,4}){1,2}$/);
const KEY = fc.oneof(SNAKE, fc.string({ maxLength: 12 }), fc.constantFrom("constructor", "toString", "API_KEY", "_x"));

/** Any JSON that a careful client would send: finite numbers, valid Unicode, not deeply nested. */
export const anyJson: fc.Arbitrary<JsonValue> = fc.letrec<{ json: JsonValue }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.string({ maxLength: 20 }),
    fc.array(tie("json"), { maxLength: 4 }),
    fc.dictionary(KEY, tie("json"), { maxKeys: 4 }),
  ),
})).json;

const texts = new Map<string, fc.Arbitrary<string>>();
/** One arbitrary for each pair of lengths: making one takes fast-check 5 ms. */
const textOf = (minLength: number, maxLength: number): fc.Arbitrary<string> => {
  const key = `${minLength} ${maxLength}`;
  const made = texts.get(key) ?? fc.string({ unit: "grapheme", minLength, maxLength });
  texts.set(key, made);
  return made;
};

const text = (schema: JsonObject): fc.Arbitrary<string> => {
  const { pattern, format, minLength, maxLength } = schema;
  const max = Math.min(typeof maxLength === "number" ? maxLength : 60, 300);
  if (format === "uuid") return fc.oneof(fc.constantFrom(...USERS), fc.uuid());
  if (format === "email") return fc.constantFrom("a@example.com", "B.C+d@sub.example.org", EMAIL);
  if (format === "date-time") {
    const [min, latest] = [new Date(0), new Date("9999-12-31T23:59:59.999Z")];
    return fc.date({ min, max: latest, noInvalidDate: true }).map((date) => date.toISOString());
  }
  if (typeof pattern === "string") {
    // Forbidden beginnings cannot be generated, only filtered out.
    const rest = pattern.replace(/^\^\(\?!(?:[^()]|\([^()]*\))*\)/, "^");
    return fc.stringMatching(new RegExp(rest, "u")).filter((made) => new RegExp(pattern, "u").test(made));
  }
  return textOf(typeof minLength === "number" ? minLength : 0, max);
};

const bound = (value: JsonValue | undefined, otherwise: number): number =>
  typeof value === "number" ? value : otherwise;

const record = (schema: JsonObject, root: JsonObject): fc.Arbitrary<JsonValue> => {
  const { properties, required, additionalProperties } = schema;
  const known = isObject(properties) ? Object.entries(properties) : [];
  const requiredKeys = Array.isArray(required) ? required.map(String) : [];
  const fields = fc.record(
    Object.fromEntries(known.map(([name, inner]) => [name, valid(isObject(inner) ? inner : {}, root, name)])),
    { requiredKeys, noNullPrototype: true },
  );
  // Unknown fields are legal unless the schema forbids them, and a benign client sends few.
  if (additionalProperties === false) return fields;
  if (known.length > 0) return fields;
  return fc.dictionary(KEY, isObject(additionalProperties) ? valid(additionalProperties, root) : anyJson, {
    maxKeys: 5,
    noNullPrototype: true,
  });
};

const ofType = (type: JsonValue | undefined, schema: JsonObject, root: JsonObject): fc.Arbitrary<JsonValue> => {
  switch (type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.integer({
        min: bound(schema["minimum"], -1_000_000),
        max: Math.min(bound(schema["maximum"], 1_000_000), 2_147_483_647),
      });
    case "number":
      return fc.double({
        min: bound(schema["minimum"], -1e9),
        max: bound(schema["maximum"], 1e9),
        noNaN: true,
      });
    case "string":
      return text(schema);
    case "array":
      return fc.array(valid(isObject(schema["items"]) ? schema["items"] : {}, root), { maxLength: 3 });
    case "object":
      return record(schema, root);
    default:
      return anyJson;
  }
};

const bySchema = (schema: JsonObject, root: JsonObject): fc.Arbitrary<JsonValue> => {
  if ("const" in schema) return fc.constant(schema["const"] ?? null);
  if (Array.isArray(schema["enum"])) return fc.constantFrom(...schema["enum"]);
  const choices = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(choices)) return fc.oneof(...choices.filter((one) => isObject(one)).map((one) => valid(one, root)));
  const { type } = schema;
  return Array.isArray(type) ? fc.oneof(...type.map((one) => ofType(one, schema, root))) : ofType(type, schema, root);
};

/**
 * @param root where references are resolved. @param name of the property, if any.
 * @returns values that the schema allows.
 */
export const valid = (schema: JsonObject, root: JsonObject, name?: string): fc.Arbitrary<JsonValue> => {
  const meant = resolve(schema, root);
  // This operation leaves the state's schema open; another one defines it.
  if (name === "state" && meant["type"] === undefined && meant["enum"] === undefined) {
    const world = resolve({ $ref: "#/components/schemas/World" }, root);
    return fc.oneof({ weight: 4, arbitrary: bySchema(world, root) }, { weight: 1, arbitrary: anyJson });
  }
  if (name === "wait") return fc.integer({ min: 0, max: 20 });
  // Of generated users: 100,000 in each of three apps take longer than the fuzzer waits on a slow machine.
  if (name === "count" && meant["type"] === "integer") return fc.integer({ min: 1, max: 100 });
  const rooted = { ...meant, components: root["components"] ?? {} };
  const pool = POOLS[name ?? ""]?.filter((value) => schemaFault(rooted, value) === undefined) ?? [];
  const any = bySchema(meant, root);
  return pool.length === 0
    ? any
    : fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...pool) }, { weight: 1, arbitrary: any });
};
