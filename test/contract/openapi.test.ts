import { describe, expect, test } from "vitest";
import { openApiDocument } from "#contract/openapi.ts";
import { EXAMPLES } from "#contract/openapi-parts.ts";
import { problems } from "#contract/problems.ts";
import { type Listener, type Operation, refusalsOf, routes } from "#contract/routes.ts";
import type { JsonObject, JsonValue } from "#contract/scalars.ts";

const LISTENERS: readonly Listener[] = ["admin", "auth", "console"];
const document = (listener: Listener): JsonObject =>
  openApiDocument(listener, { version: "1.2.3", servers: ["http://127.0.0.1:4010"] });

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const object = (value: JsonValue | undefined): JsonObject => {
  if (!isObject(value)) throw new TypeError(`${JSON.stringify(value)} is no object`);
  return value;
};
const list = (value: JsonValue | undefined): JsonObject[] => (Array.isArray(value) ? value.map(object) : []);
const at = (value: JsonValue, ...path: readonly string[]): JsonValue | undefined =>
  path.reduce<JsonValue | undefined>((inner, key) => (isObject(inner) ? inner[key] : undefined), value);

/** Every value within, with the path to it. */
function* within(value: JsonValue, path = "#"): Generator<readonly [string, JsonValue]> {
  yield [path, value];
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value))
    yield* within(inner, `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`);
}

interface Described {
  readonly id: string;
  readonly path: string;
  readonly method: string;
  readonly shown: JsonObject;
}
const operations = (text: JsonObject): Described[] =>
  Object.entries(object(text["paths"])).flatMap(([path, item]) =>
    Object.entries(object(item)).map(([method, operation]) => {
      const shown = object(operation);
      return { id: String(shown["operationId"]), path, method, shown };
    }),
  );

