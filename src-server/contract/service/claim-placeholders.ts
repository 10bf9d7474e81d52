/** Placeholders in the texts of `token.claims`. */
import { isJsonArray, isJsonObject } from "../scalars.ts";
import { type FieldErrors, nearestName, pathText } from "../validation.ts";
import { TEXTS } from "./attributes.ts";

/** Times of the token in UNIX seconds: when it was issued and expires, and when its user signed in. */
export const TIME_PLACEHOLDERS = ["issuedAt", "expiresAt", "signedInAt"] as const;
export type TimePlaceholder = (typeof TIME_PLACEHOLDERS)[number];

const NAMES: readonly string[] = ["userId", ...TEXTS, ...TIME_PLACEHOLDERS];
const METADATA = "metadata.";
/** As they are named to people. */
const KNOWN: readonly string[] = [...NAMES, `${METADATA}<key>`];

/** What is in braces: `{userId}`, `{metadata.address.city}`, but not the braces of JSON. */
export const PLACEHOLDER = /\{([^{}\s":,]{1,255})\}/g;

const unknownIn = (text: string): string | undefined => {
  for (const [written, name = ""] of text.matchAll(PLACEHOLDER)) {
    if (NAMES.includes(name) || (name.startsWith(METADATA) && name !== METADATA)) continue;
    // Of a path such as `user.name` the last part says what is meant.
    const last = name.slice(name.lastIndexOf(".") + 1);
    const nearest = NAMES.includes(last) ? last : nearestName(name, KNOWN);
    const known = KNOWN.map((one) => `{${one}}`).join(", ");
    const hint = nearest === undefined ? ` (known: ${known})` : `; did you mean {${nearest}}?`;
    return `has ${written}, which is not a placeholder${hint}`;
  }
  return undefined;
};

/** @param path of the claims. @returns an error for each text with a placeholder that there is not. */
export const placeholderErrors = (claims: unknown, path: readonly PropertyKey[]): FieldErrors => {
  const errors: FieldErrors = {};
  const look = (value: unknown, at: readonly PropertyKey[]): void => {
    if (typeof value === "string") {
      const error = unknownIn(value);
      if (error !== undefined) errors[pathText(at)] = [error];
    } else if (isJsonArray(value)) value.forEach((one, i) => void look(one, [...at, i]));
    else if (isJsonObject(value)) for (const [key, one] of Object.entries(value)) look(one, [...at, key]);
  };
  look(claims, path);
  return errors;
};
