/**
 * Generates OpenAPI 3.1 from the operation table, on demand: the service's two interfaces as an app's settings shape
 * them, and all that is Stagedoor's own.
 */
import type { z } from "zod";
import { type Listener, type Operation, refusalsOf, routes } from "../control/routes.ts";
import { isJsonArray, isJsonObject, type JsonDraft, type JsonObject, type JsonValue } from "../scalars.ts";
import type { EffectiveSettings } from "../service/effective-settings.ts";
import { serviceErrorBody } from "../service/problems.ts";
import { type Dialect, jsonSchemas } from "./json-schema.ts";
import { EXAMPLES, exampleOf } from "./openapi-examples.ts";
import * as parts from "./openapi-parts.ts";
import { comes, DEFAULT_APP, type DescribedApp, sessionExample, shapedRow, statusesIn } from "./openapi-service.ts";

interface IdentifiedOperation {
  readonly id: string;
  readonly operation: Operation;
}

/** Returns the JSON Schema of a zod schema, as a reference if it has a name. */
type SchemaOf = (schema: z.ZodType) => JsonObject;

const reference = (name: string): string => `#/components/schemas/${name}`;

/** The documents: the service's two interfaces, and the emulator's own, most of which is the control API. */
export type DocumentName = "admin" | "auth" | "emulator";

const documentOf = ({ listener, path }: Operation): DocumentName =>
  listener === "console" || !path.startsWith("/v1/") ? "emulator" : listener;

const rowsOf = (document: DocumentName, app: DescribedApp, isAll: boolean): readonly IdentifiedOperation[] =>
  Object.entries<Operation>(routes).flatMap(([id, row]) => {
    const operation = document === "emulator" ? row : shapedRow(id, row, app);
    if (row.isDrastic === true && !isAll) return [];
    return operation === undefined || row.isPage === true || documentOf(row) !== document ? [] : [{ id, operation }];
  });

/** Converts all schemas of the rows at once, so that named parts become references. */
const convert = (rows: readonly IdentifiedOperation[], document: DocumentName, dialect: Dialect) => {
  const components = document === "emulator" ? parts.COMPONENTS : { ...parts.COMPONENTS, Error: serviceErrorBody };
  const names = new Map(Object.entries(components).map(([name, schema]) => [schema, name]));
  const used = rows.flatMap(({ operation: { body, query, answers } }) => [body, query, ...Object.values(answers)]);
  for (const schema of used) if (schema && !names.has(schema)) names.set(schema, `unnamed ${names.size}`);
  const all = jsonSchemas(Object.fromEntries([...names].map(([schema, name]) => [name, schema])), reference, dialect);
  const named = Object.fromEntries(Object.entries(all).filter(([name]) => Object.hasOwn(components, name)));
  const of: SchemaOf = (schema) => {
    const name = names.get(schema);
    if (name === undefined) return jsonSchemas({ it: schema }, reference, dialect)["it"] ?? {};
    return Object.hasOwn(named, name) ? { $ref: reference(name) } : (all[name] ?? {});
  };
  return { named, of };
};

const pathParameters = ({ id, operation }: IdentifiedOperation, of: SchemaOf): JsonObject[] =>
  [...operation.path.matchAll(/:(\w+)/g)].map(([, name = ""]) => {
    const known = parts.PATH_PARAMETERS[name];
    const schema: JsonObject = known === undefined ? { type: "string" } : of(known.schema);
    const example = exampleOf(id, name, known?.example);
    return { name, in: "path", required: true, description: known?.description ?? "", schema, ...example };
  });

const queryParameters = ({ id, operation: { query } }: IdentifiedOperation, of: SchemaOf): JsonObject[] => {
  const { properties, required } = query === undefined ? {} : of(query);
  if (!isJsonObject(properties)) return [];
  return Object.entries(properties).map(([name, schema]) => {
    const { description = parts.QUERY_PARAMETERS[name] ?? "", ...rest } = isJsonObject(schema) ? schema : {};
    const needed = isJsonArray(required) && required.includes(name);
    const allowed = isJsonArray(rest["enum"]) ? rest["enum"][0] : undefined;
    return { name, in: "query", required: needed, description, schema: rest, ...exampleOf(id, name, allowed) };
  });
};

