/** Our own OpenAPI documents, read as any client would read them: the operations that the fuzzer drives. */

import type { Listener } from "#contract/control/routes.ts";
import { openApiDocument } from "#contract/documents/openapi.ts";
import { DEFAULT_APP } from "#contract/documents/openapi-service.ts";
import type { JsonObject, JsonValue } from "#contract/scalars.ts";
import { effectiveSettings } from "#contract/service/effective-settings.ts";

/** A path or query parameter. */
export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly required: boolean;
  readonly schema: JsonObject;
}

/** The content of a response with one status. */
export interface DocumentedAnswer {
  readonly description: string;
  /** Schemas by media type; empty: no body. */
  readonly content: Readonly<Record<string, JsonObject>>;
  /** Header schemas by name, and whether they are required. */
  readonly headers: readonly { readonly name: string; readonly required: boolean; readonly schema: JsonObject }[];
}

/** An operation of a document. Each schema includes the components that it refers to. */
export interface Described {
  readonly id: string;
  readonly listener: Listener;
  readonly method: string;
  /** With `{name}` for parameters. */
  readonly path: string;
  /** The resource of the path: `profiles`, `clock`. */
  readonly tag: string;
  readonly parameters: readonly Parameter[];
  readonly body?: JsonObject;
  readonly needsSecret: boolean;
  readonly answers: ReadonlyMap<number, DocumentedAnswer>;
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const object = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {});
const objects = (value: JsonValue | undefined): JsonObject[] => (Array.isArray(value) ? value.map(object) : []);

/** @returns the schema with the components next to it, so that references resolve. */
const rooted = (document: JsonObject, schema: JsonValue | undefined): JsonObject => ({
  ...object(schema),
  components: document["components"] ?? {},
});

/** @returns what a schema means: the component, if it refers to one. */
export const resolve = (schema: JsonObject, root: JsonObject): JsonObject => {
  const { $ref } = schema;
  if (typeof $ref !== "string") return schema;
  const names = $ref.replace(/^#\//, "").split("/");
  return object(names.reduce<JsonValue | undefined>((inner, name) => object(inner)[name], root));
};

const contentOf = (document: JsonObject, content: JsonValue | undefined): Record<string, JsonObject> =>
  Object.fromEntries(
    Object.entries(object(content)).map(([type, media]) => [type, rooted(document, object(media)["schema"])]),
  );

const answersOf = (document: JsonObject, responses: JsonValue | undefined): Map<number, DocumentedAnswer> =>
  new Map(
    Object.entries(object(responses)).map(([status, value]) => {
      const answer = object(value);
      const headers = Object.entries(object(answer["headers"])).map(([name, header]) => {
        const shown = resolve(object(header), document);
        return { name, required: shown["required"] === true, schema: object(shown["schema"]) };
      });
      const description = String(answer["description"]);
      return [Number(status), { description, headers, content: contentOf(document, answer["content"]) }];
    }),
  );

const parametersOf = (document: JsonObject, operation: JsonObject): Parameter[] =>
  objects(operation["parameters"]).map((one) => ({
    name: String(one["name"]),
    in: one["in"] === "path" ? "path" : "query",
    required: one["required"] === true,
    schema: rooted(document, one["schema"]),
  }));

/** @param main the listener of operations that have no server of their own. @returns the operations of a document. */
export const operationsOf = (main: Listener, document: JsonObject): Described[] =>
  Object.entries(object(document["paths"])).flatMap(([path, item]) =>
    Object.entries(object(item)).map(([method, value]) => {
      const operation = object(value);
      const body = contentOf(document, object(operation["requestBody"])["content"])["application/json"];
      return {
        id: String(operation["operationId"]),
        listener: operation["servers"] === undefined ? main : "auth",
        method: method.toUpperCase(),
        path,
        tag: String(Array.isArray(operation["tags"]) ? operation["tags"][0] : "other"),
        parameters: parametersOf(document, operation),
        ...(body === undefined ? {} : { body }),
        needsSecret: objects(operation["security"]).some((scheme) => Object.hasOwn(scheme, "appSecret")),
        answers: answersOf(document, operation["responses"]),
      };
    }),
  );

const DOCUMENTS = ["admin", "auth", "emulator"] as const;
/** The operations of all documents. */
const OPERATIONS: readonly Described[] = DOCUMENTS.flatMap((name) =>
  operationsOf(
    name === "emulator" ? "console" : name,
    openApiDocument(
      name,
      {
        version: "0.0.0-test",
        urls: { admin: "http://admin.test", auth: "http://auth.test", console: "http://console.test" },
      },
      { ...DEFAULT_APP, settings: effectiveSettings({ sessionExtensions: true }) },
      true,
    ),
  ),
);

const groupOf = ({ listener, tag }: Described): string => `${listener} ${tag}`;

/** The operations by listener and resource, such as `console profiles`. */
export const GROUPS: readonly (readonly [string, readonly Described[]])[] = [...new Set(OPERATIONS.map(groupOf))].map(
  (group) => [group, OPERATIONS.filter((one) => groupOf(one) === group)],
);

/** @returns the operation of this name. */
export const operation = (id: string): Described => {
  const found = OPERATIONS.find((one) => one.id === id);
  if (found === undefined) throw new Error(`there is no operation ${id}`);
  return found;
};
