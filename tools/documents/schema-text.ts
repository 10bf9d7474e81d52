/** Describes JSON Schema in words, for tables in the docs. */
import { isJsonObject, type JsonObject, type JsonValue } from "#contract/scalars.ts";

/** @returns the value if it is an object; otherwise an empty object. */
export const asObject = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {});

/** @returns the objects in a list; other entries are omitted. */
export const asObjects = (value: JsonValue | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

const strings = (value: JsonValue | undefined): string[] =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];

/** @param rows of cells, starting with the header row. @returns a Markdown table. */
export const table = (rows: readonly (readonly string[])[]): string => {
  const [head = [], ...rest] = rows;
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rest.map(line)].join("\n");
};

const FORMATS: Readonly<Record<string, string>> = {
  uuid: "UUID",
  "date-time": "instant",
  e164: "phone number",
  email: "email address",
  uri: "URL",
};

const bounds = ({ minimum, maximum }: JsonObject): string => {
  const grouped = (value: JsonValue): string => Number(value).toLocaleString("en-US");
  if (minimum !== undefined && maximum !== undefined) return `, ${grouped(minimum)} to ${grouped(maximum)}`;
  if (minimum !== undefined) return `, at least ${grouped(minimum)}`;
  return maximum === undefined ? "" : `, at most ${grouped(maximum)}`;
};

const code = (value: JsonValue): string => `\`${JSON.stringify(value)}\``;

const textOf = ({ format, pattern, maxLength }: JsonObject): string => {
  if (typeof format === "string") return FORMATS[format] ?? format;
  if (pattern === "^[0-9]{4,10}$") return "4 to 10 digits";
  return maxLength === undefined ? "text" : `text of at most ${Number(maxLength).toLocaleString("en-US")} characters`;
};

/** @param link returns the link to a named schema. @returns a description of the type. */
export const typeText = (schema: JsonObject, link: (name: string) => string): string => {
  const { $ref, anyOf, const: constant, enum: choices, type, items } = schema;
  if (typeof $ref === "string") return link($ref.replace(/^.*\//, ""));
  if (Array.isArray(anyOf))
    return [...new Set(anyOf.filter(isJsonObject).map((one) => typeText(one, link)))].join(" or ");
  if (constant !== undefined) return code(constant);
  if (Array.isArray(choices)) return choices.map(code).join(", ");
  if (Array.isArray(type)) return type.map((one) => typeText({ ...schema, type: one }, link)).join(" or ");
  switch (type) {
    case "string":
      return textOf(schema);
    case "integer":
      return `whole number${bounds(schema)}`;
    case "number":
      return `number${bounds(schema)}`;
    case "boolean":
      return "`true`, `false`";
    case "null":
      return "`null`";
    case "array":
      return `list of ${typeText(asObject(items), link)}`;
    case "object":
      return "object";
    default:
      return "anything";
  }
};

/** A field of an object; nested fields are named by path. */
export interface Field {
  readonly path: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

/** @returns the fields of an object schema, in order; nested objects are replaced by their fields. */
export const fieldsOf = (
  schema: JsonObject,
  link: (name: string) => string,
  within: { readonly prefix: string; readonly required: boolean } = { prefix: "", required: true },
): readonly Field[] => {
  const names = strings(schema["required"]);
  return Object.entries(asObject(schema["properties"])).flatMap(([name, value]) => {
    const field = asObject(value);
    const path = `${within.prefix}${name}`;
    const required = within.required && names.includes(name);
    if (isJsonObject(field["properties"])) return fieldsOf(field, link, { prefix: `${path}.`, required });
    const [about = ""] = [field, ...asObjects(field["anyOf"])].flatMap(({ description }) =>
      typeof description === "string" ? [description] : [],
    );
    return [{ path, type: typeText(field, link), required, description: about }];
  });
};
