/** Converts the input of zod schemas to JSON Schema, for editors and OpenAPI, without what only code can check. */
import { z } from "zod";
import type { JsonObject } from "../scalars.ts";
import { plainJson } from "../words/parsed-json.ts";

type Draft = z.core.JSONSchema.JSONSchema;
type Override = NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>["override"]>;

/** Replaces zod's pattern of an instant, which encodes the days of each month and is unreadable. */
const INSTANT = "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$";
/** The same for an instant of any zone and precision. */
const ANY_INSTANT = "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(:\\d{2}(\\.\\d+)?)?(Z|[+-]\\d{2}:\\d{2})$";

const tidy: Override = ({ jsonSchema }) => {
  const { format, pattern } = jsonSchema;
  if (format === "uuid" || format === "email" || format === "uri") delete jsonSchema.pattern;
  if (format === "date-time") {
    // Wrapped schemas come through here twice.
    if (pattern === INSTANT || pattern?.includes("\\.\\d{3}(?:Z)")) jsonSchema.pattern = INSTANT;
    else if (pattern?.includes("[+-]")) jsonSchema.pattern = ANY_INSTANT;
    else delete jsonSchema.pattern;
  }
  // A number that a query sends as digits.
  if (jsonSchema.type === "integer") delete jsonSchema.pattern;
  if (typeof jsonSchema["x-most-ms"] === "number") {
    const { "x-most-ms": maximum, pattern = "", "x-default": byDefault } = jsonSchema;
    for (const key of Object.keys(jsonSchema)) if (key !== "description") delete jsonSchema[key];
    jsonSchema.anyOf = [
      { type: "integer", minimum: 0, maximum },
      { type: "string", pattern },
    ];
    if (byDefault !== undefined) jsonSchema.default = byDefault;
  }
  if ("x-default" in jsonSchema) {
    jsonSchema.default = jsonSchema["x-default"];
    delete jsonSchema["x-default"];
  }
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
};

/** @returns null alone, in OpenAPI 3.0. */
const nothing = (): Draft => ({ type: "string", nullable: true, enum: [null] });

const OPTIONS = { io: "input", unrepresentable: "any", override: tidy } as const;

/** @returns the schema as JSON Schema draft 7, which every editor supports. */
export const editorSchema = (schema: z.ZodType): JsonObject =>
  plainJson(z.toJSONSchema(schema, { ...OPTIONS, target: "draft-07" }));

/** What zod calls the dialects of OpenAPI 3.1 and 3.0. */
export type Dialect = "draft-2020-12" | "openapi-3.0";

/** Mends where zod writes what OpenAPI 3.0 ignores or does not have. */
const only30: Override = ({ jsonSchema }) => {
  const { $ref, nullable, allOf, anyOf = allOf, enum: values, examples } = jsonSchema;
  delete jsonSchema.propertyNames;
  delete jsonSchema.examples;
  if (examples !== undefined) jsonSchema["example"] = examples[0];
  if (jsonSchema.type === "null") Object.assign(jsonSchema, nothing());
  // What stands next to a reference is ignored.
  else if ($ref !== undefined && Object.keys(jsonSchema).length > 1) {
    delete jsonSchema.$ref;
    jsonSchema.allOf = [{ $ref }];
  }
  // `nullable` counts only next to a `type`, and adds nothing to an `enum`.
  else if (nullable === true && jsonSchema.type === undefined && anyOf !== undefined) {
    for (const name of ["nullable", "allOf"] as const) delete jsonSchema[name];
    jsonSchema.anyOf = [...anyOf, nothing()];
  } else if (nullable === true && values !== undefined && !values.includes(null)) jsonSchema.enum = [...values, null];
};

/**
 * @param named schemas that reference each other, with the `$ref` that `reference` returns for a name.
 * @returns the JSON Schemas by the same names.
 */
export const jsonSchemas = (
  named: Readonly<Record<string, z.ZodType>>,
  reference: (name: string) => string,
  target: Dialect = "draft-2020-12",
): Readonly<Record<string, JsonObject>> => {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  // A value that a rule checks, and not the schema, can name its shape.
  const override: Override = (context) => {
    tidy(context);
    const { "x-shape": shape } = context.jsonSchema;
    if (typeof shape === "string") {
      delete context.jsonSchema["x-shape"];
      context.jsonSchema.$ref = reference(shape);
    }
    if (target === "openapi-3.0") only30(context);
  };
  const { schemas } = z.toJSONSchema(registry, { ...OPTIONS, override, uri: reference, target });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const { $schema: _dialect, $id: _id, ...rest } = plainJson(schema);
      return [name, rest];
    }),
  );
};
