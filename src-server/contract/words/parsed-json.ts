import type { JsonObject } from "../scalars.ts";

/** @returns the object as JSON has it: without functions and what is undefined. */
export const plainJson = (value: object): JsonObject => JSON.parse(JSON.stringify(value));

/** @returns the value of a JSON text; undefined if it is not JSON, for example because the request log truncated it. */
export const parsedJson = (text: string | null): unknown => {
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
