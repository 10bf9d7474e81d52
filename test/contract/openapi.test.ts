import { describe, expect, test } from "vitest";
import { type Operation, refusalsOf, routes } from "#contract/control/routes.ts";
import { type DocumentName, openApiDocument } from "#contract/documents/openapi.ts";
import { EXAMPLES } from "#contract/documents/openapi-examples.ts";
import { DEFAULT_APP, shapedRow } from "#contract/documents/openapi-service.ts";
import type { JsonObject, JsonValue } from "#contract/scalars.ts";
import { type EffectiveSettings, effectiveSettings } from "#contract/service/effective-settings.ts";
import { problems } from "#contract/service/problems.ts";
import { schemaFault } from "#test/fuzz/validators.ts";

const DOCUMENTS: readonly DocumentName[] = ["admin", "auth", "emulator"];
const urls = { admin: "http://admin.test", auth: "http://auth.test", console: "http://console.test" };
const document = (name: DocumentName, settings: EffectiveSettings = DEFAULT_APP.settings): JsonObject =>
  openApiDocument(name, { version: "1.2.3", urls }, { ...DEFAULT_APP, settings }, true);
const EXTENDED = effectiveSettings({ sessionExtensions: true });

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const object = (value: JsonValue | undefined): JsonObject => {
  if (!isObject(value)) throw new TypeError(`${JSON.stringify(value)} is no object`);
  return value;
};
const list = (value: JsonValue | undefined): JsonObject[] => (Array.isArray(value) ? value.map(object) : []);
const at = (value: JsonValue, ...path: readonly string[]): JsonValue | undefined =>
  path.reduce<JsonValue | undefined>((inner, key) => (isObject(inner) ? inner[key] : undefined), value);

/** Every nested value with its path. */
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

