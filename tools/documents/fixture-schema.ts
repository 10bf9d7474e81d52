/**
 * The JSON schema of fixture files, for editors: it completes names, explains them and marks what is wrong.
 */
import { editorSchema } from "#contract/json-schema.ts";
import { profileFields } from "#contract/profiles.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "#contract/scalars.ts";
import { fixtureFile } from "#contract/state.ts";

/** An address as an editor checks it: zod's own pattern is for programs. */
const EMAIL = "^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$";

/** @returns what a schema has at a path of keys. */
const at = (schema: JsonValue | undefined, ...path: readonly string[]): JsonObject =>
  path.reduce<JsonObject>(
    (inner, key) => (isJsonObject(inner[key]) ? inner[key] : {}),
    isJsonObject(schema) ? schema : {},
  );

/** @returns the phone and email of a profile as a strict app takes them: files are checked by the rules of their app. */
const strictFields = (): JsonObject => {
  const { phone, email } = at(editorSchema(profileFields), "properties");
  return { phone: phone ?? {}, email: { ...at(email), pattern: EMAIL } };
};

/** @returns `fixtures/schema.json` as a value. */
export const fixtureSchema = (): JsonObject => {
  const { $schema, ...schema } = editorSchema(fixtureFile);
  const profile = at(schema, "properties", "apps", "items", "properties", "profiles", "items", "properties");
  Object.assign(profile, strictFields());
  // A file that builds on another needs no apps of its own.
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
