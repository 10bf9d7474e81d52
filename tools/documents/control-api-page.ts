/** Generates `docs/control-api.md` with every operation of the control API, from its OpenAPI document. */

import { type Operation, type OperationId, refusalsOf, routes } from "#contract/control/routes.ts";
import { openApiDocument } from "#contract/documents/openapi.ts";
import { DEFAULT_APP } from "#contract/documents/openapi-service.ts";
import { isJsonObject, type JsonObject } from "#contract/scalars.ts";
import { problems } from "#contract/service/problems.ts";
import { asObject, asObjects, fieldsOf, table, typeText } from "./schema-text.ts";

const BASE = "http://127.0.0.1:4012";
const link = (name: string): string => `[${name}](#shape-${name.toLowerCase()})`;

/** Path parameters in the examples. */
const SAMPLES: Readonly<Record<string, string>> = {
  appId: "demo-app",
  userId: "3f0c2f4e-8a51-4a86-9d0e-2b7f7d1c0a01",
  id: "$ID",
  kid: "$ID",
  name: "before-login",
};

/** Queries in the examples, where they help to show the purpose of the operation. */
const QUERIES: { readonly [K in OperationId]?: string } = {
  searchProfiles: "?appId=demo-app&q=ada",
  listPasscodes: "?to=%2B12025550100",
  latestPasscode: "?to=%2B12025550100&wait=10000",
  clearPasscodes: "?appId=demo-app",
  listSessions: "?appId=demo-app&state=active",
  revokeSessions: "?appId=demo-app",
  listRequests: "?status=401&limit=10",
  readState: "?appId=demo-app",
  resetState: "?appId=demo-app",
};

/** Additional headers in the examples. */
const HEADERS: { readonly [K in OperationId]?: string } = { latestPasscode: "Accept: text/plain" };

const curl = (id: OperationId, { method, path }: Operation, example: unknown): string => {
  const filled = path.replace(/:(\w+)/g, (_all, name: string) => SAMPLES[name] ?? name);
  const url = `${BASE}${filled}${QUERIES[id] ?? ""}`;
  const words = ["curl"];
  if (id === "streamEvents") words.push("-N");
  if (method !== "GET" && !(method === "POST" && example !== undefined)) words.push(`-X ${method}`);
  words.push(/[?$]/.test(url) ? `"${url}"` : url);
  if (HEADERS[id] !== undefined) words.push(`-H '${HEADERS[id]}'`);
  if (example === undefined) return words.join(" ");
  return `${words.join(" ")} \\\n  -H 'Content-Type: application/json' \\\n  -d '${JSON.stringify(example)}'`;
};

/** The item of each type of event. */
const eventTable = (types: readonly JsonObject[]): string =>
  table([
    ["`type`", "`item`", "Meaning"],
    ...types.map(({ properties }) => {
      const { type, item } = asObject(properties);
      const shape = asObject(item);
      const names = Object.keys(asObject(shape["properties"]));
      const fields = names.length > 0 ? `\`{${names.join(", ")}}\`` : typeText(shape, link);
      return [typeText(asObject(type), link), fields, String(shape["description"] ?? "")];
    }),
  ]);

const fieldTable = (schema: JsonObject): string =>
  table([
    ["Field", "Value", "", "Meaning"],
    ...fieldsOf(schema, link).map(({ path, type, required, description }) => [
      `\`${path}\``,
      type,
      required ? "" : "optional",
      description,
    ]),
  ]);

const shapeTable = (schema: JsonObject): string =>
  Array.isArray(schema["oneOf"]) ? eventTable(asObjects(schema["oneOf"])) : fieldTable(schema);

const parameterTable = (parameters: readonly JsonObject[]): string =>
  table([
    ["Parameter", "In", "Value", "Default", "Meaning"],
    ...parameters.map(({ name, in: place, schema, description }) => {
      const shape = asObject(schema);
      const standard = shape["default"] === undefined ? "" : `\`${JSON.stringify(shape["default"])}\``;
      return [`\`${String(name)}\``, String(place), typeText(shape, link), standard, String(description)];
    }),
  ]);

const answers = (responses: JsonObject, row: Operation): string =>
  Object.keys(row.answers)
    .map((status) => {
      const content = Object.entries(asObject(asObject(responses[status])["content"]));
      if (content.length === 0) return `\`${status}\` without a body.`;
      const kinds = content.map(([type, media]) => {
        const schema = asObject(asObject(media)["schema"]);
        if (type !== "application/json") return `\`${type}\``;
        const items = asObject(asObject(schema["properties"])["items"]);
        if (items["items"] !== undefined)
          return `a list, \`{"items": […], "total": n}\`, of ${typeText(asObject(items["items"]), link)}`;
        if (schema["$ref"] !== undefined) return typeText(schema, link);
        const fields = fieldsOf(schema, link).map(({ path, type: kind }) => `\`${path}\` (${kind})`);
        return fields.join(", ");
      });
      return `\`${status}\`: ${kinds.join(", or ")}.`;
    })
    .join(" ");

/** Errors that every operation can return are listed once, at the top. */
const COMMON = refusalsOf({ ...routes.updateApp, problems: [] });

const bodyTitle = ({ maxBodyBytes }: Operation): string =>
  maxBodyBytes === undefined ? "Body:" : `Body, at most ${maxBodyBytes / 1_048_576} MiB:`;

