/** Rules for profile metadata (service.md 2.1.1, D3 to D5) that depend on the value alone. */
import { BOUNDS } from "../bounds.ts";
import { deeperThan, isJsonArray, type JsonObject, type JsonValue, textError } from "../scalars.ts";

/** @returns the UTF-8 length of a text in bytes; works without TextEncoder. */
export const utf8Bytes = (text: string): number => {
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800 || (unit >= 0xd800 && unit < 0xe000)) bytes += 2;
    else bytes += 3;
  }
  return bytes;
};

/**
 * Finds what no setting allows: a `__proto__` key, a number that JSON cannot hold, NUL or a lone surrogate in a string.
 * Safe at any depth that the body reader accepts (32). @returns the error; undefined if there is none.
 */
export const unsafeJson = (value: JsonValue): string | undefined => {
  if (typeof value === "string") return textError(value);
  if (typeof value === "number")
    return Number.isFinite(value) ? undefined : "must not contain a number that JSON cannot hold";
  if (typeof value !== "object" || value === null) return undefined;
  const isList = isJsonArray(value);
  for (const [key, entry] of Object.entries(value)) {
    if (key === "__proto__") return 'must not contain the key "__proto__"';
    const error = (isList ? undefined : textError(key)) ?? unsafeJson(entry);
    if (error !== undefined) return error;
  }
  return undefined;
};

/** @param metadata the merged result. @returns one sentence for each exceeded limit of D5; empty if none. */
export const metadataLimitErrors = (metadata: JsonObject): string[] => {
  const errors: string[] = [];
  if (Object.keys(metadata).length > BOUNDS.metadataKeys.most)
    errors.push(`has too many keys (at most ${BOUNDS.metadataKeys.most})`);
  if (deeperThan(metadata, BOUNDS.metadataDepth.most))
    errors.push(`is nested too deep (at most ${BOUNDS.metadataDepth.most} levels)`);
  const { most } = BOUNDS.metadataBytes;
  if (utf8Bytes(JSON.stringify(metadata)) > most) errors.push(`is too large (at most ${most} bytes as JSON)`);
  return errors;
};