/** Responses whose media type is not, or not only, JSON. */
const contentOf = ({ id, operation }: IdentifiedOperation, schema: JsonObject): JsonObject => {
  if (id === "streamEvents") return { "text/event-stream": { schema: { $ref: reference("Event") } } };
  const content: JsonDraft = { [operation.contentType ?? "application/json"]: { schema } };
  if (id === "latestPasscode")
    content["text/plain"] = { schema: { type: "string", description: "The code and a newline." } };
  return content;
};

const SUCCESS: Readonly<Record<string, string>> = {
  200: "Done.",
  201: "Created.",
  202: "A passcode is on its way; no body.",
  204: "Done; no body.",
};

/** @returns the names of an error's possible bodies: the usual one, and that of the app's settings. */
const bodiesOf = (
  { shape, fields }: EffectiveSettings["errors"],
  status: number,
  isPlain = false,
  isApps = false,
): string[] => {
  const [plain, own] =
    status === 422
      ? ["FieldErrors", fields === "nested" ? "NestedFieldErrors" : "FieldErrors"]
      : ["Error", shape === "error" ? "ShortError" : "Error"];
  return [...new Set([...(isApps ? [own] : []), ...(isPlain ? [plain] : [])])];
};

const responses = (row: IdentifiedOperation, of: SchemaOf, { settings }: DescribedApp): JsonObject => {
  const { id, operation } = row;
  const headers = { ...parts.commonHeaders(operation.listener), ...(id === "listProfiles" ? parts.LIST_HEADERS : {}) };
  const found: JsonDraft = {};
  for (const [code, schema] of Object.entries(operation.answers)) {
    const description = SUCCESS[code] ?? "Done.";
    found[code] = { description, headers, ...(schema && { content: contentOf(row, of(schema)) }) };
  }
  const codes = refusalsOf(operation);
  for (const code of new Set(codes.flatMap((name) => statusesIn(settings, id, name)))) {
    const ofStatus = codes.filter((name) => statusesIn(settings, id, name).includes(code));
    const times = ofStatus.map((name) => (operation.listener === "console" ? "before" : comes(operation, name)));
    const [isPlain, isApps] = (["after", "before"] as const).map((one) => times.some((time) => time !== one));
    found[String(code)] = parts.refusal(operation, code, ofStatus, bodiesOf(settings.errors, code, isPlain, isApps));
  }
  return found;
};

const security = ({ auth, listener }: Operation): JsonObject[] => {
  if (auth === "secret") return [{ appSecret: [] }];
  if (auth === "session") return [{ sessionToken: [] }];
  return listener === "console" ? [{}, { accessToken: [] }] : [];
};

const tagOf = ({ path }: Operation): string =>
  path.includes("/.well-known/")
    ? "discovery"
    : (/^\/(?:v1\/users|v1|emulator\/v1|emulator)\/([a-z-]+)/.exec(path)?.[1] ?? "");

const SEND = { secret: "Send the app secret as a bearer token.", session: "" } as const;

const describe = (row: IdentifiedOperation, of: SchemaOf, app: DescribedApp): JsonObject => {
  const { id, operation } = row;
  const parameters = [...pathParameters(row, of), ...queryParameters(row, of)];
  const example = sessionExample(id, app) ?? EXAMPLES[id];
  const decided = /\bD\d.*/.exec(operation.source ?? "")?.[0];
  const about = [`${operation.summary}.`, operation.description, operation.auth && SEND[operation.auth]];
  const content: JsonObject | undefined = operation.body && {
    "application/json": { schema: of(operation.body), ...(example && { example }) },
    ...(operation.takesForm === true && { "application/x-www-form-urlencoded": { schema: of(operation.body) } }),
  };
  return {
    operationId: id,
    summary: operation.summary,
    description: [...about, decided && `Decisions: ${decided} (docs/fidelity.md).`].filter(Boolean).join(" "),
    tags: [tagOf(operation)],
    security: security(operation),
    ...(parameters.length > 0 && { parameters }),
    ...(content && { requestBody: { required: !operation.body?.safeParse({}).success, content } }),
    responses: responses(row, of, app),
  };
};

