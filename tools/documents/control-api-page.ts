/** Generates `docs/control-api.md` with every operation of the control API, from its OpenAPI document. */
import { openApiDocument } from "#contract/openapi.ts";
import { problems } from "#contract/problems.ts";
import { type Operation, type OperationId, refusalsOf, routes } from "#contract/routes.ts";
import { isJsonObject, type JsonObject } from "#contract/scalars.ts";
import { asObject, asObjects, fieldsOf, table, typeText } from "./schema-text.ts";

const BASE = "http://127.0.0.1:4012";
const link = (name: string): string => `[${name}](#shape-${name.toLowerCase()})`;

/** Path parameters in the examples. */
const SAMPLES: Readonly<Record<string, string>> = {
  appId: "demo-app",
  userId: "3f0c2f4e-8a51-4a86-9d0e-2b7f7d1c0a01",
  id: "$ID",
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

const fieldTable = (schema: JsonObject): string =>
  table([
    ["Field", "Value", "", "Meaning"],
    ...fieldsOf(schema, link).map(({ path, type, required, description }) => [
      `\`${path}\``,
      type,
      required ? "" : "may be absent",
      description,
    ]),
  ]);

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
  maxBodyBytes === undefined ? "The body:" : `The body, of at most ${maxBodyBytes / 1_048_576} MiB:`;

const refusals = (row: Operation): string => {
  const own = refusalsOf(row).filter((code) => !COMMON.includes(code));
  return own.map((code) => `\`${problems[code].status}\` \`${code}\` (${problems[code].when})`).join(", ");
};

const section = (id: OperationId, row: Operation, shown: JsonObject): string => {
  const body = asObject(asObject(asObject(shown["requestBody"])["content"])["application/json"]);
  const parameters = asObjects(shown["parameters"]);
  const refused = refusals(row);
  const parts = [
    `### \`${row.method} ${row.path}\``,
    `${row.summary}.`,
    ...(parameters.length === 0 ? [] : [parameterTable(parameters)]),
    ...(isJsonObject(body["schema"]) ? [bodyTitle(row), fieldTable(asObject(body["schema"]))] : []),
    `Answers ${answers(asObject(shown["responses"]), row)}${refused === "" ? "" : ` Refuses with ${refused}.`}`,
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
  const text = openApiDocument("console", { version: "0", servers: [BASE] });
  const paths = asObject(text["paths"]);
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
      .map(({ id, row, shown }) => section(id, row, shown))
      .join("\n\n");
  const tags = asObjects(text["tags"]).map(({ name }) => String(name));
  const schemas = Object.entries(asObject(asObject(text["components"])["schemas"])).filter(([, schema]) =>
    isJsonObject(asObject(schema)["properties"]),
  );
  const title = (tag: string): string =>
    /^(lan|tls)$/.test(tag) ? tag.toUpperCase() : tag.charAt(0).toUpperCase() + tag.slice(1);

  return `<!-- Made by \`npm run docs\` from src-server/contract: change it there. -->

# The control API

Everything that the console shows and does goes over this API, so that a test or a script can do it too. It is part of
Stagedoor, not of the service that it stands in for. It listens on the console's port, under \`/emulator/v1\`; on this
machine it asks for no token. The same in OpenAPI 3.1: \`${BASE}/openapi/control.json\`.
What [faults](faults.md) and [snapshots](snapshots.md) do is told on pages of their own.

${tags.map((tag) => `- [${title(tag)}](#${tag})`).join("\n")}
- [Shapes](#shapes)

What holds for all of it:

- Lists answer \`{"items": […], "total": n}\`. What is made is answered with 201 and itself, what is deleted with 204; any
  other change with 200 and what GET would show.
- Bodies are JSON (\`Content-Type: application/json\`), up to 1 MiB unless it says otherwise.
- An unknown key of a body or parameter of a query is refused with 422, which tells the nearest known name: a misspelt
  \`appId\` never widens a deletion. An app that does not exist is 404, which lists the apps.
- The \`appId\` of a body may be left out when there is one app, or when only one app has the profile of its \`userId\`.
- Times are instants such as \`2026-01-31T12:00:00.000Z\`, unless a name says seconds. \`seq\` numbers every change.
- A refusal names its exact cause in the header \`Emulator-Reason\`. Its body is
  \`{"message": "<status phrase>", "instruction": "<what to look at>"}\`; that of 422 is \`{"<field>": ["<what is wrong>"]}\`.

Any operation may refuse with one of these, as far as it has a body, parameters, or writes:

${refusalTable()}

The examples use the apps of the demo. \`$ID\` stands for the id of a record, as the list beside it shows it.

${tags.map((tag) => `## ${title(tag)}\n\n${tagged(tag)}`).join("\n\n")}

## Shapes

${schemas.map(([name, schema]) => `### <a id="shape-${name.toLowerCase()}"></a>${name}\n\n${fieldTable(asObject(schema))}`).join("\n\n")}
`;
};
