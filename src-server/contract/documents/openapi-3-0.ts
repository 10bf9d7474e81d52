/** Rewrites an OpenAPI 3.1 document of ours as 3.0.3, for generators and importers that read nothing newer. */
import { frozen } from "../frozen.ts";
import { isJsonArray, isJsonObject, type JsonDraft, type JsonObject, type JsonValue } from "../scalars.ts";

/** A keyword that 3.0 does not have, and that only narrows what is allowed. */
const DROPPED = "propertyNames";

const isNull = (schema: JsonValue): boolean =>
  isJsonObject(schema) && (schema["type"] === "null" || schema["const"] === null);

/** Null alone. 3.0 knows `nullable` only next to a `type`. */
const NULL = frozen<JsonObject>({ type: "string", nullable: true, enum: [null] });

/** Adds null to what a schema of 3.0 allows. */
const nullable = (schema: JsonObject): JsonObject => {
  const { type, enum: values, anyOf } = schema;
  if (type !== undefined) return { ...schema, nullable: true, ...(isJsonArray(values) && { enum: [...values, null] }) };
  return isJsonArray(anyOf) ? { ...schema, anyOf: [...anyOf, NULL] } : { anyOf: [schema, NULL] };
};

/** @returns the alternatives, and whether null was one of them. */
const alternatives = (list: readonly JsonValue[]): readonly [JsonObject[], boolean] => [
  list.filter((one) => !isNull(one)).map(schema30),
  list.some(isNull),
];

/** @returns a schema that allows one of the alternatives; a single one takes the place of the choice. */
const choice = (keyword: string, list: readonly JsonValue[], rest: JsonObject): JsonObject => {
  const [options, hasNull] = alternatives(list);
  const [only, ...more] = options;
  if (only === undefined) return { ...rest, ...NULL };
  if (more.length === 0) {
    const one = hasNull ? nullable(only) : only;
    return one["$ref"] !== undefined && Object.keys(rest).length > 0 ? { ...rest, allOf: [one] } : { ...one, ...rest };
  }
  return { ...rest, [keyword]: hasNull ? [nullable(only), ...more] : options };
};

/** @returns a schema of OpenAPI 3.1 as one of 3.0. */
const schema30 = (schema: JsonValue): JsonObject => {
  if (!isJsonObject(schema)) return schema === false ? { not: {} } : {};
  const { type, const: only, examples, anyOf, oneOf, exclusiveMinimum, exclusiveMaximum, ...kept } = schema;
  const rest: JsonDraft = {};
  for (const [name, value] of Object.entries(kept)) {
    if (name === DROPPED) continue;
    if (name === "properties" && isJsonObject(value))
      rest[name] = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, schema30(inner)]));
    else if (name === "items" || name === "not") rest[name] = schema30(value);
    else if (name === "additionalProperties") rest[name] = typeof value === "boolean" ? value : schema30(value);
    else if (name === "allOf" && isJsonArray(value)) rest[name] = value.map(schema30);
    else rest[name] = value;
  }
  if (only === null) return { ...rest, ...NULL };
  if (only !== undefined) rest["enum"] = [only];
  if (isJsonArray(examples) && examples[0] !== undefined) rest["example"] = examples[0];
  if (typeof exclusiveMinimum === "number") Object.assign(rest, { minimum: exclusiveMinimum, exclusiveMinimum: true });
  if (typeof exclusiveMaximum === "number") Object.assign(rest, { maximum: exclusiveMaximum, exclusiveMaximum: true });
  const { $ref, ...besides } = rest;
  // In 3.0, what stands next to a reference is ignored.
  if ($ref !== undefined && Object.keys(besides).length > 0) return { ...besides, allOf: [{ $ref }] };
  if (isJsonArray(anyOf)) return choice("anyOf", anyOf, rest);
  if (isJsonArray(oneOf)) return choice("oneOf", oneOf, rest);
  if (isJsonArray(type))
    return choice(
      "anyOf",
      type.map((one) => ({ type: one })),
      rest,
    );
  if (type === "null") return { ...rest, ...NULL };
  if (type === undefined) return rest;
  return type === "array" && rest["items"] === undefined ? { type, ...rest, items: {} } : { type, ...rest };
};

/** Schemas stand where a document says `schema`; examples stay as they are. */
const within = (value: JsonValue): JsonValue => {
  if (isJsonArray(value)) return value.map(within);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === "schema" ? schema30(inner) : key === "example" || key === "examples" ? inner : within(inner),
    ]),
  );
};

/** @returns the document in version 3.0.3. @param document of version 3.1. */
export const openApi30 = ({ info, components, paths, ...document }: JsonObject): JsonObject => {
  const { schemas, ...others } = isJsonObject(components) ? components : {};
  const named = isJsonObject(schemas) ? Object.entries(schemas) : [];
  const { license, ...about } = isJsonObject(info) ? info : {};
  const { identifier: _spdx, ...licence } = isJsonObject(license) ? license : {};
  return {
    ...document,
    openapi: "3.0.3",
    info: { ...about, license: licence },
    paths: within(paths ?? {}),
    components: {
      ...Object.fromEntries(Object.entries(others).map(([name, part]) => [name, within(part)])),
      schemas: Object.fromEntries(named.map(([name, schema]) => [name, schema30(schema)])),
    },
  };
};
