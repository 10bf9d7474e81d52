/** The JSON Schemas of the OpenAPI documents, checked by ajv. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { JsonObject } from "#contract/scalars.ts";

/** What ajv needs to know about formats and keywords of ours. */
export const AJV_OPTIONS = {
  strict: false,
  allErrors: true,
  formats: {
    uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
    "date-time": /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/,
    date: /^\d{4}-\d{2}-\d{2}$/,
    email: /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
    e164: /^\+[1-9]\d{6,14}$/,
  },
};
const ajv = new Ajv2020(AJV_OPTIONS);

const known = new WeakMap<JsonObject, ValidateFunction>();

const validator = (schema: JsonObject): ValidateFunction => {
  const found = known.get(schema) ?? ajv.compile(schema);
  known.set(schema, found);
  return found;
};

/** @returns why a value violates the schema; undefined if it does not. */
export const schemaFault = (schema: JsonObject, value: unknown): string | undefined => {
  const validate = validator(schema);
  return validate(value) ? undefined : ajv.errorsText(validate.errors);
};
