/** Requests generated from the documents: valid ones, and ones that violate one rule of a schema. */
import fc from "fast-check";
import type { Listener } from "#contract/control/routes.ts";
import type { JsonObject, JsonValue } from "#contract/scalars.ts";
import type { Sent } from "#test/hosts/send.ts";
import { type Described, type Parameter, resolve } from "./operations.ts";
import { ID, SECRET, TOKEN } from "./seed.ts";
import { schemaFault } from "./validators.ts";
import { anyJson, PATH_IDS, valid } from "./values.ts";

/** A request with what is known of its response. */
export interface Shot extends Sent {
  readonly listener: Listener;
  /** Undefined if no document names the target. */
  readonly operation?: Described;
  readonly kind: "valid" | "violating" | "hostile";
  /** What is wrong with it, for people. */
  readonly label: string;
  /** The required status, if only one is right. */
  readonly status?: number;
}

/** Generates requests of an operation. */
export interface Parts {
  readonly params: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly headers?: Sent["headers"];
  readonly body?: Buffer;
}

/** @returns the credentials that an operation requires. */
const credentials = ({ listener, needsSecret }: Described): Record<string, string> => {
  if (needsSecret) return { Authorization: `Bearer ${SECRET.fuzz}` };
  return listener === "auth" ? { Authorization: `Bearer ${TOKEN}` } : {};
};

/** @returns a request in the form that a failed run prints, so that people can repeat it. */
export const shotOf = (
  operation: Described,
  { params, query = "", headers = {}, body }: Parts,
  known: Pick<Shot, "kind" | "label" | "status">,
): Shot => {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? "");
  return {
    operation,
    listener: operation.listener,
    method: operation.method,
    target: query === "" ? path : `${path}?${query}`,
    headers: { ...credentials(operation), ...headers },
    ...(body === undefined ? {} : { body }),
    ...known,
  };
};

/** @returns what to print: the request, and what is special about it. */
export const show = ({ kind, label, listener, method, target, headers, body }: Shot): string => {
  const bytes = body?.toString("latin1") ?? "";
  const shown = JSON.stringify(bytes.length > 600 ? `${bytes.slice(0, 600)}… (${bytes.length} bytes)` : bytes);
  return `${kind} (${label}): ${listener} ${method} ${target.slice(0, 300)} ${JSON.stringify(headers)} ${shown}`;
};

const JSON_TYPE = { "Content-Type": "application/json" };

/** @returns a JSON body as bytes. */
export const bytesOf = (value: JsonValue): Buffer => Buffer.from(JSON.stringify(value));

const USERS = [ID.ann, ID.bob, ID.cy, ID.cy.toUpperCase(), ID.mail, ID.foreign];
const APPS = ["fuzz-app", "fuzz-app", "fuzz-mail"];

/** Ids for a path parameter: of existing records, and an unknown one. */
const pathId = ({ tag, listener }: Described, name: string, present: boolean): fc.Arbitrary<string> => {
  const records = name === "id" ? (PATH_IDS[tag] ?? []) : USERS.slice(0, listener === "admin" ? 4 : undefined);
  const known = name === "appId" ? APPS : records;
  const missing = name === "appId" ? ["no-such-app"] : [ID.missing, ID.foreign];
  return fc.constantFrom(...known, ...(present && known.length > 0 ? [] : missing));
};

/** Ids of records for the path parameters; `present`: only of existing records. */
export const pathParams = (operation: Described, present = false): fc.Arbitrary<Record<string, string>> =>
  fc.record(
    Object.fromEntries(
      operation.parameters
        .filter((one) => one.in === "path")
        .map(({ name }) => [name, pathId(operation, name, present)]),
    ),
    { noNullPrototype: true },
  );

const queryParameters = ({ parameters }: Described): Parameter[] => parameters.filter((one) => one.in === "query");

type Query = Readonly<Record<string, JsonValue | undefined>>;

const queryText = (query: Query): string =>
  new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();

const anyQuery = (operation: Described): fc.Arbitrary<Query> =>
  fc.record(
    Object.fromEntries(queryParameters(operation).map(({ name, schema }) => [name, valid(schema, schema, name)])),
    { requiredKeys: [], noNullPrototype: true },
  );

/** All parameters at once find little, so half of the queries have one. */
const validQuery = (operation: Described): fc.Arbitrary<Query> => {
  const any = anyQuery(operation);
  return fc.oneof(
    any,
    any.map((query) => Object.fromEntries(Object.entries(query).slice(0, 1))),
  );
};

/** @returns bodies that the document allows. */
export const validBody = ({ body }: Described): fc.Arbitrary<JsonValue> =>
  body === undefined ? anyJson : valid(body, body);

/** Requests that are valid by the document. */
export const validShot = (operation: Described): fc.Arbitrary<Shot> =>
  fc
    .record({
      params: pathParams(operation),
      query: validQuery(operation),
      accept: fc.constantFrom({}, { Accept: "application/json" }, { Accept: "text/plain" }),
      body: operation.body === undefined ? fc.constant(undefined) : validBody(operation).map(bytesOf),
    })
    .map(({ params, query, accept, body }) =>
      shotOf(
        operation,
        {
          params,
          query: queryText(query),
          headers: body === undefined ? accept : { ...accept, ...JSON_TYPE },
          ...(body === undefined ? {} : { body }),
        },
        { kind: "valid", label: "as documented" },
      ),
    );

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A location in a body, and its schema. */
interface Place {
  readonly path: readonly string[];
  readonly schema: JsonObject;
}

