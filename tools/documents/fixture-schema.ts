/**
 * The JSON schema of fixture files, for editors: it completes names, explains them and marks what is wrong.
 */
import { editorSchema } from "#contract/json-schema.ts";
import type { JsonObject } from "#contract/scalars.ts";
import { worldState } from "#contract/state.ts";

/** @returns `fixtures/schema.json` as a value. */
export const fixtureSchema = (): JsonObject => {
  const { $schema, ...schema } = editorSchema(worldState);
  return {
    ...($schema === undefined ? {} : { $schema }),
    title: "Stagedoor fixture",
    description: "Apps to start from, with their profiles and connections. Every field of a profile may be left out.",
    ...schema,
  };
};