describe.each(LISTENERS)("the OpenAPI text of %s", (listener) => {
  const text = document(listener);
  const all = operations(text);
  const rows = Object.entries<Operation>(routes).filter(([, row]) => row.listener === listener && !row.isPage);
  const row = (id: string): Operation => {
    const found = rows.find(([name]) => name === id)?.[1];
    if (found === undefined) throw new Error(`there is no operation ${id}`);
    return found;
  };

  test("has every operation of the table but pages, once, under its name", () => {
    expect(all.map(({ id }) => id).sort()).toEqual(rows.map(([id]) => id).sort());
    for (const { id, path, method } of all) {
      expect(path).toBe(row(id).path.replace(/:(\w+)/g, "{$1}"));
      expect(method).toBe(row(id).method.toLowerCase());
    }
  });

  test("has the frame of OpenAPI 3.1", () => {
    expect(Object.keys(text)).toEqual(["openapi", "info", "servers", "tags", "paths", "components"]);
    expect(text["openapi"]).toMatch(/^3\.1\.\d+$/);
    expect(text["info"]).toMatchObject({ version: "1.2.3" });
    expect(text["servers"]).toEqual([{ url: "http://127.0.0.1:4010" }]);
    for (const path of Object.keys(object(text["paths"]))) expect(path).toMatch(/^\//);
    for (const name of Object.keys(object(at(text, "components", "schemas")))) expect(name).toMatch(/^[\w.-]+$/);
  });

  test("leads nowhere by its references", () => {
    const values = new Map(within(text));
    for (const [path, value] of values)
      if (isObject(value) && typeof value["$ref"] === "string")
        expect(values.has(value["$ref"]), `${path}: ${value["$ref"]}`).toBe(true);
  });

  test("names components that are used, and all security schemes", () => {
    const json = JSON.stringify(text);
    for (const kind of ["schemas", "headers"])
      for (const name of Object.keys(object(at(text, "components", kind))))
        expect(json).toContain(`"#/components/${kind}/${name}"`);
    const schemes = Object.keys(object(at(text, "components", "securitySchemes") ?? {}));
    const used = all.flatMap(({ shown }) => list(shown["security"]).flatMap((one) => Object.keys(one)));
    expect(new Set(used)).toEqual(new Set(schemes));
  });

  test("describes each parameter: those of the path are all there and required", () => {
    for (const { path, shown } of all) {
      const parameters = list(shown["parameters"]);
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(parameters.filter((one) => one["in"] === "path").map((one) => one["name"])).toEqual(inPath);
      for (const one of parameters) {
        expect(one, `${path} ${String(one["name"])}`).toMatchObject({ description: expect.stringMatching(/./) });
        expect(one["required"]).toBe(one["in"] === "path");
        expect(Object.keys(object(one["schema"])).length).toBeGreaterThan(0);
      }
    }
  });

  test("says what each body and each answer is made of", () => {
    for (const [path, value] of within(text)) {
      if (!/\/content\/[^/]+\/schema$/.test(path)) continue;
      const schema = object(value);
      expect("$ref" in schema || "type" in schema, path).toBe(true);
    }
    for (const [path, value] of within(text))
      if (/\/pattern$/.test(path)) expect(() => new RegExp(String(value), "u"), path).not.toThrow();
  });

  test("has every status that the operation may answer with, and its reasons", () => {
    for (const { id, shown } of all) {
      const codes = refusalsOf(row(id));
      const answers = object(shown["responses"]);
      const expected = [...Object.keys(row(id).answers), ...codes.map((code) => String(problems[code].status))];
      expect(Object.keys(answers).sort()).toEqual([...new Set(expected)].sort());
      for (const [status, answer] of Object.entries(answers)) {
        expect(at(answer, "description")).toMatch(/./);
        const reasons = codes.filter((code) => problems[code].status === Number(status));
        if (reasons.length > 0) expect(at(answer, "headers", "Emulator-Reason", "schema", "enum")).toEqual(reasons);
        const body = row(id).answers[Number(status)];
        expect(at(answer, "content") !== undefined, `${id} ${status}`).toBe(body !== null);
      }
    }
  });

  test("shows only examples that its own schemas take", () => {
    for (const { id, shown } of all) {
      const { body } = row(id);
      const content = at(shown, "requestBody", "content", "application/json");
      expect(content === undefined, id).toBe(body === undefined);
      if (body === undefined) continue;
      const example = at(content ?? null, "example");
      expect(body.safeParse(example).error, id).toBeUndefined();
    }
  });
});

describe("details that a client relies on", () => {
  const of = (listener: Listener, id: string): JsonObject => {
    const found = operations(document(listener)).find((operation) => operation.id === id);
    if (found === undefined) throw new Error(`there is no operation ${id}`);
    return found.shown;
  };

  test("every operation with a body has an example", () => {
    const withBody = Object.entries<Operation>(routes).filter(([, row]) => row.body !== undefined);
    expect(Object.keys(EXAMPLES).sort()).toEqual(withBody.map(([id]) => id).sort());
  });

  test("SPEC 5.1: admin asks for the secret; SPEC 5.2: the session interface for nothing", () => {
    expect(of("admin", "createProfile")["security"]).toEqual([{ appSecret: [] }]);
    expect(of("auth", "startSession")["security"]).toEqual([]);
    expect(of("auth", "readSession")["security"]).toEqual([{ sessionToken: [] }]);
    expect(of("console", "listApps")["security"]).toEqual([{}, { accessToken: [] }]);
  });

  test("D12: the list has its parameters with their defaults, and its headers", () => {
    const shown = of("admin", "listProfiles");
    expect(list(shown["parameters"]).map((one) => [one["name"], at(one, "schema", "default")])).toEqual([
      ["page", 1],
      ["limit", 25],
    ]);
    expect(Object.keys(object(at(shown, "responses", "200", "headers")))).toEqual(
      expect.arrayContaining(["Current-Page", "Page-Items", "Total-Count", "Total-Pages", "Link"]),
    );
  });

  test("D11: an update answers with id, a creation with userId", () => {
    const schemas = object(at(document("admin"), "components", "schemas"));
    expect(at(schemas, "UserProfile", "required")).toEqual([
      "userId",
      "name",
      "phone",
      "email",
      "metadata",
      "createdAt",
      "updatedAt",
    ]);
    expect(at(schemas, "UpdatedUserProfile", "required")).toEqual([
      "id",
      "name",
      "phone",
      "email",
      "metadata",
      "createdAt",
      "updatedAt",
    ]);
    expect(at(of("admin", "updateProfile"), "responses", "200", "content", "application/json", "schema")).toEqual({
      $ref: "#/components/schemas/UpdatedUserProfile",
    });
  });

  test("D1: a profile may be made without a body; a session may not", () => {
    expect(at(of("admin", "createProfile"), "requestBody", "required")).toBe(false);
    expect(at(of("auth", "startSession"), "requestBody", "required")).toBe(true);
  });

  test("202 and 204 have no content, 422 is by field, all else is message and instruction", () => {
    const responses = object(of("auth", "startSession")["responses"]);
    expect(at(responses, "202", "content")).toBeUndefined();
    expect(at(responses, "422", "content", "application/json", "schema", "$ref")).toMatch(/FieldErrors$/);
    expect(at(responses, "401", "content", "application/json", "schema", "$ref")).toMatch(/\/Error$/);
  });

  test("events are a stream, the latest passcode is text too", () => {
    expect(Object.keys(object(at(of("console", "streamEvents"), "responses", "200", "content")))).toEqual([
      "text/event-stream",
    ]);
    expect(Object.keys(object(at(of("console", "latestPasscode"), "responses", "200", "content")))).toEqual([
      "application/json",
      "text/plain",
    ]);
  });

  test("instants and ids have their forms, free metadata stays free", () => {
    const schemas = object(at(document("admin"), "components", "schemas"));
    expect(at(schemas, "UserProfile", "properties", "createdAt")).toMatchObject({
      type: "string",
      format: "date-time",
    });
    expect(at(schemas, "UserProfile", "properties", "userId")).toMatchObject({ type: "string", format: "uuid" });
    expect(at(schemas, "ProfileFields", "properties", "metadata", "anyOf")).toEqual([
      expect.objectContaining({ type: "object", additionalProperties: true }),
      { type: "null" },
    ]);
  });
});
