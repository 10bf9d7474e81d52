/**
 * From zod to JSON Schema, for editors and for OpenAPI: what is sent in, by its shape. What only code can check
 * (transforms, refinements) is left out.
 */
import { z } from "zod";
import type { JsonObject } from "./scalars.ts";

type Override = NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>["override"]>;

/** zod's pattern of an instant knows the days of each month; a reader is better off with the form alone. */
const INSTANT = "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$";

const tidy: Override = ({ jsonSchema }) => {
  const { format, pattern } = jsonSchema;
  if (format === "uuid" || format === "email" || format === "uri") delete jsonSchema.pattern;
  if (format === "date-time") {
    // A schema that is wrapped passes here again.
    if (pattern === INSTANT || pattern?.includes("\\.\\d{3}(?:Z)")) jsonSchema.pattern = INSTANT;
    else delete jsonSchema.pattern;
  }
  // A number that a query carries as digits.
  if (jsonSchema.type === "integer") delete jsonSchema.pattern;
  if ("x-default" in jsonSchema) {
    jsonSchema.default = jsonSchema["x-default"];
    delete jsonSchema["x-default"];
  }
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
};

const OPTIONS = { io: "input", unrepresentable: "any", override: tidy } as const;

/** @returns the JSON Schema of one schema: draft 7, which every editor knows. */
export const editorSchema = (schema: z.ZodType): JsonObject =>
  plain(z.toJSONSchema(schema, { ...OPTIONS, target: "draft-07" }));

/**
 * @param named schemas by name. Where one is a part of another, the other refers to it.
 * @param reference gives the `$ref` for a name.
 * @returns their JSON Schemas (2020-12, which OpenAPI 3.1 goes by), by the same names.
 */
export const jsonSchemas = (
  named: Readonly<Record<string, z.ZodType>>,
  reference: (name: string) => string,
): Readonly<Record<string, JsonObject>> => {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { ...OPTIONS, uri: reference });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const { $schema: _dialect, $id: _id, ...rest } = plain(schema);
      return [name, rest];
    }),
  );
};

const plain = (schema: object): JsonObject => JSON.parse(JSON.stringify(schema));
