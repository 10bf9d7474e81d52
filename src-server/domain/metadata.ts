/**
 * How a profile's metadata is taken in and merged (SPEC 2.1.1 and 2.1.2, D3, D4).
 */
import type { JsonObject, JsonValue } from "#contract/scalars.ts";

const SNAKE_CASE = /^[a-z0-9]+(_[a-z0-9]+)+$/;

/** @param key a key as sent. @returns it in camelCase if it is strict snake_case, else unchanged (D4). */
export const convertKey = (key: string): string =>
  SNAKE_CASE.test(key) ? key.replace(/_([a-z0-9])/g, (_, next: string) => next.toUpperCase()) : key;

const convertValue = (value: JsonValue, path: string, met: string[]): JsonValue => {
  if (Array.isArray(value)) return value.map((entry, i) => convertValue(entry, `${path}[${i}]`, met));
  if (typeof value === "object" && value !== null) return convertObject(value, path, met);
  return value;
};

const convertObject = (object: JsonObject, path: string, met: string[]): JsonObject => {
  const converted: JsonObject = {};
  for (const [key, value] of Object.entries(object)) {
    const name = convertKey(key);
    if (Object.hasOwn(converted, name)) met.push(`${path}.${name}`);
    converted[name] = convertValue(value, `${path}.${key}`, met);
  }
  return converted;
};

/**
 * Converts the keys at every depth, also inside arrays.
 * @param sent checked by the contract: no `__proto__` key, not deeper than the body reader lets through.
 * @returns the metadata, and the paths at which two keys of the request met (the later won).
 */
export const convertMetadata = (
  sent: JsonObject,
): { readonly metadata: JsonObject; readonly met: readonly string[] } => {
  const met: string[] = [];
  return { metadata: convertObject(sent, "metadata", met), met };
};

/** Merges at the top level: stored keys that are absent from the request are kept (SPEC 2.1.2, D3). */
export const mergeMetadata = (stored: JsonObject | null, sent: JsonObject): JsonObject => ({ ...stored, ...sent });
