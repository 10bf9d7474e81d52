/** Generates the JSON Schema of `stagedoor.config.json` for editors, from the options of `stagedoor start`. */
import { editorSchema } from "#contract/documents/json-schema.ts";
import type { JsonObject } from "#contract/scalars.ts";
import { camelCase, optionKinds } from "#server/config.ts";
import { fileOptionNames } from "#server/config-file.ts";
import { program } from "./commands.ts";
import { asObjects } from "./schema-text.ts";

const start = program.commands.find((command) => command.name() === "start");
const aboutOf = (name: string): string =>
  start?.options.find((option) => option.attributeName() === name)?.description ?? "";

/** @returns `config.schema.json` as a value. */
export const configSchema = (): JsonObject => {
  const names = fileOptionNames([...optionKinds().keys()].map(camelCase));
  const properties = [...optionKinds()].flatMap(([flag, kind]) => {
    const name = camelCase(flag);
    if (!names.includes(name)) return [];
    const { $schema: _dialect, ...schema } = editorSchema(kind);
    // Alternatives for text are for the environment; a file has numbers and booleans.
    const [plain = schema] = asObjects(schema["anyOf"]);
    const type = Array.isArray(plain["type"]) ? plain["type"][0] : plain["type"];
    return [[name, { ...plain, ...(type === undefined ? {} : { type }), description: aboutOf(name) }] as const];
  });
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "stagedoor.config.json",
    description: "Options of `stagedoor start` for this folder. Flags and environment variables take precedence.",
    type: "object",
    properties: { $schema: { type: "string" }, ...Object.fromEntries(properties) },
    additionalProperties: false,
  };
};
