/** The documents in OpenAPI 3.0.3 say the same as those in 3.1. */
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { type DocumentName, openApiDocument } from "#contract/documents/openapi.ts";
import { DEFAULT_APP } from "#contract/documents/openapi-service.ts";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "#contract/scalars.ts";
import { AJV_OPTIONS } from "#test/fuzz/validators.ts";

const urls = { admin: "http://admin.test", auth: "http://auth.test", console: "http://console.test" };
const DOCUMENTS: readonly DocumentName[] = ["admin", "auth", "emulator"];
const object = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {});

/** The keywords of a Schema Object in 3.0.3 that ours use. Those of 3.1 alone are not among them. */
const KEYWORDS = new Set([
  ...["$ref", "allOf", "anyOf", "oneOf", "not", "items", "properties", "additionalProperties", "required", "type"],
  ...["enum", "nullable", "default", "description", "title", "example", "format", "pattern", "minimum", "maximum"],
  ...["minLength", "maxLength", "minItems", "maxItems", "uniqueItems", "exclusiveMinimum", "exclusiveMaximum"],
]);

/** Every schema within a schema, itself first. */
function* schemasIn(schema: JsonValue): Generator<JsonObject> {
  if (!isJsonObject(schema)) return;
  yield schema;
  for (const inner of Object.values(object(schema["properties"]))) yield* schemasIn(inner);
  for (const key of ["items", "not", "additionalProperties"]) yield* schemasIn(schema[key] ?? null);
  for (const key of ["allOf", "anyOf", "oneOf"]) {
    const list = schema[key];
    if (isJsonArray(list)) for (const inner of list) yield* schemasIn(inner);
  }
}

const escaped = (key: string): string => key.replaceAll("~", "~0").replaceAll("/", "~1");

/** The schemas of a document by their JSON pointers, each with the example next to it: of parameters, headers, bodies, and the named ones. */
const schemasOf = (document: JsonObject): Map<string, readonly [schema: JsonObject, examples: readonly unknown[]]> => {
  const found = new Map<string, readonly [JsonObject, readonly unknown[]]>();
  const visit = (value: JsonValue, path: string): void => {
    if (isJsonArray(value)) for (const [i, inner] of value.entries()) visit(inner, `${path}/${i}`);
    if (!isJsonObject(value)) return;
    const examples = value["example"] === undefined ? [] : [value["example"]];
    for (const [key, inner] of Object.entries(value))
      if (key === "schema") found.set(`${path}/${key}`, [object(inner), examples]);
      else if (key !== "example") visit(inner, `${path}/${escaped(key)}`);
  };
  visit(document["paths"] ?? null, "#/paths");
  for (const [name, schema] of Object.entries(object(object(document["components"])["schemas"])))
    found.set(`#/components/schemas/${name}`, [object(schema), []]);
  return found;
};

/** Values on which schemas can differ. */
const PROBES: readonly unknown[] = [
  ...[
    null,
    true,
    false,
    0,
    1,
    -1,
    1.5,
    1e9,
    "",
    "x",
    "1",
    "active",
    "latest",
    "+12025550100",
    "2026-01-01T00:00:00.000Z",
  ],
  ...["3f0c2f4e-8a51-4a86-9d0e-2b7f7d1c0a01", [], [null], ["x"], [1], {}, { x: 1 }, { phone: null }, { name: 1 }],
];

describe.each(DOCUMENTS)("the document %s in 3.0.3", (name) => {
  const newer = openApiDocument(name, { version: "1.2.3", urls }, DEFAULT_APP, true);
  const older = openApiDocument(name, { version: "1.2.3", urls }, DEFAULT_APP, true, "3.0");
  const [newerSchemas, olderSchemas] = [schemasOf(newer), schemasOf(older)];

  test("has the same operations, in 3.0.3", () => {
    expect(older["openapi"]).toBe("3.0.3");
    expect(older["info"]).toEqual({ ...object(newer["info"]), license: { name: "MIT" } });
    const shape = (document: JsonObject) =>
      Object.entries(object(document["paths"])).map(([path, item]) => [path, Object.keys(object(item))]);
    expect(shape(older)).toEqual(shape(newer));
    expect([...olderSchemas.keys()]).toEqual([...newerSchemas.keys()]);
  });

  test("uses only what 3.0.3 has", () => {
    for (const [path, [root]] of olderSchemas)
      for (const schema of schemasIn(root)) {
        expect(
          Object.keys(schema).filter((key) => !KEYWORDS.has(key)),
          path,
        ).toEqual([]);
        if ("$ref" in schema) expect(Object.keys(schema), path).toEqual(["$ref"]);
        if ("type" in schema)
          expect(["string", "integer", "number", "boolean", "object", "array"]).toContain(schema["type"]);
        if (schema["type"] === "array") expect(schema["items"], path).toBeDefined();
        if (schema["nullable"] === true) expect(schema["type"], path).toBeDefined();
      }
  });

  test("allows and refuses the same values", () => {
    const before = new Ajv2020(AJV_OPTIONS).addSchema(newer, "document");
    const after = new Ajv(AJV_OPTIONS).addSchema(older, "document");
    const wrong: unknown[] = [];
    // Most are the same few references.
    const distinct = new Map([...newerSchemas].map((entry) => [JSON.stringify(entry[1]), entry]));
    for (const [path, [, examples]] of distinct.values()) {
      const [expected, found] = [before, after].map((ajv) => ajv.getSchema(`document${path}`));
      expect([typeof expected, typeof found], path).toEqual(["function", "function"]);
      for (const probe of [...PROBES, ...examples]) if (found?.(probe) !== expected?.(probe)) wrong.push([path, probe]);
      for (const example of examples) if (found?.(example) !== true) wrong.push([path, example]);
    }
    expect(wrong).toEqual([]);
  });
});
