/** The JSON Schema of fixture files for editors, which complete and explain names and mark errors. */

import { fixtureFile } from "#contract/control/state.ts";
import { editorSchema } from "#contract/documents/json-schema.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "#contract/scalars.ts";
import { profileFields } from "#contract/service/profiles.ts";

/** An email pattern for editors; zod's own is too strict to read. */
const EMAIL = "^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$";

/** @returns the part of a schema at a path of keys. */
const at = (schema: JsonValue | undefined, ...path: readonly string[]): JsonObject =>
  path.reduce<JsonObject>(
    (inner, key) => (isJsonObject(inner[key]) ? inner[key] : {}),
    isJsonObject(schema) ? schema : {},
  );

/** @returns phone and email of a profile as in a strict app: files are validated by the rules of their app. */
const strictFields = (): JsonObject => {
  const { phone, email } = at(editorSchema(profileFields), "properties");
  return { phone: phone ?? {}, email: { ...at(email), pattern: EMAIL } };
};

/** @returns `fixtures/schema.json` as a value. */
export const fixtureSchema = (): JsonObject => {
  const { $schema, ...schema } = editorSchema(fixtureFile);
  const profile = at(schema, "properties", "apps", "items", "properties", "profiles", "items", "properties");
  Object.assign(profile, strictFields());
  // A file that extends another needs no apps of its own.
  const required = Array.isArray(schema["required"]) ? schema["required"].filter((name) => name !== "apps") : [];
  return {
    ...($schema === undefined ? {} : { $schema }),
    title: "Stagedoor fixture",
    description: "Apps to start from, with their profiles and connections. Every field of a profile may be left out.",
    ...schema,
    required,
    anyOf: [{ required: ["apps"] }, { required: ["extends"] }],
  };
};