describe.each(DOCUMENTS)("the OpenAPI document %s", (name) => {
  const text = document(name);
  const all = operations(text);
  const rows = Object.entries<Operation>(routes).flatMap(([id, row]): [string, Operation][] => {
    const isService = /^\/v1\//.test(row.path);
    const shaped = isService ? shapedRow(id, row, DEFAULT_APP) : row;
    return row.isPage || shaped === undefined || (isService ? row.listener : "emulator") !== name ? [] : [[id, shaped]];
  });
  const row = (id: string): Operation => {
    const found = rows.find(([one]) => one === id)?.[1];
    if (found === undefined) throw new Error(`there is no operation ${id}`);
    return found;
  };

  test("lists every operation of the table except pages, once, by its name", () => {
    expect(all.map(({ id }) => id).sort()).toEqual(rows.map(([id]) => id).sort());
    for (const { id, path, method } of all) {
      expect(path).toBe(row(id).path.replace(/:(\w+)/g, "{$1}"));
      expect(method).toBe(row(id).method.toLowerCase());
    }
  });

  test("is valid OpenAPI 3.1 at the top level", () => {
    expect(Object.keys(text)).toEqual(["openapi", "info", "servers", "tags", "paths", "components"]);
    expect(text["openapi"]).toMatch(/^3\.1\.\d+$/);
    expect(text["info"]).toMatchObject({ version: "1.2.3" });
    expect(text["servers"]).toEqual([{ url: urls[name === "emulator" ? "console" : name] }]);
    for (const path of Object.keys(object(text["paths"]))) expect(path).toMatch(/^\//);
    for (const one of Object.keys(object(at(text, "components", "schemas")))) expect(one).toMatch(/^[\w.-]+$/);
  });

  test("describes every tag and operation; operations of another listener name its server", () => {
    const tags = new Map(list(text["tags"]).map((tag) => [tag["name"], tag["description"]]));
    for (const { id, shown } of all) {
      expect(tags.get(Array.isArray(shown["tags"]) ? shown["tags"][0] : ""), id).toMatch(/\.$/);
      expect(shown["description"], id).toMatch(/\.$/);
      const isElsewhere = name === "emulator" && row(id).listener === "auth";
      expect(shown["servers"]).toEqual(isElsewhere ? [{ url: urls.auth }] : undefined);
    }
  });

  test("has no empty schema among alternatives", () => {
    for (const [path, value] of within(text))
      if (/\/(anyOf|oneOf|allOf)\/\d+$/.test(path)) expect(Object.keys(object(value)), path).not.toEqual([]);
  });

  test("has no dangling references", () => {
    const values = new Map(within(text));
    for (const [path, value] of values)
      if (isObject(value) && typeof value["$ref"] === "string")
        expect(values.has(value["$ref"]), `${path}: ${value["$ref"]}`).toBe(true);
  });

  test("names only components that are used, and all security schemes", () => {
    const json = JSON.stringify(text);
    for (const kind of ["schemas", "headers"])
      for (const name of Object.keys(object(at(text, "components", kind))))
        expect(json).toContain(`"#/components/${kind}/${name}"`);
    const schemes = Object.keys(object(at(text, "components", "securitySchemes") ?? {}));
    const used = all.flatMap(({ shown }) => list(shown["security"]).flatMap((one) => Object.keys(one)));
    expect(new Set(used)).toEqual(new Set(schemes));
  });

  test("describes every parameter, with an example that fits; all path parameters are present and required", () => {
    for (const { id, path, shown } of all) {
      const parameters = list(shown["parameters"]);
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(parameters.filter((one) => one["in"] === "path").map((one) => one["name"])).toEqual(inPath);
      for (const one of parameters) {
        expect(one, `${path} ${String(one["name"])}`).toMatchObject({ description: expect.stringMatching(/./) });
        const isNeeded = one["in"] === "path" || (id === "readDemoApp" && one["name"] === "appId");
        expect(one["required"]).toBe(isNeeded);
        expect(schemaFault({ ...object(one["schema"]), components: text["components"] ?? {} }, one["example"])).toBe(
          undefined,
        );
        expect(Object.keys(object(one["schema"])).length).toBeGreaterThan(0);
      }
    }
  });

  test("describes every request and response body", () => {
    for (const [path, value] of within(text)) {
      if (!/\/content\/[^/]+\/schema$/.test(path)) continue;
      const schema = object(value);
      expect("$ref" in schema || "type" in schema, path).toBe(true);
    }
    for (const [path, value] of within(text))
      if (/\/pattern$/.test(path)) expect(() => new RegExp(String(value), "u"), path).not.toThrow();
  });

  test("lists every status that the operation can return, with its reasons", () => {
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

  test("contains only examples that match their schemas", () => {
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

describe("details that clients rely on", () => {
  const of = (name: DocumentName, id: string, settings?: EffectiveSettings): JsonObject => {
    const found = operations(document(name, settings)).find((operation) => operation.id === id);
    if (found === undefined) throw new Error(`there is no operation ${id}`);
    return found.shown;
  };

  test("every operation with a body has an example", () => {
    const withBody = Object.entries<Operation>(routes).filter(([, row]) => row.body !== undefined);
    expect(Object.keys(EXAMPLES).sort()).toEqual(withBody.map(([id]) => id).sort());
  });

  test("service.md 5.1: admin requires the secret; service.md 5.2: the session interface requires nothing", () => {
    expect(of("admin", "createProfile")["security"]).toEqual([{ appSecret: [] }]);
    expect(of("auth", "startSession")["security"]).toEqual([]);
    expect(of("auth", "readSession", EXTENDED)["security"]).toEqual([{ sessionToken: [] }]);
    expect(of("emulator", "listApps")["security"]).toEqual([{}, { accessToken: [] }]);
  });

  test("D12: the list has its parameters with defaults, and its headers", () => {
    const shown = of("admin", "listProfiles");
    expect(list(shown["parameters"]).map((one) => [one["name"], at(one, "schema", "default")])).toEqual([
      ["page", 1],
      ["limit", 25],
    ]);
    expect(Object.keys(object(at(shown, "responses", "200", "headers")))).toEqual(
      expect.arrayContaining(["Current-Page", "Page-Items", "Total-Count", "Total-Pages", "Link"]),
    );
  });

  test("D1: the body is optional to create a profile, required to create a session", () => {
    expect(at(of("admin", "createProfile"), "requestBody", "required")).toBe(false);
    expect(at(of("auth", "startSession"), "requestBody", "required")).toBe(true);
  });

  test("202 and 204 have no content, 422 lists errors by field, all others have message and instruction", () => {
    const responses = object(of("auth", "startSession")["responses"]);
    expect(at(responses, "202", "content")).toBeUndefined();
    expect(at(responses, "422", "content", "application/json", "schema", "$ref")).toMatch(/FieldErrors$/);
    expect(at(responses, "401", "content", "application/json", "schema", "$ref")).toMatch(/\/Error$/);
  });

  test("events are a stream; the latest passcode is also available as text", () => {
    expect(Object.keys(object(at(of("emulator", "streamEvents"), "responses", "200", "content")))).toEqual([
      "text/event-stream",
    ]);
    expect(Object.keys(object(at(of("emulator", "latestPasscode"), "responses", "200", "content")))).toEqual([
      "application/json",
      "text/plain",
    ]);
  });

  test("instants and ids have formats; metadata is unrestricted", () => {
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

test("a document of no app names appId, fits apps by email too, and has the errors of the service", () => {
  const { info, components, paths } = openApiDocument("auth", { version: "1", urls });
  expect(object(info)["description"]).toMatch(/`\?appId=`/);
  expect(Object.keys(object(at(components ?? {}, "schemas", "Error", "properties")))).toEqual([
    "message",
    "instruction",
  ]);
  const text = JSON.stringify(paths);
  expect(text).toContain("The username is its phone or its email");
  expect(text).not.toMatch(/"required":\["(phone|email)"\]/);
});

test("the headers of a replay may be in any case, but for those of the connection", () => {
  const { shown } = operations(document("emulator")).find(({ id }) => id === "resendRequest") ?? {};
  const path = ["requestBody", "content", "application/json", "schema", "properties", "headers", "propertyNames"];
  const { pattern } = object(at(shown ?? null, ...path));
  const names = ["x-trace", "X-Trace", "DNT", "host-name", "Host", "host", "Transfer-Encoding", "a b", ""];
  expect(names.filter((name) => new RegExp(String(pattern)).test(name))).toEqual(names.slice(0, 4));
});