const refusals = (row: Operation): string => {
  const own = refusalsOf(row).filter((code) => !COMMON.includes(code));
  return own.map((code) => `\`${problems[code].status}\` \`${code}\` (${problems[code].when})`).join(", ");
};

/** @returns the fields of a body, also of one that has a name. */
const bodyTable = (schema: JsonObject, named: JsonObject): string => {
  const { $ref } = schema;
  return fieldTable(typeof $ref === "string" ? asObject(named[$ref.replace(/^.*\//, "")]) : schema);
};

const section = (id: OperationId, row: Operation, shown: JsonObject, named: JsonObject): string => {
  const body = asObject(asObject(asObject(shown["requestBody"])["content"])["application/json"]);
  const parameters = asObjects(shown["parameters"]);
  const refused = refusals(row);
  const parts = [
    `### \`${row.method} ${row.path}\``,
    `${row.summary}.`,
    ...(parameters.length === 0 ? [] : [parameterTable(parameters)]),
    ...(isJsonObject(body["schema"]) ? [bodyTitle(row), bodyTable(body["schema"], named)] : []),
    `Response: ${answers(asObject(shown["responses"]), row)}${refused === "" ? "" : ` Errors: ${refused}.`}`,
    `\`\`\`sh\n${curl(id, row, body["example"])}\n\`\`\``,
  ];
  return parts.join("\n\n");
};

const refusalTable = (): string =>
  table([
    ["Status", "`Emulator-Reason`", "When"],
    ...COMMON.map((code) => [String(problems[code].status), `\`${code}\``, problems[code].when]),
  ]);

/** @returns the page. */
export const controlApiPage = (): string => {
  const text = openApiDocument(
    "emulator",
    { version: "0", urls: { admin: "", auth: "", console: BASE } },
    DEFAULT_APP,
    true,
  );
  const paths = asObject(text["paths"]);
  const named = asObject(asObject(text["components"])["schemas"]);
  const ids = Object.keys(routes).filter((id): id is OperationId => Object.hasOwn(routes, id));
  const operations = ids.flatMap((id) => {
    const row: Operation = routes[id];
    if (row.listener !== "console") return [];
    const item = asObject(paths[row.path.replace(/:(\w+)/g, "{$1}")]);
    return [{ id, row, shown: asObject(item[row.method.toLowerCase()]) }];
  });
  const tagged = (tag: string): string =>
    operations
      .filter(({ shown }) => Array.isArray(shown["tags"]) && shown["tags"][0] === tag)
      .map(({ id, row, shown }) => section(id, row, shown, named))
      .join("\n\n");
  const used = new Set(operations.flatMap(({ shown }) => (Array.isArray(shown["tags"]) ? shown["tags"] : [])));
  const tags = asObjects(text["tags"]).flatMap(({ name }) => (used.has(name ?? "") ? [String(name)] : []));
  const schemas = Object.entries(named).filter(
    ([, schema]) =>
      isJsonObject(asObject(schema)["properties"]) || (isJsonObject(schema) && Array.isArray(schema["oneOf"])),
  );
  const title = (tag: string): string =>
    /^(lan|tls)$/.test(tag) ? tag.toUpperCase() : tag.charAt(0).toUpperCase() + tag.slice(1);

  return `<!-- Generated by \`npm run docs\` from src-server/contract. Do not edit. -->

# The control API

Do everything that the console does, from a script or a test in any language.

The console does everything through this API, and so can your tests and scripts. It is part of Stagedoor, not of the
emulated service. Its base URL is the console's, with \`/emulator/v1\`; on this machine it requires no token. As OpenAPI 3.1:
\`${BASE}/openapi/emulator.json\`. [Faults](faults.md), [the clock](clock.md) and [snapshots](rewind.md#snapshots) have their own pages.

${tags.map((tag) => `- [${title(tag)}](#${tag})`).join("\n")}
- [Shapes](#shapes)

Conventions:

- Lists return \`{"items": […], "total": n}\`. Creating returns 201 with the new record, deleting returns 204, any other change
  returns 200 with what GET would return.
- Bodies are JSON (\`Content-Type: application/json\`), at most 1 MiB unless stated otherwise.
- An unknown key in a body or query is a 422 that suggests the nearest known name, so a misspelt \`appId\` never widens a
  deletion. An unknown app is a 404 that lists the apps.
- The \`appId\` in a body is optional if there is only one app, or if only one app has the profile with its \`userId\`.
- Times are instants such as \`2026-01-31T12:00:00.000Z\`, unless the name says seconds. \`seq\` numbers every change.
- The \`Emulator-Reason\` header of an error has its exact cause. The body is
  \`{"message": "<status phrase>", "instruction": "<what to check>"}\`; for a 422 \`{"<field>": ["<what is wrong>"]}\`.

Errors that any operation can return, if it has a body or parameters, or writes:

${refusalTable()}

The examples use the demo apps. \`$ID\` is the id of a record, from the list operation next to it.

${tags.map((tag) => `## ${title(tag)}\n\n${tagged(tag)}`).join("\n\n")}

## Shapes

${schemas.map(([name, schema]) => `### <a id="shape-${name.toLowerCase()}"></a>${name}\n\n${shapeTable(asObject(schema))}`).join("\n\n")}
`;
};