const SCHEMES: Readonly<Record<string, JsonObject>> = {
  appSecret: { type: "http", scheme: "bearer", description: "The secret of an app." },
  sessionToken: { type: "http", scheme: "bearer", bearerFormat: "JWT", description: "The token of a session." },
  accessToken: {
    type: "http",
    scheme: "bearer",
    description: "Printed at start, or preset as STAGEDOOR_ACCESS_TOKEN; only with --console-host.",
  },
};

const TITLES: Readonly<Record<DocumentName, string>> = {
  admin: "Profile administration",
  auth: "User sessions",
  emulator: "Emulator",
};
const LISTENERS = { admin: "admin", auth: "auth", emulator: "console" } as const;

const ABOUT = [
  "An unknown path is a 404 (`unknown_path`, or `other_listener` if another of Stagedoor's URLs serves it), another method a",
  "405 (`method_not_allowed`) with the `Allow` header. HEAD works like GET. The `Emulator-Reason` header of an error has its",
  "exact cause. On admin and auth, a fault set through the control API can apply to a request: the response then has any",
  "status, and the fault's id in the `Emulator-Fault` header. Auth also serves web pages at `/emulator/hello` and",
  "`/emulator/demo/`.",
].join(" ");

const OF_ANY =
  "This document is of no app: it has the default settings, and a username of either kind. Add `?appId=` and the id of an app to get the document of that app, as its settings shape it.";

/** The components that a document references, directly or through other components. */
const reachable = (text: JsonValue, kind: string, all: Readonly<Record<string, JsonObject>>): JsonObject => {
  const found: JsonDraft = {};
  const follow = (value: JsonValue): void => {
    const json = JSON.stringify(value);
    for (const [name, component] of Object.entries(all)) {
      if (Object.hasOwn(found, name) || !json.includes(`"#/components/${kind}/${name}"`)) continue;
      found[name] = component;
      follow(component);
    }
  };
  follow(text);
  return found;
};

/**
 * @param urls base URL of each listener. @param version the emulator's.
 * @param app whose settings shape the service's operations; absent: one with the defaults.
 * @param isAll whether it has the operations that stop Stagedoor or delete what others may be using.
 * @param form the version of OpenAPI; 3.0 is for generators and importers that read nothing newer.
 * @returns the OpenAPI document.
 */
export const openApiDocument = (
  document: DocumentName,
  { version, urls }: { readonly version: string; readonly urls: Readonly<Record<Listener, string>> },
  app: DescribedApp = DEFAULT_APP,
  isAll = false,
  form: "3.0" | "3.1" = "3.1",
): JsonObject => {
  const is30 = form === "3.0";
  const rows = rowsOf(document, app, isAll);
  const { named, of } = convert(rows, document, is30 ? "openapi-3.0" : "draft-2020-12");
  const paths: Record<string, JsonObject> = {};
  const own = LISTENERS[document];
  for (const row of rows) {
    const { path, method, listener } = row.operation;
    const shown = { ...describe(row, of, app), ...(listener !== own && { servers: [{ url: urls[listener] }] }) };
    const template = path.replace(/:(\w+)/g, "{$1}");
    paths[template] = { ...paths[template], [method.toLowerCase()]: shown };
  }
  const schemes = Object.entries(SCHEMES).filter(([name]) => JSON.stringify(paths).includes(`{"${name}":[]}`));
  const tags = [...new Set(rows.map(({ operation }) => tagOf(operation)))];
  return {
    openapi: is30 ? "3.0.3" : "3.1.0",
    info: {
      title: `Stagedoor: ${TITLES[document]}`,
      version,
      description: document !== "emulator" && app.isAny ? `${OF_ANY} ${ABOUT}` : ABOUT,
      license: { name: "MIT", ...(!is30 && { identifier: "MIT" }) },
    },
    servers: [{ url: urls[own] }],
    tags: tags.map((name) => ({ name, description: parts.TAGS[name] ?? "" })),
    paths,
    components: {
      schemas: reachable(paths, "schemas", named),
      headers: reachable(paths, "headers", parts.HEADERS),
      ...(schemes.length > 0 && { securitySchemes: Object.fromEntries(schemes) }),
    },
  };
};
