/** Generates the types of `stagedoor/client` from the contract: plain TypeScript, so that users do not need zod. */
import { clientTypes } from "#contract/documents/client-types.ts";
import { jsonSchemas } from "#contract/documents/json-schema.ts";
import type { JsonObject, JsonValue } from "#contract/scalars.ts";
import { asObject, asObjects } from "./schema-text.ts";

const LINE_WIDTH = 120;
const WORD = /^[A-Za-z_$][A-Za-z0-9_$]*$/;
const comment = (about: JsonValue | undefined, indent: string): string =>
  typeof about === "string" ? `${indent}/** ${about.replaceAll("*/", "* /")} */\n` : "";

/** Formats a long union with each part on its own line. */
const laidOut = (line: string, indent: string): string =>
  line.length <= LINE_WIDTH || line.includes("\n")
    ? line
    : line.replace(/: /, `:\n${indent}  | `).replaceAll(/(?<=") \| /g, `\n${indent}  | `);

const objectText = (schema: JsonObject, indent: string): string => {
  const inner = `${indent}  `;
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const fields = Object.entries(asObject(schema["properties"])).map(([name, value]) => {
    const own = asObject(value);
    const optional = !required.includes(name) || own["default"] !== undefined;
    const key = WORD.test(name) ? name : JSON.stringify(name);
    const line = `${inner}${key}${optional ? "?" : ""}: ${typeOf(own, inner)};`;
    return `${comment(own["description"], inner)}${laidOut(line, inner)}\n`;
  });
  return `{\n${fields.join("")}${indent}}`;
};

/** @returns the TypeScript type for a JSON Schema. */
const typeOf = (schema: JsonObject, indent: string): string => {
  const { $ref, anyOf, const: constant, enum: choices, type } = schema;
  const union = (parts: readonly string[]): string => [...new Set(parts)].join(" | ");
  if (typeof $ref === "string") return $ref.replace(/^.*\//, "");
  if (Array.isArray(anyOf)) return union(asObjects(anyOf).map((one) => typeOf(one, indent)));
  if (constant !== undefined) return JSON.stringify(constant);
  if (Array.isArray(choices)) return union(choices.map((choice) => JSON.stringify(choice)));
  if (Array.isArray(type)) return union(type.map((one) => typeOf({ ...schema, type: one }, indent)));
  switch (type) {
    case "string":
    case "boolean":
    case "null":
    case "number":
      return type;
    case "integer":
      return "number";
    case "array":
      return `Array<${typeOf(asObject(schema["items"]), indent)}>`;
    case "object":
      if (schema["properties"] !== undefined) return objectText(schema, indent);
      return schema["additionalProperties"] === undefined ||
        Object.keys(asObject(schema["additionalProperties"])).length === 0
        ? "Record<string, unknown>"
        : `Record<string, ${typeOf(asObject(schema["additionalProperties"]), indent)}>`;
    default:
      return "unknown";
  }
};

/** @returns the text of `records.ts` for users, who have neither the contract nor zod. */
export const clientTypesText = (): string => {
  const named = Object.fromEntries(Object.entries(clientTypes).map(([name, [schema]]) => [name, schema]));
  const schemas = jsonSchemas(named, (name) => name);
  const types = Object.entries(clientTypes).map(([name, [, about]]) => {
    const schema = asObject(schemas[name]);
    const union = asObjects(schema["anyOf"]).flatMap(({ enum: choices, ...one }) =>
      Array.isArray(choices) ? choices.map((choice) => JSON.stringify(choice)) : [typeOf(one, "    ")],
    );
    const text =
      union.length === 0
        ? `interface ${name} ${objectText(schema, "")}`
        : `type ${name} =${union.map((part) => `\n  | ${part}`).join("")};`;
    return `/** ${about} */\nexport ${text}\n`;
  });
  return [
    "// Generated from the contract of Stagedoor.\n",
    "/** A page of a list, and how many there are in all. */",
    "export interface List<T> {\n  items: Array<T>;\n  total: number;\n}\n",
    ...types,
  ].join("\n");
};
