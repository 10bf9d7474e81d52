/** Values as advice shows them: shortened, and secrets masked. */
import { cutText, isJsonArray, isJsonObject, type JsonValue } from "#contract/scalars.ts";
import type { World } from "#domain/world.ts";

const MOST = 60;
const JWT = /^eyJ[\w-]*\.[\w-]+\.[\w-]*$/;

/** @returns whether a text is a token such as those of sessions. */
export const isToken = (text: string): boolean => JWT.test(text);

/** @returns a secret, of which only the beginning is shown. */
export const maskedText = (text: string): string =>
  text.length < 8 ? `a text of ${text.length} characters` : `“${text.slice(0, 3)}…” (${text.length} characters)`;

/** @returns a text in quotation marks; a secret, or a token, masked. */
export const shownText = (world: World, text: string): string =>
  world.appBySecret(text.trim()) !== undefined || isToken(text) ? maskedText(text) : `“${cutText(text, MOST)}”`;

/** @returns a value with its kind, unless it is a text. */
export const shownValue = (world: World, value: JsonValue): string => {
  if (typeof value === "string") return value === "" ? "an empty string" : shownText(world, value);
  if (value === null) return "null";
  if (isJsonArray(value))
    return value.length === 0 ? "an empty array" : `an array: ${cutText(JSON.stringify(value), MOST)}`;
  if (isJsonObject(value))
    return Object.keys(value).length === 0 ? "an empty object" : `an object: ${cutText(JSON.stringify(value), MOST)}`;
  return `the ${typeof value} ${String(value)}`;
};