const DEPTH = 4;

const placesOf = (schema: JsonObject, root: JsonObject, path: readonly string[] = []): Place[] => {
  const meant = resolve(schema, root);
  const inner = isObject(meant["properties"]) && path.length < DEPTH ? Object.entries(meant["properties"]) : [];
  return [
    { path, schema: meant },
    ...inner.flatMap(([name, one]) => (isObject(one) ? placesOf(one, root, [...path, name]) : [])),
  ];
};

const LONG = "x".repeat(20_000);
/** Values of every type, few of which are valid at any location. */
const CANDIDATES: readonly JsonValue[] = [
  null,
  true,
  -1,
  1.5,
  1e300,
  "",
  "x",
  " +12025550100",
  "+0",
  "not a uuid",
  "a@b",
  "2026-13-45T99:00:00.000Z",
  LONG,
  [],
  ["x"],
  {},
  { stranger: 1 },
];

type Mutation = { readonly label: string; apply(body: JsonObject): JsonObject };

const changed = (body: JsonObject, path: readonly string[], value: JsonValue | undefined): JsonObject => {
  const [name = "", ...rest] = path;
  const copy = { ...body };
  if (rest.length > 0) {
    const before = copy[name];
    copy[name] = changed(isObject(before) ? before : {}, rest, value);
  } else if (value === undefined) delete copy[name];
  else copy[name] = value;
  return copy;
};

/** In settings `null` restores the default, whatever the schema. */
const isDefault = ([first]: readonly string[], value: JsonValue): boolean => first === "settings" && value === null;

const mutationsOf = (body: JsonObject): Mutation[] =>
  placesOf(body, body).flatMap(({ path, schema }) => {
    const rooted = { ...schema, components: body["components"] ?? {} };
    const wrong = path.length === 0 ? [] : CANDIDATES.filter((value) => schemaFault(rooted, value) !== undefined);
    const required = Array.isArray(schema["required"]) ? schema["required"].map(String) : [];
    const names = required.map((name) => [...path, name]);
    return [
      ...wrong
        .filter((value) => !isDefault(path, value))
        .map((value) => ({
          label: `${path.join(".")} = ${JSON.stringify(value).slice(0, 40)}`,
          apply: (base: JsonObject) => changed(base, path, value),
        })),
      ...names.map((name) => ({
        label: `no ${name.join(".")}`,
        apply: (base: JsonObject) => changed(base, name, undefined),
      })),
      ...(schema["additionalProperties"] === false
        ? [
            {
              label: `a stranger in ${path.join(".") || "the body"}`,
              apply: (base: JsonObject) => changed(base, [...path, "stranger"], 1),
            },
          ]
        : []),
    ];
  });

const violatingBody = (operation: Described, body: JsonObject): fc.Arbitrary<Shot> | undefined => {
  const mutations = mutationsOf(body);
  if (mutations.length === 0) return undefined;
  return fc
    .record({
      params: pathParams(operation, true),
      mutation: fc.constantFrom(...mutations),
      base: validBody(operation),
    })
    .map(({ params, mutation, base }) => ({ params, mutation, sent: mutation.apply(isObject(base) ? base : {}) }))
    .filter(({ sent }) => schemaFault(body, sent) !== undefined)
    .map(({ params, mutation, sent }) =>
      shotOf(
        operation,
        { params, headers: JSON_TYPE, body: bytesOf(sent) },
        { kind: "violating", label: mutation.label },
      ),
    );
};

const asQuery = (text: string, { type }: JsonObject): JsonValue =>
  (type === "integer" || type === "number") && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;

const WRONG_TEXTS = ["", "x", "-1", "0", "1.5", "1e2", "0x10", " 5", "+5", "99999999999999999999", "null", "💥"];

const violatingQuery = (operation: Described): fc.Arbitrary<Shot> | undefined => {
  const wrong = queryParameters(operation).flatMap(({ name, schema }) =>
    WRONG_TEXTS.filter((text) => schemaFault(schema, asQuery(text, schema)) !== undefined).map((text) => ({
      name,
      text,
    })),
  );
  if (wrong.length === 0) return undefined;
  return fc
    .record({
      params: pathParams(operation, true),
      wrong: fc.constantFrom(...wrong),
      body: operation.body === undefined ? fc.constant(undefined) : validBody(operation).map(bytesOf),
    })
    .map(({ params, wrong: { name, text }, body }) =>
      shotOf(
        operation,
        { params, query: queryText({ [name]: text }), ...(body === undefined ? {} : { body, headers: JSON_TYPE }) },
        { kind: "violating", label: `${name}=${text}` },
      ),
    );
};

/** Requests that violate one rule of a schema; undefined if the operation has none to violate. */
export const violatingShot = (operation: Described): fc.Arbitrary<Shot> | undefined => {
  const kinds = [
    operation.body === undefined ? undefined : violatingBody(operation, operation.body),
    violatingQuery(operation),
  ].filter((one) => one !== undefined);
  return kinds.length === 0 ? undefined : fc.oneof(...kinds);
};
