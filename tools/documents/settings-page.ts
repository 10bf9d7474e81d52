/** Generates `docs/settings.md` with every setting of an app, from the contract. */

import { DEFAULT_SETTINGS } from "#contract/effective-settings.ts";
import { editorSchema } from "#contract/json-schema.ts";
import { isJsonObject } from "#contract/scalars.ts";
import { settings } from "#contract/settings.ts";
import { asObject, fieldsOf, table } from "./schema-text.ts";

const DECISIONS = / ?\((D\d+(?:, D\d+)*)\)/;

const defaultOf = (path: string): string => {
  let value: unknown = DEFAULT_SETTINGS;
  for (const key of path.split("."))
    value = typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
  return `\`${JSON.stringify(value)}\``;
};

const row = (path: string, type: string, description: string): string[] => {
  const decisions = DECISIONS.exec(description)?.[1]?.split(", ") ?? [];
  return [
    `\`${path}\``,
    type,
    defaultOf(path),
    description.replace(DECISIONS, "").replace(/\b([a-z]+\.md)\b/g, "[$1]($1)"),
    decisions.map((id) => `[${id}](fidelity.md#${id.toLowerCase()})`).join(", "),
  ];
};

/** @returns the page. */
export const settingsPage = (): string => {
  const properties = asObject(editorSchema(settings)["properties"]);
  const sections = Object.entries(properties).flatMap(([name, value]) => {
    const schema = asObject(value);
    if (!isJsonObject(schema["properties"])) return [];
    const about = typeof schema["description"] === "string" ? schema["description"] : "";
    return [{ name, about, fields: fieldsOf(schema, (link) => link, { prefix: `${name}.`, required: false }) }];
  });
  const plain = fieldsOf(
    {
      properties: Object.fromEntries(
        Object.entries(properties).filter(([name]) => !sections.some((section) => section.name === name)),
      ),
    },
    (link) => link,
  );
  const head = ["Setting", "Value", "Default", "Meaning", "Decision"];
  const tableOf = (fields: typeof plain): string =>
    table([head, ...fields.map(({ path, type, description }) => row(path, type, description))]);

  return `<!-- Made by \`npm run docs\` from src-server/contract/settings.ts: change it there. -->

# Settings of an app

Each app has its own settings. All of them are optional and have defaults. Use them to make Stagedoor behave like your production
service where that differs from the default.

There are three ways to set them:

- in a fixture file, under \`settings\` of the app, nested: \`{"passcode": {"length": 4}}\`;
- over the [control API](control-api.md), nested or with a dot:

  \`\`\`sh
  curl -X PATCH http://127.0.0.1:4012/emulator/v1/apps/demo-app \\
    -H 'Content-Type: application/json' \\
    -d '{"settings": {"passcode.length": 4, "signUp": "closed"}}'
  \`\`\`

- on the Apps screen of the console.

A change keeps the settings that it does not mention. \`null\` resets a setting to its default. An unknown
name is rejected with 422, which suggests the nearest known name. Ports, hosts, the data folder and the like are not app
settings but [options of the process](command-line.md#start).

## General

${tableOf(plain)}

${sections.map(({ name, about, fields }) => `## \`${name}\`\n\n${about}\n\n${tableOf(fields)}`).join("\n\n")}
`;
};
